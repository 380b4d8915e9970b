/**
 * Bundles the extension and its view into `dist/`.
 *
 * The extension is CommonJS, since that is what every supported editor loads; the view is one
 * script, which fetches a second one, the highlighter, when it first draws code.
 */

import { rm } from "node:fs/promises";
import { build } from "esbuild";

const shared = {
  bundle: true,
  minify: true,
  legalComments: "eof",
  logLevel: "warning",
  absWorkingDir: import.meta.dirname,
};

const parts = [
  {
    ...shared,
    entryPoints: { extension: "src/extension/main.ts" },
    outdir: "dist",
    platform: "node",
    target: "node20",
    format: "cjs",
    external: ["vscode"],
  },
  {
    ...shared,
    entryPoints: { webview: "src/webview/main.ts" },
    outdir: "dist",
    platform: "browser",
    target: "es2022",
    format: "iife",
  },
  {
    ...shared,
    entryPoints: { highlight: "src/webview/highlight.ts" },
    outdir: "dist",
    platform: "browser",
    target: "es2022",
    format: "esm",
  },
  {
    ...shared,
    entryPoints: { webview: "src/webview/style.css" },
    outdir: "dist",
    target: "es2022",
  },
];

const stale = ["dist/extension.js", "dist/webview.js", "dist/highlight.js", "dist/webview.css"];
await Promise.all(stale.map((file) => rm(new URL(file, import.meta.url), { force: true })));

for (const part of parts) {
  await build(part);
}
