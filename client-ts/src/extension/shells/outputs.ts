/**
 * What a shell printed, as a read-only document of the editor.
 *
 * It grows while the shell runs and somebody sees it, and who reads at its end stays there. Only
 * the end of a very long output is kept here; the colours of a terminal are left out.
 */

import type { Disposable, TextDocumentContentProvider, TextEditor, Uri as EditorUri } from "vscode";
import { plain } from "../../shared/card";
import { t } from "../../shared/l10n";
import { joined, stateOf, uncoloured } from "../../shared/command-output";
import type { ReadShell, ShellInfo, ShellOutput, ShellRef } from "../../shared/protocol";
import type { Request } from "../server/bridge";
import { inert } from "../editor/inert-text";
import { EventEmitter, Position, Range, Uri, window, workspace } from "../editor/vscode";

export const SCHEME = "assent-output";

/** How long a document that is seen waits before it looks for more. */
export const READ_INTERVAL_MS = 1_000;

/** So many characters are kept. */
export const MAX_KEPT_LETTERS = 1_000_000;

/** So many stretches are read at a time, so that a flood leaves room for others. */
const MAX_STRETCHES = 100;

/** How far an output has been read. */
export interface Reading {
  readonly text: string;
  readonly next: number;
  /** Whether something before the text is not kept. */
  readonly isCut: boolean;
  readonly shell: ShellInfo | null;
}

export const UNREAD: Reading = { text: "", next: 0, isCut: false, shell: null };

/** The reading with one more stretch. */
export function readOn(reading: Reading, { text, errors, next, missing, shell }: ShellOutput): Reading {
  const whole = joined(reading.text, text, errors);
  const isCut = reading.isCut || missing > 0 || whole.length > MAX_KEPT_LETTERS;
  return { text: whole.slice(-MAX_KEPT_LETTERS), next, isCut, shell };
}

/** The document: the output, what is missing of it, and how the command ended. */
export function documentOf({ text, isCut, shell }: Reading): string {
  const before = isCut ? `${t("… What came before this is not kept.")}\n` : "";
  const has = text === "" || text.endsWith("\n") ? "" : "\n";
  const after = shell === null || shell.state === "running" ? "" : `${has}— ${stateOf(shell)}\n`;
  return `${before}${uncoloured(text)}${after}`;
}

export class Outputs implements TextDocumentContentProvider, Disposable {
  readonly #request: Request;
  readonly #changed = new EventEmitter<EditorUri>();
  readonly #readings = new Map<string, Reading>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** The documents that were read at their end when they were last told to grow. */
  readonly #followed = new Set<string>();
  readonly #registrations: readonly Disposable[];

  readonly onDidChange = this.#changed.event;

  constructor(request: Request) {
    this.#request = request;
    this.#registrations = [
      workspace.registerTextDocumentContentProvider(SCHEME, this),
      window.onDidChangeVisibleTextEditors((editors) => {
        for (const { document } of editors) {
          this.#readSoon(document.uri, 0);
        }
      }),
      workspace.onDidChangeTextDocument(({ document }) => {
        if (this.#followed.delete(document.uri.query)) {
          toEnd(editorOf(document.uri));
        }
      }),
      workspace.onDidCloseTextDocument(({ uri }) => {
        clearTimeout(this.#timers.get(uri.query));
        this.#timers.delete(uri.query);
        this.#readings.delete(uri.query);
        this.#followed.delete(uri.query);
      }),
    ];
  }

  /** Show what this shell printed, from its end. */
  async show(ref: ShellRef): Promise<void> {
    const query = JSON.stringify([ref.chatId, ref.shellId]);
    const reading = await this.#read(query);
    const uri = Uri.from({ scheme: SCHEME, path: `/${nameOf(reading.shell)}`, query });
    this.#changed.fire(uri);
    toEnd(await window.showTextDocument(uri, { preview: true }));
    this.#readSoon(uri, READ_INTERVAL_MS);
  }

  provideTextDocumentContent(uri: EditorUri): string {
    return documentOf(this.#readings.get(uri.query) ?? UNREAD);
  }

  dispose(): void {
    for (const timer of this.#timers.values()) {
      clearTimeout(timer);
    }
    for (const registration of this.#registrations) {
      registration.dispose();
    }
    this.#changed.dispose();
  }

  /** Read as much as there is, at most so much at a time. */
  async #read(query: string): Promise<Reading> {
    const [chatId, shellId] = JSON.parse(query) as readonly [string, string];
    let reading = this.#readings.get(query) ?? UNREAD;
    for (let stretch = 0; stretch < MAX_STRETCHES; stretch += 1) {
      const params: ReadShell = { chatId, shellId, since: reading.next };
      const answer = (await this.#request("shell/output", params)) as ShellOutput;
      reading = readOn(reading, answer);
      if (answer.text === "") {
        break;
      }
    }
    this.#readings.set(query, reading);
    return reading;
  }

  /** Look for more after a while, where the shell still runs and the document is seen. */
  #readSoon(uri: EditorUri, wait: number): void {
    const shell = this.#readings.get(uri.query)?.shell;
    const isDue = uri.scheme === SCHEME && shell?.state === "running" && !this.#timers.has(uri.query);
    if (isDue && editorOf(uri) !== undefined) {
      this.#timers.set(
        uri.query,
        setTimeout(() => void this.#again(uri), wait),
      );
    }
  }

  #grow(uri: EditorUri): void {
    const editor = editorOf(uri);
    if (editor !== undefined && isAtEnd(editor)) {
      this.#followed.add(uri.query);
    }
    this.#changed.fire(uri);
  }

  async #again(uri: EditorUri): Promise<void> {
    const before = this.#readings.get(uri.query);
    // Where the server or the chat is gone, what has been read stays.
    const now = await this.#read(uri.query).catch(() => null);
    if (!this.#timers.delete(uri.query)) {
      // The document was closed meanwhile.
      this.#readings.delete(uri.query);
      return;
    }
    if (now === null) {
      return;
    }
    if (now.text !== before?.text || now.shell?.state !== before.shell?.state) {
      this.#grow(uri);
    }
    this.#readSoon(uri, READ_INTERVAL_MS);
  }
}

function editorOf(uri: EditorUri): TextEditor | undefined {
  return window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
}

function isAtEnd({ visibleRanges, document }: TextEditor): boolean {
  return (visibleRanges.at(-1)?.end.line ?? 0) >= document.lineCount - 2;
}

function toEnd(editor: TextEditor | undefined): void {
  const end = new Position(editor?.document.lineCount ?? 0, 0);
  editor?.revealRange(new Range(end, end));
}

/** The tab's name: the command, in which a slash would begin a folder. */
function nameOf(shell: ShellInfo | null): string {
  const command = inert(plain(shell?.command ?? [])).replace(/\s+/gu, " ");
  const short = command.length > MAX_NAME_LETTERS ? `${command.slice(0, MAX_NAME_LETTERS - 1)}…` : command;
  return t("Output of {0}", short.replace(/[\\/]/gu, "∕"));
}

const MAX_NAME_LETTERS = 40;
