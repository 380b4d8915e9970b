import assert from "node:assert/strict";
import { beforeEach, describe, mock, test } from "node:test";
import { beginningOf } from "../../../src/extension/editor/inert-text";
import { ProblemWatch } from "../../../src/extension/workspace/problems";
import { diagnosed, events, fake, Uri, workspace } from "../editor";

const at = (line: number, severity: number, message: string): unknown => ({
  range: { start: { line, character: 0 }, end: { line, character: 1 } },
  severity,
  message,
  source: "ts",
});

function open(path: string, languageId: string): Uri {
  const uri = Uri.file(path);
  workspace.textDocuments.push({ uri, isDirty: false, languageId });
  return uri;
}

beforeEach(() => {
  fake.reset();
  diagnosed.clear();
});

describe("what is wrong after an edit", () => {
  test("is told at once where nobody ever found anything in that language", async () => {
    const watch = new ProblemWatch();
    const uri = open("/ws/a.txt", "plaintext");
    assert.deepEqual(await watch.in({ everywhere: false, uris: [uri.toString()] }), { files: [] });
    watch.dispose();
  });

  test("is waited for where somebody looks at the language, errors first and hints left out", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    const watch = new ProblemWatch();
    const uri = open("/ws/a.ts", "typescript");
    events.diagnosed.fire({ uris: [uri] });
    const told = watch.in({ everywhere: false, uris: [uri.toString()] });
    events.diagnosed.fire({ uris: [Uri.file("/ws/other.ts")] });
    diagnosed.set(uri.toString(), [at(4, 1, "unused"), at(2, 0, "wrong type"), at(0, 3, "a hint")]);
    events.diagnosed.fire({ uris: [uri] });
    mock.timers.tick(300);
    assert.deepEqual(await told, {
      files: [
        {
          uri: uri.toString(),
          problems: [
            { line: 3, severity: "error", message: "wrong type", source: "ts" },
            { line: 5, severity: "warning", message: "unused", source: "ts" },
          ],
        },
      ],
    });
    mock.timers.reset();
    watch.dispose();
  });

  test("of all files is what is known just now, and nobody is waited for", async () => {
    const watch = new ProblemWatch();
    const uri = open("/ws/a.ts", "typescript");
    events.diagnosed.fire({ uris: [uri] });
    diagnosed.set(uri.toString(), [at(2, 0, "wrong type")]);
    diagnosed.set(Uri.file("/ws/b.ts").toString(), [at(0, 3, "a hint")]);
    diagnosed.set("untitled:c", [at(0, 0, "wrong")]);
    const { files } = await watch.in({ everywhere: true, uris: [] });
    assert.deepEqual(
      files?.map((each) => each.uri),
      [uri.toString()],
    );
    watch.dispose();
  });

  test("is not waited for longer than three seconds", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    const watch = new ProblemWatch();
    const uri = open("/ws/a.ts", "typescript");
    events.diagnosed.fire({ uris: [uri] });
    const told = watch.in({ everywhere: false, uris: [uri.toString()] });
    mock.timers.tick(3_000);
    assert.deepEqual(await told, { files: [] });
    mock.timers.reset();
    watch.dispose();
  });
});

test("a text is not cut within a letter", () => {
  assert.equal(beginningOf("a😀", 2), "a");
  assert.equal(beginningOf("a😀", 3), "a😀");
});
