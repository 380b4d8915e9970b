import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { Diffs } from "../../../src/extension/cards/diffs";
import { fake } from "../editor";

const FILES = ["one.py", "two.py"].map((name) => ({
  title: `${name} (as the agent changed it)`,
  uri: `file:///till/${name}`,
  old: "a\n",
  new: `${name}\n`,
  approvalId: null,
}));

/** What was opened: the command, and what each side of the files says. */
function opened(diffs: Diffs): readonly unknown[] {
  const text = (uri: unknown): string => diffs.provideTextDocumentContent(uri as never);
  return fake.executed.map(({ command, args }) =>
    command === "vscode.changes"
      ? [command, args[0], (args[1] as unknown[][]).map(([, left, right]) => [text(left), text(right)])]
      : [command, args[2], text(args[0]), text(args[1]), args[3]],
  );
}

describe("all changed files", () => {
  beforeEach(() => fake.reset());

  test("are shown in one tab", async () => {
    const diffs = new Diffs(() => undefined);
    await diffs.openAll({ title: "Changes in “Both”", files: FILES });
    assert.deepEqual(opened(diffs), [
      [
        "vscode.changes",
        "Changes in “Both”",
        [
          ["a\n", "one.py\n"],
          ["a\n", "two.py\n"],
        ],
      ],
    ]);
  });

  test("are shown in a tab each where the editor has none for several", async () => {
    const diffs = new Diffs(() => undefined);
    fake.commandFails.add("vscode.changes");
    await diffs.openAll({ title: "Changes in “Both”", files: FILES });
    assert.deepEqual(opened(diffs).slice(1), [
      ["vscode.diff", "one.py (as the agent changed it)", "a\n", "one.py\n", { preview: false }],
      ["vscode.diff", "two.py (as the agent changed it)", "a\n", "two.py\n", { preview: false }],
    ]);
  });
});
