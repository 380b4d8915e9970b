/**
 * What the person sees: what is open, in front, selected, not saved, and what git says.
 *
 * The server asks for it when a prompt begins, and decides what of it a model is told. Files that
 * lie on no disk are left out.
 */

import type { Uri } from "vscode";
import type { GitChange, GitState, InFront, Sight } from "../../shared/protocol";
import { beginningOf } from "../editor/inert-text";
import { extensions, TabInputText, window, workspace } from "../editor/vscode";

const MAX_FILES = 100;
const MAX_SELECTION_LETTERS = 20_000;

interface Change {
  readonly uri: Uri;
  readonly status: number;
}

interface State {
  readonly HEAD: { readonly name?: string } | undefined;
  readonly indexChanges: readonly Change[];
  readonly workingTreeChanges: readonly Change[];
  readonly untrackedChanges?: readonly Change[];
}

/** What of the editor's own git this needs, by its first version. */
interface Git {
  getAPI(version: 1): { readonly repositories: readonly { readonly rootUri: Uri; readonly state: State }[] };
}

/** The statuses of the editor's git that say more than that something changed. */
const HOW: Readonly<Record<number, GitChange["how"]>> = {
  0: "modified",
  1: "added",
  2: "deleted",
  5: "modified",
  6: "deleted",
  7: "untracked",
  9: "added",
};

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

/** What git says of the first repository in the workspace; null where it is not known yet. */
function gitState(): GitState | null {
  const git = extensions.getExtension<Git>("vscode.git");
  if (git?.isActive !== true) {
    return null;
  }
  try {
    const { repositories } = git.exports.getAPI(1);
    const found = repositories.find(({ rootUri }) => workspace.getWorkspaceFolder(rootUri) !== undefined);
    return found === undefined ? null : { branch: found.state.HEAD?.name ?? "", changes: changesOf(found.state) };
  } catch {
    // It is switched off.
    return null;
  }
}

function changesOf({ indexChanges, workingTreeChanges, untrackedChanges }: State): GitChange[] {
  const all = [...indexChanges, ...workingTreeChanges, ...(untrackedChanges ?? [])];
  const byAddress = new Map(all.map(({ uri, status }) => [uri.toString(), HOW[status] ?? "changed"]));
  return [...byAddress].slice(0, MAX_FILES).map(([uri, how]) => ({ uri, how }));
}
