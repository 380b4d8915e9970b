/**
 * The editor, for the rest of the extension.
 *
 * No other file imports values from "vscode", so that tests can put another editor in its place.
 */

export {
  CancellationTokenSource,
  commands,
  ConfigurationTarget,
  env,
  EventEmitter,
  ExtensionMode,
  extensions,
  InputBoxValidationSeverity,
  LogLevel,
  Position,
  ProgressLocation,
  QuickPickItemKind,
  Range,
  StatusBarAlignment,
  TabInputTextDiff,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  Uri,
  window,
  workspace,
  WorkspaceEdit,
} from "vscode";
