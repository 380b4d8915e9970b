/**
 * Bundles the extension and its view into `dist/`.
 *
 * The extension is CommonJS, since that is what every supported editor loads; the view is one
 * script, which fetches four more: what reads Markdown when it first draws a message, the
 * highlighter when it first draws code, what draws workflows, pictures, sounds and forms when it
 * first has one, and in another language than English what reads the server's sentences.
 */

import { readFile, rm, writeFile } from "node:fs/promises";
import { build } from "esbuild";
import { minify } from "terser";

/**
 * Of `marked` the view needs the lexer alone, as GitHub writes Markdown. Its file makes one of
 * everything as soon as it is loaded, which no bundler may drop, so the file ends here before that;
 * and what the view never asks for is told here, so that what would answer it is dropped. It saves
 * 3 kB.
 */
const NEVER_OR_ALWAYS = { pedantic: "!1", breaks: "!1", extensions: "null", hooks: "null", gfm: "!0" };
const lexerAlone = {
  name: "lexer-alone",
  setup(part) {
    part.onLoad({ filter: /marked\.esm\.js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const end = source.search(/var \w+=new \w+;function \w+\(\w+,\w+\)\{return \w+\.parse\(/u);
      const [lexer] = /\w+ as Lexer\b/u.exec(source) ?? [];
      if (end < 0 || lexer === undefined) throw new Error("This `marked` is built in another way.");
      const kept = source
        .slice(0, end)
        .replaceAll(/this\.options\.(\w+)/gu, (whole, name) => NEVER_OR_ALWAYS[name] ?? whole)
        .replaceAll(/static (?:get )?\w+\([^)]*\)\{return(?:\{[^}]*\}|[^}]*)\}/gu, "");
      // The expressions for that are made as soon as it is loaded, too.
      const unasked = [...kept.matchAll(/\b(?:pedantic|breaks):(\w\w+)(?=[,}])/gu)].map(([, name]) => name);
      if (unasked.length !== 3) throw new Error("This `marked` is built in another way.");
      const contents = unasked.reduce(
        (now, name) => now.replace(new RegExp(`,${name}=\\{[^]*?getRegex\\(\\)\\}(?=,)`, "u"), `,${name}=null`),
        kept,
      );
      return { contents: `${withoutUnnamed(contents)}export{${lexer}};` };
    });
  },
};

/** Short names for the view's own colours and lengths, which its sheet and its script alone know. */
async function shortened(names, sheet, script) {
  const [css, js] = await Promise.all([sheet, script].map((file) => readFile(file, "utf8")));
  const own = [...new Set(css.match(/--(?!vscode-)[a-z][a-z-]*/gu))];
  const short = (name) => (own.includes(name) ? `--${names[own.indexOf(name)]}` : name);
  await writeFile(sheet, css.replaceAll(/--[a-z][a-z-]*/gu, short));
  await writeFile(script, js.replaceAll(/(?<=")--[a-z][a-z-]*(?=")/gu, short));
}

/** What lit says to who writes a template wrongly: nobody does in what is built. */
const withoutAdvice = {
  name: "without-advice",
  setup(part) {
    part.onLoad({ filter: /lit-html[\\/](?:[\w-]+[\\/])*[\w-]+\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replaceAll(/\bError\("[^"]*"\)/gu, "Error()"),
    }));
  },
};

/** Expressions, in a table or made by hand, that nothing in the file names: no tool may drop those by itself. */
function withoutUnnamed(code) {
  const counts = new Map();
  for (const [name] of code.matchAll(/[\w$]+/gu)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const kept = (whole, name) => (counts.get(name) === 1 ? "" : whole);
  return code
    .replaceAll(/(?<=[{,])(\w+):\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+\/[a-z]*,/gu, kept)
    .replaceAll(/,(\w+)=\w+\((?:(?!getRegex).)*getRegex\(\)(?=,)/gu, kept);
}

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
    plugins: [withoutAdvice],
  },
  {
    ...shared,
    entryPoints: {
      drawings: "src/webview/drawings/main.ts",
      highlight: "src/webview/markdown/highlight.ts",
      markdown: "src/webview/markdown/markdown.ts",
      reading: "src/shared/sentence-reader.ts",
    },
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
    entryPoints: { webview: "src/webview/style.css" },
    outdir: "dist",
    target: "es2022",
  },
];

const names = [
  "extension.js",
  "webview.js",
  "drawings.js",
  "highlight.js",
  "markdown.js",
  "reading.js",
  "history.js",
  "webview.css",
  "history.css",
];
const stale = names.map((name) => `dist/${name}`);
await Promise.all(stale.map((file) => rm(new URL(file, import.meta.url), { force: true })));

for (const part of parts) {
  await build(part);
}

// What a view loads is made 4 % smaller once more; the editor's own half is not sent anywhere.
// No statement here is a property alone, read for what reading it does, and nothing but a class is
// called by `new`. Between the tags of a template stands one blank as well as the indentation of its
// lines.
for (const [name, module] of [
  ["webview", false],
  ["history", false],
  ["drawings", true],
  ["highlight", true],
  ["markdown", true],
  ["reading", true],
]) {
  const file = new URL(`dist/${name}.js`, import.meta.url);
  const { code } = await minify(await readFile(file, "utf8"), {
    module,
    toplevel: true,
    ecma: 2022,
    compress: { passes: 6, lhs_constants: false, pure_getters: true, unsafe_arrows: true },
    // What lit alone reads of its own parts, which it names so.
    mangle: name === "webview" ? { properties: { regex: /^_\$/ } } : {},
    format: { comments: false },
  });
  await writeFile(file, name === "markdown" ? withoutUnnamed(code) : code.replace(/\n[ \t]+(?=[<$>/]|[\w@.?-]+=)/gu, " "));
}

const [sheet, script] = ["webview.css", "webview.js"].map((name) => new URL(`dist/${name}`, import.meta.url));
await shortened("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", sheet, script);
