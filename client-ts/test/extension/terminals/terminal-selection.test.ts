import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { terminalSelection } from "../../../src/extension/terminals/terminal-selection";
import { fake } from "../editor";

beforeEach(() => {
  fake.reset();
  fake.clipboard = "what was there";
});

describe("what is selected in the terminal", () => {
  test("is taken by way of the clipboard, which is as before", async () => {
    fake.selected = "npm test\r\n1 failed\r\n\r\n";
    assert.equal(await terminalSelection(), "From the terminal:\n```\nnpm test\n1 failed\n```\n");
    assert.equal(fake.clipboard, "what was there");
    assert.deepEqual(
      fake.executed.map(({ command }) => command),
      ["workbench.action.terminal.copySelection"],
    );
    assert.deepEqual(fake.messages, []);
  });

  test("is nothing where nothing is, whatever the clipboard holds, and that is said", async () => {
    for (const selected of [null, "", " \n"]) {
      fake.selected = selected;
      assert.equal(await terminalSelection(), null);
      assert.equal(fake.clipboard, "what was there");
    }
    assert.equal(fake.messages.length, 3);
    assert.match(fake.messages[0]?.text ?? "", /^Nothing is selected in the terminal\./u);
  });

  test("is what was copied before, too, where that is selected", async () => {
    fake.selected = "what was there";
    assert.match((await terminalSelection()) ?? "", /what was there/u);
  });

  test("leaves the clipboard as it was where it cannot be copied", async () => {
    fake.commandFails.add("workbench.action.terminal.copySelection");
    await assert.rejects(terminalSelection());
    assert.equal(fake.clipboard, "what was there");
  });

  test("is cut at its beginning where it is long", async () => {
    fake.selected = `first ${"x".repeat(30_000)} last`;
    const long = (await terminalSelection()) ?? "";
    assert.ok(long.length < 20_100);
    assert.ok(long.includes("\n…x"));
    assert.ok(long.includes(" last\n"));
  });
});
