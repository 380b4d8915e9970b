/**
 * The editor, for the rest of the extension.
 *
 * No other file imports values from "vscode", so that tests can put another editor in its place.
 */

export {
  commands,
  ConfigurationTarget,
  env,
  EventEmitter,
  extensions,
  QuickPickItemKind,
  StatusBarAlignment,
  TabInputTextDiff,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  Uri,
  window,
  workspace,
} from "vscode";
