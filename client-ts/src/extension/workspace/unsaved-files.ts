/**
 * Tells the server what is typed and not saved, in files of the workspace, and changes it for it.
 *
 * A text is told of from its first unsaved change until it is saved or thrown away; what is saved
 * the server reads from the disk. Nothing is said of a file elsewhere.
 */

import type { Disposable, Position as EditorPosition, TextDocument, TextDocumentChangeEvent } from "vscode";
import type { ApplyWorkspaceEditParams, ApplyWorkspaceEditResult } from "vscode-languageclient/node";
import { Position, Range, Uri, workspace, WorkspaceEdit } from "../editor/vscode";

/** In letters: the change of a longer text could not be shown, so it is read from the disk. */
const MAX_TEXT_LETTERS = 4 * 1024 * 1024;

/** Says something to the server by a method of LSP. */
export type Say = (method: string, params: object) => void;

/** The texts of one life of the server. */
export class Buffers implements Disposable {
  readonly #say: Say;
  readonly #told = new Set<string>();
  readonly #registrations: readonly Disposable[];

  constructor(say: Say) {
    this.#say = say;
    this.#registrations = [
      workspace.onDidChangeTextDocument((event) => this.#changed(event)),
      workspace.onDidSaveTextDocument((document) => this.#look(document)),
      workspace.onDidCloseTextDocument((document) => this.#close(document)),
    ];
    for (const document of workspace.textDocuments) {
      this.#look(document);
    }
  }

  dispose(): void {
    for (const each of this.#registrations) {
      each.dispose();
    }
  }

  #changed({ document, contentChanges }: TextDocumentChangeEvent): void {
    const uri = document.uri.toString();
    if (!this.#told.has(uri) || !isToTell(document)) {
      this.#look(document);
    } else if (contentChanges.length > 0) {
      const { version } = document;
      const changes = contentChanges.map(({ range, text }) => ({
        range: { start: placeOf(range.start), end: placeOf(range.end) },
        text,
      }));
      this.#say("textDocument/didChange", { textDocument: { uri, version }, contentChanges: changes });
    }
  }

  /** Begin to tell of a text, or cease. */
  #look(document: TextDocument): void {
    const uri = document.uri.toString();
    if (!isToTell(document)) {
      this.#close(document);
    } else if (!this.#told.has(uri)) {
      this.#told.add(uri);
      const { languageId, version } = document;
      const text = document.getText();
      this.#say("textDocument/didOpen", { textDocument: { uri, languageId, version, text } });
    }
  }

  #close(document: TextDocument): void {
    const uri = document.uri.toString();
    if (this.#told.delete(uri)) {
      this.#say("textDocument/didClose", { textDocument: { uri } });
    }
  }
}

/** Change texts as the server asks, if each is still what it was when that was judged. */
export async function applyEdit({ edit }: ApplyWorkspaceEditParams): Promise<ApplyWorkspaceEditResult> {
  const made = new WorkspaceEdit();
  // From looking at the versions to handing over the change nothing else has its turn.
  for (const change of edit.documentChanges ?? []) {
    if (!("textDocument" in change) || !isStill(change.textDocument)) {
      return { applied: false };
    }
    const uri = Uri.parse(change.textDocument.uri);
    for (const each of change.edits) {
      if (!("newText" in each)) {
        return { applied: false };
      }
      const { start, end } = each.range;
      made.replace(uri, new Range(positionOf(start), positionOf(end)), each.newText);
    }
  }
  return { applied: made.size > 0 && (await workspace.applyEdit(made)) };
}

/** Whether an unsaved text is there that is of this version. */
function isStill({ uri, version }: { readonly uri: string; readonly version: number | null }): boolean {
  const document = workspace.textDocuments.find((it) => it.uri.toString() === uri);
  return document !== undefined && document.isDirty && document.version === version;
}

function isToTell(document: TextDocument): boolean {
  return (
    document.isDirty &&
    !document.isClosed &&
    document.uri.scheme === "file" &&
    workspace.getWorkspaceFolder(document.uri) !== undefined &&
    document.getText().length <= MAX_TEXT_LETTERS
  );
}

/** A place in a text, from 0; a column counts units of UTF-16 on both sides. */
interface Place {
  readonly line: number;
  readonly character: number;
}

function placeOf({ line, character }: Place): Place {
  return { line, character };
}

function positionOf({ line, character }: Place): EditorPosition {
  return new Position(line, character);
}
