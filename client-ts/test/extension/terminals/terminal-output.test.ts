import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { plainly, TerminalWatch } from "../../../src/extension/terminals/terminal-output";
import { window } from "../editor";
import { settle } from "../made";

type Listener = (event: unknown) => void;

const fakeWindow = window as unknown as Record<string, unknown>;
const NAMES = ["onDidStartTerminalShellExecution", "onDidEndTerminalShellExecution", "activeTerminal"];

/** A terminal in which commands begin and end, as the editor tells of them. */
class FakeShell {
  #starts: Listener = () => undefined;
  #ends: Listener = () => undefined;
  readonly terminal = {};

  constructor() {
    fakeWindow["onDidStartTerminalShellExecution"] = (listener: Listener) => {
      this.#starts = listener;
      return { dispose: () => undefined };
    };
    fakeWindow["onDidEndTerminalShellExecution"] = (listener: Listener) => {
      this.#ends = listener;
      return { dispose: () => undefined };
    };
    fakeWindow["activeTerminal"] = this.terminal;
  }

  async run(command: string, pieces: readonly string[], exitCode: number | undefined): Promise<void> {
    const execution = {
      commandLine: { value: command },
      read: async function* () {
        await Promise.resolve();
        yield* pieces;
      },
    };
    this.#starts({ terminal: this.terminal, execution });
    for (let turn = 0; turn <= pieces.length; turn += 1) await settle();
    this.#ends({ terminal: this.terminal, execution, exitCode });
  }
}

afterEach(() => NAMES.forEach((name) => Reflect.deleteProperty(fakeWindow, name)));

describe("what the terminal printed last", () => {
  test("is the last command, how it ended, and its output without codes", async () => {
    const shell = new FakeShell();
    const watch = new TerminalWatch();
    await shell.run("ls", ["a.py\r\n"], 0);
    await shell.run("npm test", ["\u001b]633;C\u0007\u001b[31m1 failing\u001b[0m\r\n", "50 %\r100 %\r\n"], 1);
    assert.deepEqual(watch.said(), { command: "npm test", output: "1 failing\n100 %", code: 1, isWhole: true, because: "" });
  });

  test("is the end of it where it is long, and no more than that is held", async () => {
    const shell = new FakeShell();
    const watch = new TerminalWatch();
    await shell.run("yes", Array.from({ length: 100 }, () => "y\n".repeat(1_000)).concat("the end\n"), undefined);
    const { output, isWhole, code } = watch.said();
    assert.ok(output.endsWith("the end") && output.length <= 20_000);
    assert.deepEqual([isWhole, code], [false, null]);
  });

  test("is a sentence where there is no terminal, or nothing is known of it", () => {
    const shell = new FakeShell();
    const watch = new TerminalWatch();
    assert.match(watch.said().because, /Nothing that was run.*Add Terminal Selection/u);
    Reflect.deleteProperty(fakeWindow, "activeTerminal");
    assert.equal(watch.said().because, "No terminal is open.");
    assert.ok(shell);
  });

  test("is not known to an editor without shell integration, which nothing else depends on", () => {
    fakeWindow["activeTerminal"] = {};
    const watch = new TerminalWatch();
    assert.notEqual(watch.said().because, "");
    watch.dispose();
  });

  test("holds no letter that would steer a terminal", () => {
    assert.equal(plainly("a\u0007b\u001b(Bc\u0000d"), "abcd");
  });
});
