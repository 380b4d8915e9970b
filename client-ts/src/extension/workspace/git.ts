/** What the editor's own git says of the workspace: which files have changed, and what stood there before. */

import type { Uri } from "vscode";
import type { ChangedText, GitChange, GitChanges } from "../../shared/protocol";
import { extensions, workspace } from "../editor/vscode";

const MAX_FILES = 100;
/** The texts of all files together. */
const MAX_LETTERS = 200_000;
/** The server gives up a little later. */
const MAX_WAIT_MS = 3_000;

interface Status {
  readonly uri: Uri;
  readonly status: number;
}

interface Repository {
  readonly rootUri: Uri;
  readonly state: {
    readonly HEAD: { readonly name?: string; readonly commit?: string } | undefined;
    readonly mergeChanges?: readonly Status[];
    readonly indexChanges: readonly Status[];
    readonly workingTreeChanges: readonly Status[];
    readonly untrackedChanges?: readonly Status[];
  };
  /** What stood in a file: the path names it to the letter, while git reads one behind `--` as a pattern. */
  show(commit: string, path: string): Promise<string>;
}

/** What of the editor's own git this needs, by its first version. */
interface Git {
  getAPI(version: 1): { readonly repositories: readonly Repository[] };
}

interface Change {
  readonly uri: Uri;
  readonly how: GitChange["how"];
  /** Whether the last commit has no file of that name. */
  readonly isNew: boolean;
}

/** Added to the index, renamed, copied, untracked, to be added, to be renamed. */
const NEW: ReadonlySet<number> = new Set([1, 3, 4, 7, 9, 10]);

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

/** The repositories in the workspace, and then those in which it lies; none where they are not known yet. */
export function repositories(): readonly Repository[] {
  const git = extensions.getExtension<Git>("vscode.git");
  if (git?.isActive !== true) return [];
  try {
    const { repositories: all } = git.exports.getAPI(1);
    return [...all.filter(({ rootUri }) => isWithin(rootUri)), ...all.filter(({ rootUri }) => isAround(rootUri))];
  } catch {
    // It is switched off.
    return [];
  }
}

function isWithin(uri: Uri): boolean {
  return workspace.getWorkspaceFolder(uri) !== undefined;
}

function isAround(root: Uri): boolean {
  return !isWithin(root) && (workspace.workspaceFolders ?? []).some(({ uri }) => uri.path.startsWith(`${root.path}/`));
}

/** The files of the workspace that have changed since the last commit, each once. */
export function changed({ state }: Repository): Change[] {
  const lists = [state.mergeChanges, state.indexChanges, state.workingTreeChanges, state.untrackedChanges];
  const byAddress = new Map<string, Change>();
  for (const { uri, status } of lists.flatMap((list) => list ?? []).filter(({ uri }) => isWithin(uri))) {
    // What was added may have been changed since: then it comes twice.
    const before = byAddress.get(uri.toString());
    if (before?.isNew !== true) byAddress.set(uri.toString(), { uri, how: HOW[status] ?? "changed", isNew: NEW.has(status) });
  }
  return [...byAddress.values()];
}

/** The changed files with what stood there at the last commit, as much as has room. */
export async function changes(): Promise<GitChanges> {
  const here = repositories();
  const all = here.flatMap((repository) => changed(repository).map((change) => ({ repository, ...change })));
  const files: ChangedText[] = [];
  const until = Date.now() + MAX_WAIT_MS;
  let room = MAX_LETTERS;
  for (const { repository, uri, how, ...change } of all.slice(0, MAX_FILES)) {
    const isNew = change.isNew || repository.state.HEAD?.commit === undefined;
    const old = isNew || room <= 0 || Date.now() > until ? null : await textOf(repository, uri);
    const isLeftOut = !isNew && (old === null || old.length > room);
    room -= old?.length ?? 0;
    files.push({ uri: uri.toString(), how, old: isLeftOut ? null : old, isLeftOut });
  }
  return { hasGit: here.length > 0, files, isWhole: all.length <= MAX_FILES };
}

/** What stood there at the last commit; null where that cannot be read. */
async function textOf(repository: Repository, uri: Uri): Promise<string | null> {
  try {
    return await repository.show("HEAD", uri.fsPath);
  } catch {
    return null;
  }
}
