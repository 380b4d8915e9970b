import assert from "node:assert/strict";
import { homedir } from "node:os";
import { describe, test } from "node:test";
import { runInTerminal } from "../../../src/extension/terminals/run-in-terminal";
import { closeTerminal, openTerminals, type FakeTerminal } from "../faketerminals";

const WANTED = { title: "Log in to One", program: "/bin/one", args: ["--login", "a b; c"], env: { A: "b" } };

/** The terminal that was opened last. */
function newest(): FakeTerminal {
  const found = openTerminals().at(-1);
  if (found === undefined) throw new Error("No terminal is open.");
  return found;
}

describe("a program in a terminal", () => {
  test("is started by its path and its words, without a shell, where the person sees it", async () => {
    const done = runInTerminal(WANTED);
    const terminal = newest();
    assert.equal(terminal.isShown, true);
    assert.deepEqual(terminal.options, {
      name: "Log in to One",
      shellPath: "/bin/one",
      shellArgs: ["--login", "a b; c"],
      cwd: homedir(),
      env: { A: "b" },
      isTransient: true,
    });
    closeTerminal(terminal, 0);
    assert.deepEqual(await done, { code: 0 });
  });

  test("has ended when its own terminal is closed, with its code where there is one", async () => {
    const one = runInTerminal(WANTED);
    const first = newest();
    const other = runInTerminal(WANTED);
    closeTerminal(newest(), undefined);
    assert.deepEqual(await other, { code: null });
    closeTerminal(first, 3);
    assert.deepEqual(await one, { code: 3 });
  });
});
