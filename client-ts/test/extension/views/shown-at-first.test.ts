import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import type { Memento } from "vscode";
import { showAtFirst } from "../../../src/extension/views/shown-at-first";
import { fake } from "../editor";

describe("the view after Assent was installed", () => {
  beforeEach(() => fake.reset());

  test("is shown once, and leaves the keyboard where it is", async () => {
    const kept: Record<string, unknown> = {};
    const memory = {
      get: (key: string) => kept[key],
      update: (key: string, value: unknown) => {
        kept[key] = value;
        return Promise.resolve();
      },
    } as unknown as Memento;
    await showAtFirst(memory);
    await showAtFirst(memory);
    assert.deepEqual(fake.executed, [{ command: "assent.chat.focus", args: [{ preserveFocus: true }] }]);
  });
});
