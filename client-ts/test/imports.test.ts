import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";

declare const __CLIENT__: string;

/** What the check says of files with these texts. */
function checked(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "imports-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const ran = spawnSync(process.execPath, [join(__CLIENT__, "imports.mjs"), folder], { encoding: "utf8" });
    assert.equal(ran.status, ran.stderr === "" ? 0 : 1);
    return ran.stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("who imports whom", () => {
  it("is in order in the sources", () => {
    const ran = spawnSync(process.execPath, [join(__CLIENT__, "imports.mjs")], { encoding: "utf8" });
    assert.deepEqual([ran.status, ran.stderr], [0, ""]);
  });

  it("lets both halves import what they share", () => {
    const shared = 'import { A } from "../../shared/a";';
    assert.equal(checked({ "shared/a.ts": "export const A = 1;", "extension/b/b.ts": shared, "webview/c/c.ts": shared }), "");
  });

  it("lets neither half import the other, nor what they share import a half", () => {
    const said = checked({
      "shared/a.ts": 'import { B } from "../extension/b";',
      "extension/b.ts": "export const B = 1;",
      "webview/c.ts": 'import type { B } from "../extension/b";',
    });
    assert.match(said, /^shared\/a\.ts imports extension\/b\.ts: .*\nwebview\/c\.ts imports extension\/b\.ts: /u);
  });

  it("finds a circle of files, also through types and through what is fetched later", () => {
    const said = checked({
      "webview/a.ts": 'import type { B } from "./b";',
      "webview/b.ts": 'const c = import("./c");',
      "webview/c.ts": 'export { A } from "./a";',
    });
    assert.match(said, /^Files import each other in a circle: webview\/a\.ts → webview\/b\.ts → webview\/c\.ts → webview\/a\.ts\.$/mu);
  });

  it("finds a circle of folders where no files import each other", () => {
    const said = checked({
      "webview/a/one.ts": 'import { B } from "../b/one";',
      "webview/b/one.ts": "export const B = 1;",
      "webview/b/two.ts": 'import { A } from "../a/two";',
      "webview/a/two.ts": "export const A = 1;",
    });
    assert.equal(said, "Folders import each other in a circle: webview/a → webview/b → webview/a.\n");
  });
});
