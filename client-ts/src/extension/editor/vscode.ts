/**
 * The editor, for the rest of the extension.
 *
 * No other file imports values from "vscode", so that tests can put another editor in its place.
 */

import * as editor from "vscode";

/** Editors that are no VS Code may have no models at all. */
export const lm = (editor as Partial<typeof editor>).lm;

export {
  CancellationTokenSource,
  commands,
  ConfigurationTarget,
  DiagnosticSeverity,
  Disposable,
  env,
  EventEmitter,
  ExtensionMode,
  extensions,
  FileType,
  InputBoxValidationSeverity,
  l10n,
  LanguageModelChatMessage,
  LanguageModelChatMessageRole,
  LanguageModelDataPart,
  LanguageModelError,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
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
  TreeItemCheckboxState,
  TreeItemCollapsibleState,
  Uri,
  ViewColumn,
  window,
  workspace,
  WorkspaceEdit,
} from "vscode";
