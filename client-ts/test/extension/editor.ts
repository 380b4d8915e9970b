/**
 * An editor for the tests: as much of VS Code's API as the extension uses, and what was done
 * with it.
 *
 * It stands in for the module "vscode" in every bundled test. Nothing else is replaced.
 */

import { terminalsOfWindow } from "./faketerminals";
import { WorkspaceEdit, type FakeDocument, type FakeTextEditor } from "./documents";
import {
  LanguageModelChatMessage,
  LanguageModelChatMessageRole,
  LanguageModelDataPart,
  LanguageModelError,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  lm,
} from "./lm";
import {
  ProgressLocation,
  TabInputText,
  TabInputTextDiff,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCheckboxState,
  TreeItemCollapsibleState,
  ViewColumn,
  type FakeInput,
  type FakeItem,
  type Layer,
  type Message,
} from "./parts";
import { Position, Range, Uri } from "./places";
import { FakeQuickPick } from "./fakepick";

export { Position, Range, Uri, WorkspaceEdit };
export {
  LanguageModelChatMessage,
  LanguageModelChatMessageRole,
  LanguageModelDataPart,
  LanguageModelError,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  lm,
};
export {
  ProgressLocation,
  TabInputText,
  TabInputTextDiff,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCheckboxState,
  TreeItemCollapsibleState,
  ViewColumn,
};
export type { FakeDocument, FakeInput, FakeItem, FakeTextEditor, Layer, Message };

type Listener = (event: unknown) => void;

/** Closes a box from outside. */
interface FakeToken {
  readonly onCancellationRequested: (listener: () => void) => void;
}

export class CancellationTokenSource {
  readonly #asked = new EventEmitter();
  readonly token: FakeToken = { onCancellationRequested: (listener) => void this.#asked.event(listener) };
  cancel(): void {
    this.#asked.fire(undefined);
  }
  dispose(): void {
    this.#asked.dispose();
  }
}

/** What the tests set and read. */
export const fake = {
  layers: {} as Record<string, Layer>,
  /** By the folder's address, where folders differ. */
  folderLayers: {} as Record<string, Record<string, Layer>>,
  updates: [] as { key: string; value: unknown; target: number }[],
  updateFails: null as string | null,
  statusItems: [] as FakeStatusItem[],
  picks: [] as FakeQuickPick[],
  messages: [] as Message[],
  /** What is pressed at the next message boxes, in order. */
  presses: [] as (string | undefined)[],
  inputs: [] as (string | undefined)[],
  /** What the boxes for a line of text were asked with. */
  boxes: [] as FakeInput[],
  shown: [] as { uri: string; options: unknown }[],
  executed: [] as { command: string; args: readonly unknown[] }[],
  commandFails: new Set<string>(),
  commandAnswers: new Map<string, unknown>(),
  /** Who hears of the boxes of a list. */
  ticked: (() => undefined) as Listener,
  opened: [] as string[],
  edits: [] as WorkspaceEdit[],
  clipboard: "",
  /** What is selected in the terminal. */
  selected: null as string | null,
  /** Presses *Cancel* of what was begun last. */
  cancel: (): void => undefined,
  reset(): void {
    Object.assign(fake, {
      statusItems: [],
      layers: {},
      folderLayers: {},
      updates: [],
      updateFails: null,
      picks: [],
      messages: [],
      presses: [],
      inputs: [],
      boxes: [],
      shown: [],
      executed: [],
      commandFails: new Set(),
      commandAnswers: new Map(),
      opened: [],
      edits: [],
      clipboard: "",
      selected: null,
    });
    Object.assign(workspace, { isTrusted: true, workspaceFile: undefined, workspaceFolders: undefined, textDocuments: [], disk: {} });
    Object.assign(window, { state: { focused: true }, visibleTextEditors: [], activeTextEditor: undefined });
  },
};

function layer(key: string, folder: Uri | undefined): Layer | undefined {
  return (folder && fake.folderLayers[folder.toString()]?.[key]) ?? fake.layers[key];
}

/** What stands in the status bar. */
export class FakeStatusItem {
  text = "";
  tooltip = "";
  name = "";
  command = "";
  visible = false;
  accessibilityInformation: unknown = null;

