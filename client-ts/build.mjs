/**
 * Bundles the extension and its view into `dist/`.
 *
 * The extension is CommonJS, since that is what every supported editor loads; the view is one
 * script, which fetches six more: what reads Markdown when it first draws a message, the
 * highlighter when it first draws code, what draws a workflow when it first has one, what draws and
 * plays pictures and sounds (with a style of its own), what draws fields when there is a form to
 * fill in, and in another language than English what reads the server's sentences.
 */

import { readFile, rm, writeFile } from "node:fs/promises";
import { build } from "esbuild";
import { minify } from "terser";

/**
 * Of `marked` the view needs the lexer alone. Its file makes one of everything as soon as it is
 * loaded, which no bundler may drop, so the file ends here before that. It saves 3 kB. What it does
 * where it is to be pedantic, or to break lines, is never asked of it.
 */
const lexerAlone = {
  name: "lexer-alone",
  setup(part) {
    part.onLoad({ filter: /marked\.esm\.js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const end = source.search(/var \w+=new \w+;function \w+\(\w+,\w+\)\{return \w+\.parse\(/u);
      const [lexer] = /\w+ as Lexer\b/u.exec(source) ?? [];
      if (end < 0 || lexer === undefined) throw new Error("This `marked` is built in another way.");
      const kept = source.slice(0, end).replaceAll(/this\.options\.(?:pedantic|breaks)\b/gu, "!1");
      // The expressions for that are made as soon as it is loaded, too.
      const unasked = [...kept.matchAll(/\b(?:pedantic|breaks):(\w\w+)(?=[,}])/gu)].map(([, name]) => name);
      if (unasked.length !== 3) throw new Error("This `marked` is built in another way.");
      const contents = unasked.reduce((now, name) => now.replace(new RegExp(`,${name}=\\{[^]*?getRegex\\(\\)\\}(?=,)`, "u"), `,${name}=null`), kept);
      return { contents: `${contents}export{${lexer}};` };
    });
  },
};

const shared = {
  bundle: true,
  minify: true,
  legalComments: "external",
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
    entryPoints: { fields: "src/webview/card/fields.ts", flow: "src/webview/flow.ts", media: "src/webview/media/main.ts", highlight: "src/webview/highlight.ts", markdown: "src/webview/markdown.ts", reading: "src/reading.ts" },
    outdir: "dist",
    platform: "browser",
    target: "es2022",
    format: "esm",
    plugins: [lexerAlone],
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
    entryPoints: { media: "src/webview/media/style.css" },
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

const names = ["extension.js", "webview.js", "fields.js", "flow.js", "media.js", "media.css", "highlight.js", "markdown.js", "reading.js", "history.js", "webview.css", "history.css"];
const stale = names.map((name) => `dist/${name}`);
await Promise.all(stale.map((file) => rm(new URL(file, import.meta.url), { force: true })));

for (const part of parts) {
  await build(part);
}

// What a view loads is made 4 % smaller once more; the editor's own half is not sent anywhere.
// No statement here is a property alone, read for what reading it does.
for (const [name, module] of [["webview", false], ["history", false], ["fields", true], ["flow", true], ["media", true], ["highlight", true], ["markdown", true], ["reading", true]]) {
  const file = new URL(`dist/${name}.js`, import.meta.url);
  const { code } = await minify(await readFile(file, "utf8"), { module, toplevel: true, ecma: 2022, compress: { passes: 3, hoist_funs: true, pure_getters: true }, format: { comments: false } });
  await writeFile(file, code);
}

// Between the tags of a template stands one blank as well as the indentation of its lines.
const script = new URL("dist/webview.js", import.meta.url);
await writeFile(script, (await readFile(script, "utf8")).replace(/\n[ \t]+(?=[<$]|[\w@.?]+=)/gu, " "));
