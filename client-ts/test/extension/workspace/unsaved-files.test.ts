import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { applyEdit, Buffers } from "../../../src/extension/workspace/unsaved-files";
import { events, fake, Uri, workspace, type FakeDocument } from "../editor";

const said: { method: string; params: unknown }[] = [];
const say = (method: string, params: object): void => void said.push({ method, params });
const methods = (): readonly string[] => said.map(({ method }) => method);

function typed(path: string, version = 2): FakeDocument {
  const uri = path.includes(":") ? Uri.parse(path) : Uri.file(path);
  const one = { uri, isDirty: true, isClosed: false, version, languageId: "python", getText: () => "a = 1" };
  workspace.textDocuments.push(one);
  return one;
}

const change = (document: FakeDocument, ...contentChanges: readonly unknown[]): void => events.changed.fire({ document, contentChanges });

beforeEach(() => {
  fake.reset();
  said.length = 0;
  Object.assign(workspace, { workspaceFolders: [{ uri: Uri.file("/ws") }] });
});

describe("what is typed and not saved", () => {
  test("is told of from its first change until it is saved", () => {
    const document = typed("/ws/a.py");
    document.isDirty = false;
    const buffers = new Buffers(say);
    assert.equal(said.length, 0);
    document.isDirty = true;
    const place = { line: 0, character: 4 };
    change(document, { range: { start: place, end: place }, text: "1" });
    change(document, { range: { start: place, end: place }, text: "2" });
    // Becoming dirty is told once more, and changes nothing.
    change(document);
    document.isDirty = false;
    events.saved.fire(document);
    change(document);
    assert.deepEqual(methods(), ["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose"]);
    assert.deepEqual(said[0]?.params, {
      textDocument: { uri: document.uri.toString(), languageId: "python", version: 2, text: "a = 1" },
    });
    assert.deepEqual(said[1]?.params, {
      textDocument: { uri: document.uri.toString(), version: 2 },
      contentChanges: [{ range: { start: place, end: place }, text: "2" }],
    });
    buffers.dispose();
  });

  test("is told of at once where it was typed before the server ran, and no longer once closed", () => {
    const document = typed("/ws/a.py");
    const buffers = new Buffers(say);
    events.closed.fire(document);
    assert.deepEqual(methods(), ["textDocument/didOpen", "textDocument/didClose"]);
    buffers.dispose();
    change(document);
    assert.equal(said.length, 2);
  });

  test("is told to nobody where it lies elsewhere or on no disk", () => {
    const documents = [typed("/elsewhere/a"), typed("/ws-other/a"), typed("untitled:/ws/a")];
    const buffers = new Buffers(say);
    documents.forEach((document) => change(document, { range: null, text: "x" }));
    assert.equal(said.length, 0);
    buffers.dispose();
  });
});

describe("a change that the server asks for", () => {
  const asked = (uri: string, version: number | null): Parameters<typeof applyEdit>[0] => ({
    edit: {
      documentChanges: [
        {
          textDocument: { uri, version },
          edits: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } }, newText: "b" }],
        },
      ],
    },
  });

  test("is made in the version that it names", async () => {
    const uri = typed("/ws/a", 3).uri.toString();
    assert.deepEqual(await applyEdit(asked(uri, 3)), { applied: true });
    assert.deepEqual(
      fake.edits[0]?.replaced.map(({ text }) => text),
      ["b"],
    );
  });

  test("is not made in another version, in what is saved, or where nothing is open", async () => {
    const document = typed("/ws/a", 4);
    const uri = document.uri.toString();
    assert.deepEqual(await applyEdit(asked(uri, 3)), { applied: false });
    assert.deepEqual(await applyEdit(asked(uri, null)), { applied: false });
    assert.deepEqual(await applyEdit(asked("file:/ws/b", 4)), { applied: false });
    document.isDirty = false;
    assert.deepEqual(await applyEdit(asked(uri, 4)), { applied: false });
    assert.deepEqual(await applyEdit({ edit: {} }), { applied: false });
    assert.equal(fake.edits.length, 0);
  });
});
