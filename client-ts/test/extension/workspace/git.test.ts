import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { differences } from "../../../src/extension/workspace/git";
import { extensions, fake, Uri, workspace } from "../editor";

type Change = readonly [status: number, path: string];

function repository(changes: readonly Change[], text: string): void {
  const statuses = changes.map(([status, path]) => ({ status, uri: Uri.file(path) }));
  const state = { HEAD: { name: "main" }, indexChanges: [], workingTreeChanges: statuses };
  const git = {
    repositories: [{ rootUri: Uri.file("/ws/repository"), state, diffWithHEAD: (path: string) => Promise.resolve(`${path}\n${text}`) }],
  };
  extensions.getExtension = () => ({ isActive: true, exports: { getAPI: () => git } });
}

beforeEach(() => {
  fake.reset();
  extensions.getExtension = () => undefined;
  workspace.workspaceFolders = [{ uri: Uri.file("/ws") }];
});

describe("what git finds changed", () => {
  test("is nothing where the editor has no git", async () => {
    assert.deepEqual(await differences(), { files: [], isWhole: true });
  });

  test("is told once for each file, and by name alone where git does not know it yet", async () => {
    repository(
      [
        [0, "/ws/a.ts"],
        [5, "/ws/a.ts"],
        [7, "/ws/new.ts"],
      ],
      "+two",
    );
    assert.deepEqual(await differences(), {
      files: [
        { uri: Uri.file("/ws/a.ts").toString(), how: "modified", difference: "/ws/a.ts\n+two" },
        { uri: Uri.file("/ws/new.ts").toString(), how: "untracked", difference: "" },
      ],
      isWhole: true,
    });
  });

  test("is cut where it has no room, and says so", async () => {
    repository(
      ["a", "b", "c"].map((name): Change => [5, `/ws/${name}`]),
      "x".repeat(20_000),
    );
    const { files = [], isWhole } = await differences();
    assert.equal(isWhole, false);
    assert.equal(files.length, 3);
    assert.equal(files.map(({ difference }) => difference).join("").length, 30_000);
  });
});
