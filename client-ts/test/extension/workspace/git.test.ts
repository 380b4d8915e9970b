import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { changes, repositories } from "../../../src/extension/workspace/git";
import { extensions, fake, Uri, workspace } from "../editor";

type Change = readonly [status: number, path: string];

interface Texts {
  readonly index?: readonly Change[];
  readonly worktree?: readonly Change[];
  readonly merge?: readonly Change[];
  readonly old?: (path: string) => string;
  readonly root?: string;
  readonly commit?: string | undefined;
}

function repository({ index = [], worktree = [], merge = [], old = () => "one", root = "/ws", ...head }: Texts): void {
  const statuses = (list: readonly Change[]): unknown => list.map(([status, path]) => ({ status, uri: Uri.file(path) }));
  const state = {
    HEAD: { name: "main", commit: "commit" in head ? head.commit : "abc" },
    indexChanges: statuses(index),
    workingTreeChanges: statuses(worktree),
    mergeChanges: statuses(merge),
  };
  const show = (commit: string, path: string): Promise<string> =>
    new Promise((resolve) => {
      assert.equal(commit, "HEAD");
      resolve(old(path));
    });
  const git = { repositories: [{ rootUri: Uri.file(root), state, show }] };
  extensions.getExtension = () => ({ isActive: true, exports: { getAPI: () => git } });
}

const told = (path: string, how: string, old: string | null, isLeftOut = false): unknown => ({
  uri: Uri.file(path).toString(),
  how,
  old,
  isLeftOut,
});

beforeEach(() => {
  fake.reset();
  extensions.getExtension = () => undefined;
  workspace.workspaceFolders = [{ uri: Uri.file("/ws/sub") }];
});

describe("what git finds changed", () => {
  test("is nothing where the editor has no git, and that is said", async () => {
    assert.deepEqual(await changes(), { hasGit: false, files: [], isWhole: true });
  });

  test("is told once for each file, staged or not, with what stood there before", async () => {
    repository({
      index: [
        [0, "/ws/sub/a.ts"],
        [0, "/ws/sub/staged.ts"],
      ],
      worktree: [
        [5, "/ws/sub/a.ts"],
        [7, "/ws/sub/new.ts"],
      ],
      merge: [[16, "/ws/sub/both.ts"]],
      old: (path) => `old ${path}`,
    });
    assert.deepEqual(await changes(), {
      hasGit: true,
      files: [
        told("/ws/sub/both.ts", "changed", "old /ws/sub/both.ts"),
        told("/ws/sub/a.ts", "modified", "old /ws/sub/a.ts"),
        told("/ws/sub/staged.ts", "modified", "old /ws/sub/staged.ts"),
        told("/ws/sub/new.ts", "untracked", null),
      ],
      isWhole: true,
    });
  });

  test("of a file that cannot be read, or has no room, is its name alone", async () => {
    repository({
      worktree: [
        [5, "/ws/sub/a.ts"],
        [5, "/ws/sub/gone.ts"],
        [5, "/ws/sub/b.ts"],
      ],
      old: (path) => {
        if (path.endsWith("gone.ts")) throw new Error("no such file");
        return "x".repeat(150_000);
      },
    });
    const { files = [] } = await changes();
    assert.deepEqual(
      files.map(({ isLeftOut }) => isLeftOut),
      [false, true, true],
    );
  });

  test("of a file that was added and then changed, or renamed, is that it is new", async () => {
    repository({
      index: [
        [1, "/ws/sub/a.ts"],
        [3, "/ws/sub/b.ts"],
      ],
      worktree: [[5, "/ws/sub/a.ts"]],
      old: () => assert.fail("git is asked for nothing that it does not have"),
    });
    assert.deepEqual((await changes()).files, [told("/ws/sub/a.ts", "added", null), told("/ws/sub/b.ts", "changed", null)]);
  });

  test("of files outside the workspace is not told", async () => {
    repository({
      worktree: [
        [5, "/ws/other/a.ts"],
        [5, "/ws/sub/a.ts"],
      ],
    });
    assert.deepEqual((await changes()).files, [told("/ws/sub/a.ts", "modified", "one")]);
  });

  test("is all new before the first commit", async () => {
    repository({ index: [[0, "/ws/sub/a.ts"]], commit: undefined });
    assert.deepEqual((await changes()).files, [told("/ws/sub/a.ts", "modified", null)]);
  });

  test("is not that of a repository elsewhere", () => {
    repository({ root: "/other" });
    assert.equal(repositories().length, 0);
    repository({ root: "/ws/su" });
    assert.equal(repositories().length, 0);
    repository({ root: "/ws" });
    assert.equal(repositories().length, 1);
  });
});
