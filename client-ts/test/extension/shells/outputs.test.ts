import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import {
  READ_INTERVAL_MS,
  documentOf,
  MAX_KEPT_LETTERS,
  Outputs,
  type Reading,
  readOn,
  SCHEME,
  UNREAD,
} from "../../../src/extension/shells/outputs";
import type { ReadShell, ShellInfo, ShellOutput } from "../../../src/shared/protocol";
import { events, fake, Position, window, type FakeTextEditor } from "../editor";
import { settle, span } from "../made";

const REF = { chatId: "c", shellId: "1" };
const RUNS: ShellInfo = {
  shellId: "1",
  callId: "k",
  command: [span("npm run  dev/web")],
  state: "running",
  code: null,
  inBackground: true,
  at: 0,
};

/** A shell as the server has it: what it printed so far, and how it stands. */
let printed: string;
let shell: ShellInfo;
let asked: number;
let outputs: Outputs;
let changes: number;

function answer({ since = 0 }: ReadShell): ShellOutput {
  // Half at a time, so that a reader has to go on.
  const rest = printed.slice(since);
  const text = rest.slice(0, Math.ceil(rest.length / 2));
  return { text, errors: [], next: since + text.length, missing: 0, shell };
}

beforeEach(() => {
  fake.reset();
  [printed, shell, asked, changes] = ["one\n", RUNS, 0, 0];
  mock.timers.enable({ apis: ["setTimeout"] });
  outputs = new Outputs((_, params) => {
    asked += 1;
    return Promise.resolve(answer(params as ReadShell));
  });
  outputs.onDidChange(() => (changes += 1));
});
afterEach(() => {
  outputs.dispose();
  mock.timers.reset();
});

function editor(): FakeTextEditor {
  const [only] = window.visibleTextEditors;
  assert.ok(only);
  return only;
}

function text(): string {
  return outputs.provideTextDocumentContent(editor().document.uri as never);
}

async function later(): Promise<void> {
  mock.timers.tick(READ_INTERVAL_MS);
  await settle();
}

describe("the document of a shell", () => {
  test("is opened with all that was printed, named after the command", async () => {
    await outputs.show(REF);
    assert.deepEqual([text(), editor().document.uri.scheme], ["one\n", SCHEME]);
    assert.equal(editor().document.uri.path, "/Output of npm run dev∕web");
  });

  test("grows while the shell runs, says how it ended, and rests then", async () => {
    await outputs.show(REF);
    printed += "two";
    await later();
    assert.equal(text(), "one\ntwo");
    shell = { ...RUNS, state: "exited", code: 2 };
    await later();
    assert.equal(text(), "one\ntwo\n— ended with exit code 2\n");
    const before = asked;
    await later();
    assert.equal(asked, before);
  });

  test("is not told to have changed where it has not", async () => {
    await outputs.show(REF);
    const before = changes;
    await later();
    assert.equal(changes, before);
  });

  test("keeps whoever reads its end at its end, and nobody else", async () => {
    await outputs.show(REF);
    const { document, revealed } = editor();
    assert.equal(revealed.length, 1);
    printed += "two\n";
    await later();
    events.changed.fire({ document });
    assert.equal(revealed.length, 2);
    Object.assign(document, { lineCount: 90 });
    editor().visibleRanges = [{ end: new Position(20, 0) }];
    printed += "three\n";
    await later();
    events.changed.fire({ document });
    assert.equal(revealed.length, 2);
  });

  test("is left alone while nobody sees it, and looked at again when somebody does", async () => {
    await outputs.show(REF);
    const hidden = window.visibleTextEditors.splice(0);
    await later();
    const before = asked;
    await later();
    assert.equal(asked, before);
    window.visibleTextEditors.push(...hidden);
    events.visible.fire(window.visibleTextEditors);
    printed += "two";
    await later();
    assert.equal(text(), "one\ntwo");
  });

  test("is forgotten when it is closed, also in the middle of a question", async () => {
    await outputs.show(REF);
    const { document } = editor();
    mock.timers.tick(READ_INTERVAL_MS);
    events.closed.fire(document);
    await settle();
    assert.equal(text(), "");
    const before = asked;
    await later();
    assert.equal(asked, before);
  });

  test("stays as it is where the server is gone", async () => {
    await outputs.show(REF);
    outputs.dispose();
    const gone = new Outputs(() => Promise.reject(new Error("Assent's server does not run.")));
    await assert.rejects(gone.show(REF), /does not run/u);
    assert.equal(text(), "one\n");
    gone.dispose();
  });
});

describe("what is kept of an output", () => {
  const stretch = (part: string, missing = 0): ShellOutput => ({ text: part, errors: [], next: 0, missing, shell: RUNS });

  test("says of each line whether it came on standard error, wherever a stretch ends", () => {
    const more = (before: Reading, text: string, errors: number[]): Reading => readOn(before, { ...stretch(text), errors });
    let reading = more(UNREAD, "one\ntwo\n", [1, 2]);
    reading = more(reading, "thr", [0, 1]);
    reading = more(reading, "ee\n", [0, 1]);
    reading = more(reading, "fo", []);
    reading = more(reading, "oh\n", [0, 1]);
    assert.equal(documentOf(reading), "one\n2> two\n2> three\nfo\n2> oh\n");
  });

  test("has no colours", () => {
    assert.equal(documentOf(readOn(UNREAD, stretch("\u001b[32mok\u001b[0m"))), "ok");
  });

  test("is its end, and says so", () => {
    const reading = readOn(readOn(UNREAD, stretch("a".repeat(MAX_KEPT_LETTERS))), stretch("b"));
    assert.equal(reading.text.length, MAX_KEPT_LETTERS);
    assert.ok(documentOf(reading).startsWith("… What came before this is not kept.\naaa"));
    assert.ok(documentOf(readOn(UNREAD, stretch("x", 5))).startsWith("… What"));
    assert.equal(documentOf(readOn(UNREAD, stretch("x"))), "x");
  });
});
