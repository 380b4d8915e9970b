import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import type { Memento } from "vscode";
import { showAtFirst } from "../../../src/extension/views/shown-at-first";
import { fake, Uri, workspace } from "../editor";

const SHOWN = [{ command: "assent.chat.focus", args: [{ preserveFocus: true }] }];
let memory: Memento;

describe("the view after Assent was installed", () => {
  beforeEach(() => {
    fake.reset();
    Object.assign(workspace, { workspaceFolders: [{ uri: Uri.file("/till") }] });
    const kept: Record<string, unknown> = {};
    memory = {
      get: (key: string) => kept[key],
      update: (key: string, value: unknown) => {
        kept[key] = value;
        return Promise.resolve();
      },
    } as unknown as Memento;
  });

  test("is shown once, and leaves the keyboard where it is", async () => {
    await showAtFirst(memory);
    await showAtFirst(memory);
    assert.deepEqual(fake.executed, SHOWN);
  });

  test("is not shown before a folder is open", async () => {
    const folders = workspace.workspaceFolders;
    Object.assign(workspace, { workspaceFolders: undefined });
    await showAtFirst(memory);
    assert.deepEqual(fake.executed, []);
    Object.assign(workspace, { workspaceFolders: folders });
    await showAtFirst(memory);
    assert.deepEqual(fake.executed, SHOWN);
  });

  test("is tried again in the next window where the editor could not show it", async () => {
    fake.commandFails.add("assent.chat.focus");
    await assert.rejects(showAtFirst(memory));
    fake.commandFails.clear();
    await showAtFirst(memory);
    assert.deepEqual(fake.executed.slice(-1), SHOWN);
  });
});
