/**
 * The editor's own diff of a proposed edit: read-only on both sides.
 *
 * A diff remembers the revision and the digest that it was opened with, so that its two buttons
 * answer what is on the screen and nothing newer.
 */

import type { Disposable, TextDocumentContentProvider, Uri as EditorUri } from "vscode";
import type { ApprovalRequest, OpenDiff, OpenDiffs } from "../../shared/protocol";
import { commands, TabInputTextDiff, Uri, window, workspace } from "../editor/vscode";

export const SCHEME = "assent-proposed";

interface Shown {
  readonly old: string;
  readonly new: string;
  readonly ticket: ApprovalRequest | null;
  readonly at: number;
}

/** A diff's ticket, as it was when the diff was opened. */
export interface ShownTicket {
  readonly ticket: ApprovalRequest;
  readonly shownMs: number;
}

export class Diffs implements TextDocumentContentProvider, Disposable {
  readonly #ticketOf: (approvalId: string) => ApprovalRequest | undefined;
  readonly #registrations: readonly Disposable[];
  readonly #shown = new Map<string, Shown>();
  #opened = 0;

  constructor(ticketOf: (approvalId: string) => ApprovalRequest | undefined) {
    this.#ticketOf = ticketOf;
    this.#registrations = [
      workspace.registerTextDocumentContentProvider(SCHEME, this),
      workspace.onDidCloseTextDocument((document) => {
        if (document.uri.scheme === SCHEME && sideOf(document.uri) === "new") {
          this.#shown.delete(keyOf(document.uri));
        }
      }),
    ];
  }

  /** Show the two texts side by side. */
  async open(wanted: OpenDiff): Promise<void> {
    const { left, right } = this.#sides(wanted);
    await commands.executeCommand("vscode.diff", left, right, wanted.title, { preview: true });
  }

  /** Show several files in one tab, each with its two texts; each in its own, where the editor has no such tab. */
  async openAll({ title, files }: OpenDiffs): Promise<void> {
    const rows = files.map((file) => ({ file, ...this.#sides(file) }));
    try {
      await commands.executeCommand(
        "vscode.changes",
        title,
        rows.map(({ file, left, right }) => [Uri.parse(file.uri), left, right] as const),
      );
    } catch {
      for (const { file, left, right } of rows) {
        await commands.executeCommand("vscode.diff", left, right, file.title, { preview: false });
      }
    }
  }

  #sides(wanted: OpenDiff): { readonly left: EditorUri; readonly right: EditorUri } {
    this.#opened += 1;
    const key = String(this.#opened);
    const { approvalId } = wanted;
    this.#shown.set(key, {
      old: wanted.old,
      new: wanted.new,
      ticket: approvalId === null ? null : (this.#ticketOf(approvalId) ?? null),
      at: Date.now(),
    });
    // The path is the file's, so that the editor knows the language.
    const { path } = Uri.parse(wanted.uri);
    const side = (which: "old" | "new"): EditorUri => Uri.from({ scheme: SCHEME, path, query: `${key}-${which}` });
    return { left: side("old"), right: side("new") };
  }

  provideTextDocumentContent(uri: EditorUri): string {
    const shown = this.#shown.get(keyOf(uri));
    return shown?.[sideOf(uri)] ?? "";
  }

  /** What the buttons of this diff answer; null where there is nothing to answer. */
  ticketAt(uri: EditorUri | undefined): ShownTicket | null {
    const shown = uri === undefined ? undefined : this.#shown.get(keyOf(uri));
    return shown?.ticket ? { ticket: shown.ticket, shownMs: Date.now() - shown.at } : null;
  }

  /** Close the diffs of a ticket that was answered from one of them. */
  async close(approvalId: string): Promise<void> {
    const done = window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(({ input }) => {
        const uri = input instanceof TabInputTextDiff ? input.modified : undefined;
        return uri?.scheme === SCHEME && this.ticketAt(uri)?.ticket.approvalId === approvalId;
      });
    await window.tabGroups.close(done);
  }

  dispose(): void {
    for (const registration of this.#registrations) {
      registration.dispose();
    }
  }
}

function keyOf(uri: EditorUri): string {
  return uri.query.split("-")[0] ?? "";
}

function sideOf(uri: EditorUri): "old" | "new" {
  return uri.query.endsWith("-old") ? "old" : "new";
}
