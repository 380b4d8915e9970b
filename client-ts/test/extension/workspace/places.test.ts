import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { openPlace } from "../../../src/extension/workspace/places";
import { fake, FileType, type Range, Uri, workspace } from "../editor";

beforeEach(() => {
  fake.reset();
  workspace.workspaceFolders = [{ uri: Uri.file("/one") }, { uri: Uri.file("/two") }];
  workspace.disk = {
    "/one/src/a.py": FileType.File,
    "/two/b.py": FileType.File,
    "/one/two/b.py": FileType.File,
    "/one/two/c.py": FileType.File,
    "/one/dir.py": FileType.Directory,
    "/etc/x.conf": FileType.File,
  };
});

/** What was opened, and where its cursor is. */
const opened = (): readonly unknown[] =>
  fake.executed.map(({ command, args: [uri, options] }) => {
    const { selection } = options as { selection: Range };
    return [command, (uri as Uri).path, selection.start.line, selection.start.character];
  });

describe("a place that an answer or an output names", () => {
  test("is opened in the folder of the workspace that has the file", async () => {
    for (const name of ["src/a.py:3:7", "b.py", "/one/src/a.py:2", "two/b.py", "two/c.py"]) assert.ok(await openPlace(name), name);
    assert.deepEqual(opened(), [
      ["vscode.open", "/one/src/a.py", 2, 6],
      ["vscode.open", "/two/b.py", 0, 0],
      ["vscode.open", "/one/src/a.py", 1, 0],
      ["vscode.open", "/two/b.py", 0, 0],
      ["vscode.open", "/one/two/c.py", 0, 0],
    ]);
    assert.deepEqual(fake.messages, []);
  });

  test("opens nothing that is missing, a folder, or outside the workspace, and says so", async () => {
    for (const name of ["c.py", "dir.py", "/etc/x.conf", "../etc/x.conf", "command:x", "[x](command:y)"]) {
      fake.messages.length = 0;
      assert.equal(await openPlace(name), false, name);
      assert.deepEqual(opened(), []);
      assert.match(fake.messages[0]?.text ?? "", /is not in this workspace\.$/u);
    }
    assert.ok(!fake.messages[0]?.text.includes("]("), "a notification makes a link of it");
  });
});
