/**
 * Bundles the extension and its view into `dist/`.
 *
 * The extension is CommonJS, since that is what every supported editor loads; the view is one
 * script, which fetches two more: what reads Markdown when it first draws a message, and the
 * highlighter when it first draws code.
 */

import { readFile, rm } from "node:fs/promises";
import { build } from "esbuild";

/**
 * Of `marked` the view needs the lexer alone. Its file makes one of everything as soon as it is
 * loaded, which no bundler may drop, so the file ends here before that. It saves 3 kB.
 */
const lexerAlone = {
  name: "lexer-alone",
  setup(part) {
    part.onLoad({ filter: /marked\.esm\.js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const end = source.search(/var \w+=new \w+;function \w+\(\w+,\w+\)\{return \w+\.parse\(/u);
      const [lexer] = /\w+ as Lexer\b/u.exec(source) ?? [];
      if (end < 0 || lexer === undefined) throw new Error("This `marked` is built in another way.");
      return { contents: `${source.slice(0, end)}export{${lexer}};` };
    });
  },
};

/**
 * Of `highlight.js` the view calls `highlight` and hands it an emitter of its own: what guesses
 * languages, looks for code in pages and writes markup is left empty. It saves 2 kB.
 */
const UNUSED = {
  functions: ["blockLanguage", "highlightAuto", "updateClassName", "highlightElement", "initHighlightingOnLoad", "highlightAll", "upgradePluginAPI", "addPlugin", "deprecateHighlightBlock"],
  classes: ["HTMLRenderer", "TokenTree", "TokenTreeEmitter"],
};
const highlightAlone = {
  name: "highlight-alone",
  setup(part) {
    part.onLoad({ filter: /highlight\.js\/lib\/core\.js$/ }, async ({ path }) => {
      const empty = (source, pattern, written) => {
        if (!pattern.test(source)) throw new Error(`This \`highlight.js\` is built in another way: ${pattern}.`);
        return source.replace(pattern, written);
      };
      const whole = await readFile(path, "utf8");
      const without = UNUSED.functions.reduce((source, name) => empty(source, new RegExp(`^  function ${name}\\([^]*?^  \\}$`, "mu"), `  function ${name}() {}`), whole);
      return { contents: UNUSED.classes.reduce((source, name) => empty(source, new RegExp(`^class ${name}\\b[^]*?^\\}$`, "mu"), `class ${name} {}`), without) };
    });
  },
};

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
    entryPoints: { highlight: "src/webview/highlight.ts", markdown: "src/webview/markdown.ts" },
    outdir: "dist",
    platform: "browser",
    target: "es2022",
    format: "esm",
    plugins: [lexerAlone, highlightAlone],
  },
  {
    ...shared,
    entryPoints: { history: "src/webview/history/main.ts" },
    outdir: "dist",
    platform: "browser",
    target: "es2022",
    format: "iife",
  },
  {
    ...shared,
    entryPoints: { history: "src/webview/history/style.css" },
    outdir: "dist",
    target: "es2022",
  },
  {
    ...shared,
    entryPoints: { webview: "src/webview/style.css" },
    outdir: "dist",
    target: "es2022",
  },
];

const names = ["extension.js", "webview.js", "highlight.js", "markdown.js", "history.js", "webview.css", "history.css"];
const stale = names.map((name) => `dist/${name}`);
await Promise.all(stale.map((file) => rm(new URL(file, import.meta.url), { force: true })));

for (const part of parts) {
  await build(part);
}
