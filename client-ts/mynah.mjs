/** Packages the cards for MynahUI as `dist/assent-mynah-VERSION.tgz`. */

import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const HERE = import.meta.dirname;
const OUT = process.argv[2] ?? join(HERE, "..", "dist");

const folder = await mkdtemp(join(tmpdir(), "assent-mynah-"));
try {
  const { version, license } = JSON.parse(await readFile(join(HERE, "package.json"), "utf8"));
  const types = "webview/mynah/main.d.ts";
  const manifest = { name: "assent-mynah", version, license, type: "module", main: "main.js", types };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest, null, 2));
  await cp(join(HERE, "..", "LICENSE"), join(folder, "LICENSE"));
  await cp(join(HERE, "src/webview/mynah/README.md"), join(folder, "README.md"));
  await build({
    entryPoints: [join(HERE, "src/webview/mynah/main.ts")],
    outfile: join(folder, "main.js"),
    bundle: true,
    format: "esm",
    target: "es2023",
  });
  const words = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--outDir", folder];
  run(process.execPath, [join(HERE, "node_modules/typescript/bin/tsc"), "-p", join(HERE, "tsconfig.mynah.json"), ...words]);
  await mkdir(OUT, { recursive: true });
  run("npm", ["pack", "--silent", "--pack-destination", OUT], folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}

function run(program, words, cwd = HERE) {
  execFileSync(program, words, { cwd, stdio: "inherit" });
}
