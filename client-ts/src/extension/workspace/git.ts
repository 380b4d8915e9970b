/** What the editor's own git says of the workspace: which files have changed, and how. */

import type { Uri } from "vscode";
import type { FileDifference, GitChange, GitDifferences } from "../../shared/protocol";
import { beginningOf } from "../editor/inert-text";
import { extensions, workspace } from "../editor/vscode";

const MAX_FILES = 100;
const MAX_LETTERS = 30_000;

interface Status {
  readonly uri: Uri;
  readonly status: number;
}

interface Repository {
  readonly rootUri: Uri;
  readonly state: {
    readonly HEAD: { readonly name?: string } | undefined;
    readonly indexChanges: readonly Status[];
    readonly workingTreeChanges: readonly Status[];
    readonly untrackedChanges?: readonly Status[];
  };
  diffWithHEAD(path: string): Promise<string>;
}

/** What of the editor's own git this needs, by its first version. */
interface Git {
  getAPI(version: 1): { readonly repositories: readonly Repository[] };
}

interface Change {
  readonly uri: Uri;
  readonly how: GitChange["how"];
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

/** The first repository in the workspace; null where it is not known yet. */
export function repository(): Repository | null {
  const git = extensions.getExtension<Git>("vscode.git");
  if (git?.isActive !== true) return null;
  try {
    const { repositories } = git.exports.getAPI(1);
    return repositories.find(({ rootUri }) => workspace.getWorkspaceFolder(rootUri) !== undefined) ?? null;
  } catch {
    // It is switched off.
    return null;
  }
}

/** The files that have changed since the last commit, each once. */
export function changed({ state }: Repository): Change[] {
  const all = [...state.indexChanges, ...state.workingTreeChanges, ...(state.untrackedChanges ?? [])];
  const byAddress = new Map(all.map(({ uri, status }) => [uri.toString(), { uri, how: HOW[status] ?? "changed" }]));
  return [...byAddress.values()];
}

/** How these files differ from the last commit, as much as has room. */
export async function differences(): Promise<GitDifferences> {
  const found = repository();
  const all = found === null ? [] : changed(found);
  const files: FileDifference[] = [];
  let room = MAX_LETTERS;
  let isWhole = all.length <= MAX_FILES;
  for (const { uri, how } of all.slice(0, MAX_FILES)) {
    const text = found === null || how === "untracked" || room === 0 ? "" : await found.diffWithHEAD(uri.fsPath);
    const difference = beginningOf(text, room);
    isWhole &&= difference.length === text.length && room > 0;
    room -= difference.length;
    files.push({ uri: uri.toString(), how, difference });
  }
  return { files, isWhole };
}