  show(): void {
    this.visible = true;
  }

  hide(): void {
    this.visible = false;
  }

  dispose(): void {
    this.hide();
  }
}

export const workspace = {
  isTrusted: true,
  workspaceFile: undefined as Uri | undefined,
  workspaceFolders: undefined as readonly { readonly uri: Uri }[] | undefined,
  getConfiguration: (_section: string, folder?: Uri) => ({
    get: (key: string): unknown => {
      const found = layer(key, folder);
      return found?.workspaceValue ?? found?.globalValue ?? found?.defaultValue;
    },
    inspect: (key: string) => layer(key, folder),
    update: (key: string, value: unknown, target: number): Promise<void> => {
      if (fake.updateFails !== null) {
        return Promise.reject(new Error(fake.updateFails));
      }
      fake.updates.push({ key, value, target });
      return Promise.resolve();
    },
  }),
  textDocuments: [] as FakeDocument[],
  /** What lies on the disk, by its path. */
  disk: {} as Record<string, number>,
  fs: {
    stat: ({ path }: Uri): Promise<{ readonly type: number }> => {
      const type = workspace.disk[path];
      return type === undefined ? Promise.reject(new Error("ENOENT")) : Promise.resolve({ type });
    },
  },
  asRelativePath: ({ path }: Uri): string => path.replace(/^\/till\//u, ""),
  registerTextDocumentContentProvider: () => ({ dispose: () => undefined }),
  registerFileSystemProvider: () => ({ dispose: () => undefined }),
  onDidCloseTextDocument: (listener: Listener) => events.closed.event(listener),
  onDidChangeTextDocument: (listener: Listener) => events.changed.event(listener),
  onDidSaveTextDocument: (listener: Listener) => events.saved.event(listener),
  getWorkspaceFolder: (uri: Uri) => workspace.workspaceFolders?.find((folder) => uri.path.startsWith(`${folder.uri.path}/`)),
  applyEdit: (edit: WorkspaceEdit): Promise<boolean> => {
    fake.edits.push(edit);
    return Promise.resolve(true);
  },
};

function box(kind: Message["kind"]) {
  return (text: string, ...rest: readonly unknown[]): Promise<string | undefined> => {
    const options = typeof rest[0] === "object" ? rest[0] : null;
    const buttons = rest.filter((one): one is string => typeof one === "string");
    fake.messages.push({ kind, text, options, buttons });
    return Promise.resolve(fake.presses.shift());
  };
}

export const window = {
  ...terminalsOfWindow,
  state: { focused: true },
  showInformationMessage: box("info"),
  showWarningMessage: box("warning"),
  showErrorMessage: box("error"),
  showInputBox: (options: FakeInput, token?: FakeToken) => {
    fake.boxes.push(options);
    if (fake.inputs.length > 0 || token === undefined) {
      return Promise.resolve(fake.inputs.shift());
    }
    // Nobody types: it stays open until it is closed from outside.
    return new Promise<undefined>((resolve) => token.onCancellationRequested(() => resolve(undefined)));
  },
  visibleTextEditors: [] as FakeTextEditor[],
  activeTextEditor: undefined as unknown,
  onDidChangeVisibleTextEditors: (listener: Listener) => events.visible.event(listener),
  showTextDocument: (uri: Uri, options: unknown) => {
    fake.shown.push({ uri: uri.toString(), options });
    const revealed: number[] = [];
    const editor: FakeTextEditor = {
      document: { uri, lineCount: 1 },
      visibleRanges: [{ end: new Position(0, 0) }],
      revealed,
      revealRange: ({ end }) => revealed.push(end.line),
    };
    window.visibleTextEditors.push(editor);
    return Promise.resolve(editor);
  },
  createTreeView: () => ({
    message: undefined,
    badge: undefined,
    dispose: () => undefined,
    onDidChangeCheckboxState: (listener: Listener) => void (fake.ticked = listener),
  }),
  createStatusBarItem: (): FakeStatusItem => {
    const item = new FakeStatusItem();
    fake.statusItems.push(item);
    return item;
  },
  createQuickPick: () => new FakeQuickPick((pick) => fake.picks.push(pick)),
  withProgress: (_: unknown, work: (progress: unknown, token: unknown) => unknown): unknown => {
    const token = {
      isCancellationRequested: false,
      onCancellationRequested: (listener: () => void): void => {
        fake.cancel = () => {
          token.isCancellationRequested = true;
          listener();
        };
      },
    };
    return work({ report: () => undefined }, token);
  },
  tabGroups: { all: [], close: () => Promise.resolve(true) },
};

export const commands = {
  executeCommand: (command: string, ...args: readonly unknown[]): Promise<unknown> => {
    fake.executed.push({ command, args });
    if (command === "workbench.action.terminal.copySelection" && fake.selected !== null) {
      fake.clipboard = fake.selected;
    }
    if (fake.commandFails.has(command)) return Promise.reject(new Error(`command '${command}' not found`));
    return Promise.resolve(fake.commandAnswers.get(command));
  },
};

/** English has no words of its own. */
export const l10n = { bundle: undefined as Readonly<Record<string, string>> | undefined };

export const env = {
  language: "en",
  appRoot: "/usr/share/editor/resources/app",
  remoteName: undefined as string | undefined,
  clipboard: {
    readText: () => Promise.resolve(fake.clipboard),
    writeText: (text: string): Promise<void> => {
      fake.clipboard = text;
      return Promise.resolve();
    },
  },
  /** A string is opened to the letter; a `Uri` comes decoded, and with other escapes than before. */
  openExternal: (target: Uri | string): Promise<boolean> => {
    fake.opened.push(typeof target === "string" ? target : encodeURI(decodeURIComponent(target.toString())));
    return Promise.resolve(true);
  },
};

export class EventEmitter {
  readonly #listeners = new Set<Listener>();
  readonly event = (listener: Listener): { dispose: () => void } => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };
  fire(event: unknown): void {
    this.#listeners.forEach((listener) => listener(event));
  }
  dispose(): void {
    this.#listeners.clear();
  }
}

/** What a test makes happen to documents and their editors. */
export const events = {
  closed: new EventEmitter(),
  changed: new EventEmitter(),
  saved: new EventEmitter(),
  diagnosed: new EventEmitter(),
  visible: new EventEmitter(),
};

/** What is wrong in files, by their address. */
export const diagnosed = new Map<string, readonly unknown[]>();
export const DiagnosticSeverity = { Error: 0, Warning: 1 } as const;
export const languages = {
  onDidChangeDiagnostics: (listener: Listener) => events.diagnosed.event(listener),
  getDiagnostics: (uri?: Uri) =>
    uri === undefined ? [...diagnosed].map(([each, found]) => [Uri.parse(each), found]) : (diagnosed.get(uri.toString()) ?? []),
};

export const extensions = {
  getExtension: (): unknown => undefined,
  all: [] as { readonly extensionUri: Uri }[],
};
export const FileType = { File: 1, Directory: 2, SymbolicLink: 64 } as const;
export const ExtensionMode = { Production: 1, Development: 2, Test: 3 } as const;
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 } as const;
export const QuickPickItemKind = { Separator: -1, Default: 0 } as const;
export const StatusBarAlignment = { Left: 1, Right: 2 } as const;
export const LogLevel = { Off: 0, Trace: 1 } as const;
export const InputBoxValidationSeverity = { Info: 1, Warning: 2, Error: 3 } as const;
