/**
 * A command or a plan that waits to be allowed, as a document of the editor.
 *
 * What is typed there goes to the server at once, and stands on the card then: what is allowed is
 * what the card shows. The document goes when its question is decided.
 */

import type { FileChangeEvent, FileSystemProvider, TextDocument, Uri as EditorUri } from "vscode";
import { allows } from "../../shared/card";
import type { ApprovalRequest, ApprovalResponse, TextEdited } from "../../shared/protocol";
import type { Request } from "../server/bridge";
import { Disposable, EventEmitter, FileType, TabInputText, Uri, window, workspace } from "../editor/vscode";

export const TEXT = "assent-text";

/** After the last letter this long; what is typed without a pause is sent once. */
const TYPING_DELAY_MS = 250;

/** What was typed into a document. */
interface Typed {
  readonly document: TextDocument;
  readonly timer: NodeJS.Timeout;
  /** What was typed before it and is still on its way. */
  readonly after: Promise<TextEdited> | undefined;
  /** It is on its way. */
  sent?: Promise<TextEdited>;
}

/** Answers of every surface: one that allows a text is about what stands in its document. */
export function asTyped(request: Request, texts: Pick<Texts, "flush">): Request {
  return async (method, params) =>
    request(method, method === "tool/approvalResponse" ? await texts.flush(params as ApprovalResponse) : params);
}

export class Texts implements FileSystemProvider, Disposable {
  readonly #request: Request;
  readonly #failed: (error: unknown) => void;
  readonly #texts = new Map<string, string>();
  /** What was typed and is not known to stand on the card yet, by the question. */
  readonly #typed = new Map<string, Typed>();
  readonly #changed = new EventEmitter<FileChangeEvent[]>();
  readonly #registrations: readonly Disposable[];
  #tickets: readonly ApprovalRequest[] = [];

  readonly onDidChangeFile = this.#changed.event;

  constructor(request: Request, failed: (error: unknown) => void) {
    this.#request = request;
    this.#failed = failed;
    this.#registrations = [
      workspace.registerFileSystemProvider(TEXT, this, { isCaseSensitive: true }),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document.uri.scheme === TEXT && contentChanges.length > 0) {
          this.#type(document);
        }
      }),
      // Whoever closes it goes by the card again, also where what they had typed was refused.
      workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === TEXT) {
          this.#forget(idOf(uri));
          this.#texts.delete(idOf(uri));
        }
      }),
    ];
  }

  /** Open the document of a text that waits. */
  async open(approvalId: string): Promise<void> {
    const request = this.#tickets.find((ticket) => ticket.approvalId === approvalId);
    const text = request === undefined ? null : textOf(request);
    if (text === null) {
      return;
    }
    if (!this.#texts.has(approvalId)) {
      this.#texts.set(approvalId, text);
    }
    await window.showTextDocument(Uri.from({ scheme: TEXT, path: `/${approvalId}/${nameOf(request)}` }), { preview: false });
  }

  /** The open cards are these now: the documents of others go. */
  ticketsAre(tickets: readonly ApprovalRequest[]): void {
    this.#tickets = tickets;
    for (const approvalId of this.#texts.keys()) {
      if (!tickets.some((ticket) => ticket.approvalId === approvalId)) {
        this.#texts.delete(approvalId);
        this.#forget(approvalId);
        void this.#close(approvalId);
      }
    }
  }

  /**
   * Before a text goes: what was typed last stands on its card, and the answer is about that.
   *
   * Only where the person answered on the card as it was before they typed; whatever else has
   * changed makes the answer stale as ever. So does what was typed into a command: nothing of it
   * runs before its card was shown. Rejects where the edit was refused.
   */
  async flush(answer: ApprovalResponse): Promise<ApprovalResponse> {
    const { approvalId, optionId, digest } = answer;
    const typed = this.#typed.get(approvalId);
    const ticket = this.#tickets.find((one) => one.approvalId === approvalId);
    const option = ticket?.card.options.find(({ id }) => id === optionId);
    if (typed === undefined || option === undefined || !allows(option.kind)) {
      return answer;
    }
    const edited = await this.#send(approvalId, typed);
    const isPlan = ticket?.card.body.kind === "plan";
    return isPlan && edited.was === digest ? { ...answer, digest: edited.digest, revision: edited.revision } : answer;
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
    // Nobody else changes it.
    return new Disposable(() => undefined);
  }

  readDirectory(): [string, number][] {
    return [];
  }

  createDirectory(): void {
    throw new Error("There are no folders beside it.");
  }

  delete(): void {
    throw new Error("It goes when it is decided.");
  }

  rename(): void {
    throw new Error("It keeps its name.");
  }

  dispose(): void {
    for (const registration of this.#registrations) {
      registration.dispose();
    }
    for (const approvalId of this.#typed.keys()) {
      this.#forget(approvalId);
    }
  }

  #type(document: TextDocument): void {
    const approvalId = idOf(document.uri);
    const after = this.#typed.get(approvalId)?.sent;
    this.#forget(approvalId);
    // Where nothing is left for a moment, something else is about to be typed.
    const send = (): void => void (document.getText().trim() && this.#send(approvalId, typed).catch(this.#failed));
    const timer = setTimeout(send, TYPING_DELAY_MS);
    const typed: Typed = { document, timer, after };
    this.#typed.set(approvalId, typed);
  }

  /** Tell what stands in a document, once for each time that something was typed. */
  #send(approvalId: string, typed: Typed): Promise<TextEdited> {
    clearTimeout(typed.timer);
    typed.sent ??= this.#tell(approvalId, typed);
    return typed.sent;
  }

  async #tell(approvalId: string, typed: Typed): Promise<TextEdited> {
    const text = typed.document.getText();
    const edited = (await this.#request("tool/editText", { approvalId, text })) as TextEdited;
    if (this.#typed.get(approvalId) === typed) {
      this.#typed.delete(approvalId);
    }
    const before = await typed.after?.catch(() => undefined);
    return before?.digest === edited.was ? { ...edited, was: before.was } : edited;
  }

  #forget(approvalId: string): void {
    clearTimeout(this.#typed.get(approvalId)?.timer);
    this.#typed.delete(approvalId);
  }

  /** What is dirty is saved first, so that nobody is asked about it. */
  async #close(approvalId: string): Promise<void> {
    const mine = (uri: EditorUri): boolean => uri.scheme === TEXT && idOf(uri) === approvalId;
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

/** What may be changed of a question, to the letter; null where nothing may. */
function textOf({ call, card: { body, edits } }: ApprovalRequest): string | null {
  if (body.kind === "plan") return body.text.map(({ text }) => text).join("");
  const text = edits === null ? undefined : call?.input?.[edits];
  return typeof text === "string" ? text : null;
}

/** How its document is called, by which the editor knows its language. */
function nameOf(request: ApprovalRequest | undefined): string {
  return request?.card.body.kind === "plan" ? "Plan.md" : "Command.sh";
}
