/**
 * The editor, for the rest of the extension.
 *
 * No other file imports values from "vscode", so that tests can put another editor in its place.
 */

export {
  CancellationTokenSource,
  commands,
  ConfigurationTarget,
  DiagnosticSeverity,
  env,
  EventEmitter,
  ExtensionMode,
  extensions,
  InputBoxValidationSeverity,
  languages,
  LogLevel,
  Position,
  ProgressLocation,
  QuickPickItemKind,
  Range,
  StatusBarAlignment,
  TabInputText,
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
