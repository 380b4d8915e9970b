import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runningCommands } from "../../../src/extension/shells/running-commands";
import { ShellsTree } from "../../../src/extension/shells/shells-list";
import { NOTHING_KNOWN, waitingOf, type RunningShell } from "../../../src/extension/waiting/waiting";
import type { Chat, ShellInfo } from "../../../src/shared/protocol";
import { EMPTY } from "../../../src/shared/replica";
import { span } from "../made";

const SHELL: ShellInfo = {
  shellId: "1",
  command: [span("npm run dev"), span("\u202e", "hidden", "U+202E")],
  state: "running",
  code: null,
  inBackground: true,
  at: 2,
  part: "",
} as never;

function chat(shells: readonly ShellInfo[], change: object = {}): Chat {
  return { chatId: "c1", agentName: "Eliza", title: "The till", mode: "default", running: true, shells, items: [], ...change } as never;
}

function running(...chats: readonly Chat[]): readonly RunningShell[] {
  return waitingOf({ ...EMPTY, chats }).shells;
}

describe("the list of shells", () => {
  test("has what runs, of every chat, in the order in which it began", () => {
    const shells = running(
      chat([SHELL, { ...SHELL, shellId: "2", state: "exited", code: 0 }]),
      chat([{ ...SHELL, shellId: "3", at: 1 }], { chatId: "c2" }),
    );
    assert.deepEqual(
      shells.map(({ chatId, shell }) => [chatId, shell.shellId]),
      [
        ["c2", "3"],
        ["c1", "1"],
      ],
    );
  });

  test("stays the same value while nothing about it changes", () => {
    const before = waitingOf({ ...EMPTY, chats: [chat([SHELL])] });
    const after = waitingOf({ ...EMPTY, chats: [chat([SHELL], { running: false })] }, before);
    assert.notEqual(after, before);
    assert.equal(after.shells, before.shells);
  });

  test("says whose each is, and draws no character that hides itself", () => {
    const tree = new ShellsTree();
    tree.show({ ...NOTHING_KNOWN, shells: running(chat([SHELL])) });
    const [row] = tree.getChildren();
    assert.ok(row !== undefined);
    const item = tree.getTreeItem(row) as unknown as Record<string, unknown>;
    assert.equal(item["description"], "Eliza · The till · in the background");
    assert.doesNotMatch(String(item["label"]), /\u202e/u);
    assert.equal(item["contextValue"], "assentShell");
    assert.deepEqual(tree.getChildren(row), []);
  });

  test("ends the shell of its row, and shows what that printed", async () => {
    const done: unknown[] = [];
    const commands = runningCommands({
      server: { request: (...asked) => Promise.resolve(done.push(asked)) },
      outputs: { show: (ref) => Promise.resolve(void done.push(ref)) },
      follower: { chats: [] },
    });
    const [row] = running(chat([SHELL]));
    await commands["shells.kill"]?.(row);
    await commands["shells.output"]?.(row);
    const ref = { chatId: "c1", shellId: "1" };
    assert.deepEqual(done, [["shell/kill", ref], ref]);
    await commands["shells.kill"]?.();
    assert.equal(done.length, 2, "nothing is ended that nobody named");
  });
});
