/**
 * A plan that waits to be approved, as a document of the editor.
 *
 * What is typed there goes to the server at once, and stands on the card then: what is approved is
 * what the card shows. The document goes when its plan is decided.
 */

import type { FileChangeEvent, FileSystemProvider, TextDocument, Uri as EditorUri } from "vscode";
import type { ApprovalRequest } from "../protocol";
import type { Request } from "./bridge";
import { Disposable, EventEmitter, FileType, TabInputText, Uri, window, workspace } from "./vscode";

export const PLAN = "assent-plan";

/** After the last letter this long; what is typed without a pause is sent once. */
const STILL_MS = 250;

export class Plans implements FileSystemProvider, Disposable {
  readonly #request: Request;
  readonly #failed: (error: unknown) => void;
  readonly #texts = new Map<string, string>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #changed = new EventEmitter<FileChangeEvent[]>();
  readonly #registrations: readonly Disposable[];
  #tickets: readonly ApprovalRequest[] = [];

  readonly onDidChangeFile = this.#changed.event;

  constructor(request: Request, failed: (error: unknown) => void) {
    this.#request = request;
    this.#failed = failed;
    this.#registrations = [
      workspace.registerFileSystemProvider(PLAN, this, { isCaseSensitive: true }),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document.uri.scheme === PLAN && contentChanges.length > 0) {
          this.#typed(document);
        }
      }),
    ];
  }

  /** Open the document of a plan that waits. */
  async open(approvalId: string): Promise<void> {
    const text = this.#planOf(approvalId);
    if (text === null) {
      return;
    }
    if (!this.#texts.has(approvalId)) {
      this.#texts.set(approvalId, text);
    }
    await window.showTextDocument(Uri.from({ scheme: PLAN, path: `/${approvalId}/Plan.md` }), { preview: false });
  }

  /** The open cards are these now: the documents of others go. */
  ticketsAre(tickets: readonly ApprovalRequest[]): void {
    this.#tickets = tickets;
    for (const approvalId of this.#texts.keys()) {
      if (!tickets.some((ticket) => ticket.approvalId === approvalId)) {
        this.#texts.delete(approvalId);
        clearTimeout(this.#timers.get(approvalId));
        void this.#close(approvalId);
      }
    }
  }

  readFile(uri: EditorUri): Uint8Array {
    return Buffer.from(this.#texts.get(idOf(uri)) ?? "");
  }

  writeFile(uri: EditorUri, content: Uint8Array): void {
    this.#texts.set(idOf(uri), Buffer.from(content).toString("utf8"));
  }

  stat(uri: EditorUri): { type: number; ctime: number; mtime: number; size: number } {
    return { type: FileType.File, ctime: 0, mtime: 0, size: this.readFile(uri).length };
  }

  watch(): Disposable {
    // Nobody else changes a plan.
    return new Disposable(() => undefined);
  }

  readDirectory(): [string, number][] {
    return [];
  }

  createDirectory(): void {
    throw new Error("There are no folders beside a plan.");
  }

  delete(): void {
    throw new Error("A plan goes when it is decided.");
  }

  rename(): void {
    throw new Error("A plan keeps its name.");
  }

  dispose(): void {
    for (const registration of this.#registrations) {
      registration.dispose();
    }
    for (const timer of this.#timers.values()) {
      clearTimeout(timer);
    }
  }

  #planOf(approvalId: string): string | null {
    const body = this.#tickets.find((ticket) => ticket.approvalId === approvalId)?.card.body;
    return body?.kind === "plan" ? body.text.map(({ text }) => text).join("") : null;
  }

  #typed(document: TextDocument): void {
    const approvalId = idOf(document.uri);
    clearTimeout(this.#timers.get(approvalId));
    const send = (): void => {
      this.#request("tool/editPlan", { approvalId, text: document.getText() }).catch(this.#failed);
    };
    this.#timers.set(approvalId, setTimeout(send, STILL_MS));
  }

  /** What is dirty is saved first, so that nobody is asked about it. */
  async #close(approvalId: string): Promise<void> {
    const mine = (uri: EditorUri): boolean => uri.scheme === PLAN && idOf(uri) === approvalId;
    for (const document of workspace.textDocuments.filter(({ uri }) => mine(uri))) {
      await document.save();
    }
    this.#texts.delete(approvalId);
    const tabs = window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(({ input }) => input instanceof TabInputText && mine(input.uri));
    await window.tabGroups.close(tabs);
  }
}

function idOf(uri: EditorUri): string {
  return uri.path.split("/")[1] ?? "";
}
