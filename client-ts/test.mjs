/**
 * Runs the TypeScript tests: `npm test`, or `npm test -- test/webview` for a part of them.
 *
 * Each test file is bundled by itself and run by Node's own test runner. The editor's API is
 * the only thing that is replaced, by `test/extension/editor.ts`.
 */

import { spawnSync } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { build } from "esbuild";

const root = import.meta.dirname;
// Another place may be named, so that two runs beside each other do not meet.
const out = process.env.ASSENT_TEST_OUT ?? join(root, "dist", "test");
const wanted = process.argv.slice(2);

const entries = await readdir(join(root, "test"), { recursive: true, withFileTypes: true });
const tests = entries
  .filter((entry) => entry.isFile() && entry.name.endsWith(".test.ts"))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.startsWith(part)))
  .sort();
if (tests.length === 0) {
  console.log("There is no such test.");
  process.exit(1);
}

if (process.env.ASSENT_TEST_OUT === undefined) await rm(out, { recursive: true, force: true });
await build({
  entryPoints: tests,
  outdir: out,
  outbase: "test",
  outExtension: { ".js": ".cjs" },
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  sourcemap: "inline",
  logLevel: "warning",
  absWorkingDir: root,
  // Tests find files of the repository from here, wherever they were bundled to.
  define: { __CLIENT__: JSON.stringify(root) },
  alias: { vscode: "./test/extension/editor.ts" },
});

const files = tests.map((file) => join(out, relative("test", file)).replace(/\.ts$/u, ".cjs"));
const ran = spawnSync(process.execPath, ["--enable-source-maps", "--test-reporter=spec", "--test", ...files], {
  cwd: root,
  stdio: "inherit",
});
process.exit(ran.status ?? 1);
