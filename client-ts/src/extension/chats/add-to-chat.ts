/**
 * What a person chooses in the editor or the explorer, for the words that are being written.
 *
 * Files and folders are named in the message, as with an `@`: they are read when it is sent. What is
 * selected stands in it to the letter. The person sends it, or not.
 */

import type { Uri as EditorUri } from "vscode";
import { t } from "../../shared/l10n";
import type { Offered } from "../../shared/protocol";
import type { ChatView } from "../views/chat-view";
import { FileType, Uri, window, workspace } from "../editor/vscode";

const NOTHING = t("Only a file or a folder on this disk can be added. Save it first, and try again.");
/** In letters: of more than that the beginning is taken. */
const MAX_SELECTION_LETTERS = 20_000;

/** Add what was chosen in a menu, else what is selected, else the file that is open. */
export async function addToChat(view: Pick<ChatView, "reveal" | "wish">, clicked?: unknown, chosen?: unknown): Promise<void> {
  const words = Array.isArray(chosen) ? null : selection();
  const found = words === null ? await offered(urisOf(clicked, chosen)) : [];
  if (words === null && found.length === 0) {
    void window.showInformationMessage(NOTHING);
    return;
  }
  if (await view.reveal()) {
    view.wish(words === null ? { kind: "addReferences", found } : { kind: "addWords", text: words });
  }
}

/** A text in a fence that it cannot end, with what it is. */
export function quoted(what: string, text: string): string {
  const plain = text.replaceAll("\r\n", "\n").replace(/\s+$/u, "");
  const longest = Math.max(2, ...Array.from(plain.matchAll(/`+/gu), ([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${what}\n${fence}\n${plain}\n${fence}\n`;
}

/** What is selected in the editor, with where it stands; null where nothing is. */
function selection(): string | null {
  const editor = window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty) {
    return null;
  }
  const { document, selection } = editor;
  const text = document.getText(selection);
  const [first, last] = [selection.start.line + 1, selection.end.line + (selection.end.character === 0 ? 0 : 1)];
  const where = last > first ? `lines ${first} to ${last}` : `line ${first}`;
  const kept = text.length > MAX_SELECTION_LETTERS ? `${text.slice(0, MAX_SELECTION_LETTERS)}…` : text;
  return text.trim() === "" ? null : quoted(`From \`${nameOf(document.uri)}\`, ${where}:`, kept);
}

/** Its path as one line, in which no letter is unseen or ends a span of code. */
function nameOf(uri: EditorUri): string {
  return workspace
    .asRelativePath(uri)
    .replace(/[\p{C}\p{Zl}\p{Zp}`]/gu, (letter) => `<U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`);
}

function urisOf(clicked: unknown, chosen: unknown): readonly EditorUri[] {
  // On the empty part of the explorer its folder is clicked, and nothing is chosen.
  const several: readonly unknown[] = Array.isArray(chosen) ? chosen : [];
  const given = several.length > 0 ? several : [clicked ?? window.activeTextEditor?.document.uri];
  return given.filter((one): one is EditorUri => one instanceof Uri && one.scheme === "file");
}

/** Those that are there, as what a message names. */
async function offered(uris: readonly EditorUri[]): Promise<readonly Offered[]> {
  const found = await Promise.all(uris.map((uri) => one(uri)));
  return found.filter((each) => each !== null);
}

async function one(uri: EditorUri): Promise<Offered | null> {
  try {
    const { type } = await workspace.fs.stat(uri);
    const kind = (type & FileType.Directory) === 0 ? "file" : "folder";
    return { reference: { kind, path: uri.fsPath }, name: nameOf(uri), says: "" };
  } catch {
    return null;
  }
}
