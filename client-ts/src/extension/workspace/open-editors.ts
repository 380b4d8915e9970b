/**
 * What the person sees: what is open, in front, selected, not saved, and what git says.
 *
 * The server asks for it when a prompt begins, and decides what of it a model is told. Files that
 * lie on no disk are left out.
 */

import type { Uri } from "vscode";
import type { GitState, InFront, Sight } from "../../shared/protocol";
import { beginningOf } from "../editor/inert-text";
import { TabInputText, window, workspace } from "../editor/vscode";
import { changed, repositories } from "./git";

const MAX_FILES = 100;
const MAX_SELECTION_LETTERS = 20_000;

/** What the person sees at this moment. */
export function seen(): Sight {
  const inputs = window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  const open = inputs.flatMap((input) => (input instanceof TabInputText ? [input.uri] : []));
  const unsaved = workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri);
  return { front: inFront(), open: addresses(open), unsaved: addresses(unsaved), git: gitState() };
}

function inFront(): InFront | null {
  const editor = window.activeTextEditor;
  if (editor?.document.uri.scheme !== "file") {
    return null;
  }
  const { document, selection } = editor;
  return {
    uri: document.uri.toString(),
    line: selection.start.line + 1,
    lastLine: selection.end.line + 1,
    selected: beginningOf(document.getText(selection), MAX_SELECTION_LETTERS),
  };
}

function addresses(uris: readonly Uri[]): string[] {
  const found = uris.filter(({ scheme }) => scheme === "file").map((uri) => uri.toString());
  return [...new Set(found)].slice(0, MAX_FILES);
}

/** What git says; null where that is not known yet. */
function gitState(): GitState | null {
  const found = repositories()[0];
  if (found === undefined) return null;
  const changes = changed(found).slice(0, MAX_FILES);
  return { branch: found.state.HEAD?.name ?? "", changes: changes.map(({ uri, how }) => ({ uri: uri.toString(), how })) };
}
