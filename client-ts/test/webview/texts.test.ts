import assert from "node:assert/strict";
import { test } from "node:test";
import { placeOf } from "../../src/shared/file-places";
import { uncoloured } from "../../src/shared/command-output";
import type { Span } from "../../src/shared/protocol";
import { drawn, exact, foldEntries, foldSpans, hiddenSize, MAX_WHOLE_LETTERS } from "../../src/webview/cards/folds";
import { highlighter } from "../../src/webview/markdown/highlight";
import { safeAddress, TAGS, type Leaf } from "../../src/webview/markdown/nodes";
import { blocks } from "../../src/webview/markdown/markdown";
import { chance, pick, plain } from "./shapes";
import { signOf } from "../../src/webview/transcript/call-sign";

const PIECES: readonly string[] = [
  "# ",
  "## ",
  "- ",
  "* ",
  "1. ",
  "> ",
  "```",
  "```js\n",
  "~~~",
  "`",
  "**",
  "_",
  "~~",
  "[",
  "](",
  ")",
  "![",
  "<",
  ">",
  "<img src=x onerror=alert(1)>",
  "<script>",
  "</script>",
  "<a href=",
  "&lt;",
  "&#x27;",
  "&",
  "\\",
  "|",
  "|---|",
  "\n",
  "\n\n",
  "\r\n",
  "\t",
  "  ",
  "    ",
  "javascript:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "command:x",
  "https://example.org",
  "mailto:a@b.c",
  "//x.org",
  "http://\u0000",
  "HTTPS://X",
  "ht\ntp://x",
  "[x]: javascript:1",
  "[ ] ",
  "[x] ",
  "---",
  "===",
  "word",
  "日本",
  "😀",
  "\u202e",
  "\u0000",
  "\ud800",
  '"',
  "'",
  "(",
  "=",
  "http://a b",
];

const ADDRESS = /^(?:https?|mailto):/iu;

function check(leaf: Leaf, source: string): void {
  if (typeof leaf === "string") return;
  assert.ok(TAGS.includes(leaf.tag), `${leaf.tag} from ${JSON.stringify(source)}`);
  if (leaf.href !== undefined) {
    assert.equal(leaf.tag, "a", JSON.stringify(source));
    assert.ok(ADDRESS.test(leaf.href) || placeOf(leaf.href) !== null, JSON.stringify(source));
  }
  const known = new Set(["tag", "children", "href", "name", "number"]);
  assert.ok(Object.keys(leaf).every((key) => known.has(key)));
  leaf.children.forEach((child) => check(child, source));
}

test("no message becomes anything outside the closed set", () => {
  const next = chance(4);
  for (let count = 0; count < 20_000; count += 1) {
    const length = 1 + Math.floor(next() * 24);
    const source = Array.from({ length }, () => pick(next, PIECES)).join("");
    for (const { leaves } of blocks(source)) leaves.forEach((leaf) => check(leaf, source));
  }
});

test("the blocks of a text joined are the text, so that finished ones can be frozen", () => {
  const next = chance(5);
  let [whole, all] = [0, 0];
  for (let count = 0; count < 5_000; count += 1) {
    const length = 1 + Math.floor(next() * 24);
    const source = Array.from({ length }, () => pick(next, PIECES))
      .join("")
      .replace(/\r\n?/gu, "\n");
    all += 1;
    if (
      blocks(source)
        .map(({ raw }) => raw)
        .join("") === source
    )
      whole += 1;
  }
  // Where the lexer changes a text while it reads it, the view draws the message anew each time.
  assert.ok(whole / all > 0.9, `${whole} of ${all}`);
});

test("a name of a place in a file leads there, and what is in a block of code does not", () => {
  const leads = (leaf: Leaf): readonly string[] =>
    typeof leaf === "string" ? [] : [...(leaf.href === undefined ? [] : [leaf.href]), ...leaf.children.flatMap(leads)];
  const source =
    "See `src/a.py:88`, `os.path` and [the till](till.py#L5), [x](../up.py) or [`a.py`](https://a.b/c), [*`a.py`*](src/deep/a.py).\n\n```\nsrc/b.py:3\n```\n";
  assert.deepEqual(
    blocks(source).flatMap(({ leaves }) => leaves.flatMap(leads)),
    ["src/a.py:88", "till.py:5", "https://a.b/c", "src/deep/a.py"],
  );
});

test("a text that is nested too deeply is drawn as it is", () => {
  const deep = `${"> ".repeat(20_000)}x`;
  const [first] = blocks(deep);
  assert.ok(first !== undefined);
  first.leaves.forEach((leaf) => check(leaf, "deep"));
});

test("links go to the web and to mail, and nowhere else", () => {
  for (const good of ["https://a.b", "http://a.b/c?d", "mailto:a@b.c"]) {
    assert.equal(safeAddress(good), good);
  }
  const bad = ["javascript:1", " javascript:1", "java\nscript:1", "data:x", "command:x", "file:///x", "x", "", "//a.b"];
  for (const each of bad) assert.equal(safeAddress(each), null, each);
});

/** A little of each language, and what must be marked in it. */
const SAMPLES: { readonly [language: string]: readonly [string, { readonly [name: string]: string }] } = {
  ts: ["const a = `b${1}`; // c", { keyword: "const", string: "`b${1}`", comment: "// c" }],
  js: ["let x = 'y' + 0xff", { keyword: "let", string: "'y'", number: "0xff" }],
  python: ['@cache\ndef f(): return """a\nb"""  # c', { meta: "@cache", keyword: "def", string: '"""a\nb"""', comment: "# c" }],
  bash: ["if [ $HOME = 'x#y' ]; then # c", { keyword: "if", attr: "$HOME", string: "'x#y'", comment: "# c" }],
  json: ['{"a": ["b", -1.5e3, true]}', { attr: '"a"', string: '"b"', number: "1.5e3", keyword: "true" }],
  yaml: ['- name: "x" # c\n  on: true', { attr: "- name", string: '"x"', comment: "# c", keyword: "true" }],
  toml: ['[tool.x]\nname = "y"', { section: "[tool.x]", attr: "name", string: '"y"' }],
  html: ['<!-- c --><p class="x">if</p>', { comment: "<!-- c -->", tag: "<p", attr: "class", string: '"x"' }],
  css: ["@media { a { color: #fff } } /* c */", { keyword: "@media", attr: "color", number: "#fff", comment: "/* c */" }],
  sql: ["select 'x' FROM t -- c", { keyword: "select", string: "'x'", comment: "-- c" }],
  go: ["func f() { return `a` } // c", { keyword: "func", string: "`a`", comment: "// c" }],
  rust: ['#[test]\nfn f<\'a>() -> u8 { b"x" } // c', { meta: "#[test]", keyword: "fn", string: 'b"x"', comment: "// c" }],
  java: ["@Override public int f() { return 1; } // c", { meta: "@Override", keyword: "public", number: "1", comment: "// c" }],
  c: ["#include <x.h>\nstatic char c = 'a';", { meta: "#include", keyword: "static", string: "'a'" }],
  cpp: ["template<class T> auto f = nullptr; /* c */", { keyword: "template", comment: "/* c */" }],
  csharp: ['using X; var s = $"a";', { keyword: "using", string: '$"a"' }],
  ruby: ["def f = :a # c", { keyword: "def", attr: ":a", comment: "# c" }],
  php: ["<?php function f() { return $a; } // c", { meta: "<?php", keyword: "function", attr: "$a", comment: "// c" }],
  kotlin: ["fun f(): Int = 1 // c", { keyword: "fun", number: "1", comment: "// c" }],
  swift: ['@main struct A { let x = "y" }', { meta: "@main", keyword: "struct", string: '"y"' }],
  dockerfile: ['# c\nFROM x AS y\nRUN echo "z"', { comment: "# c", keyword: "FROM", string: '"z"' }],
  diff: ["@@ -1 +1 @@\n-a\n+b", { meta: "@@ -1 +1 @@", deletion: "-a", addition: "+b" }],
  markdown: ["# T\n- **b** `c`", { section: "# T", keyword: "- ", title: "**b**", string: "`c`" }],
};

test("about twenty languages have their comments, words and strings marked", () => {
  const highlight = highlighter();
  assert.ok(Object.keys(SAMPLES).length >= 20);
  for (const [language, [source, wanted]] of Object.entries(SAMPLES)) {
    const marked = highlight(source, language).flatMap((leaf) => (typeof leaf === "string" ? [] : [leaf]));
    for (const [name, text] of Object.entries(wanted)) {
      const found = marked.find((leaf) => leaf.name === name);
      assert.deepEqual(found?.children, [text], `${language}: ${name}`);
    }
  }
});

test("what looks like code inside of a word, a string or a comment is none", () => {
  const highlight = highlighter();
  const none = (source: string, language: string, name: string): void => {
    const names = highlight(source, language).map((leaf) => (typeof leaf === "string" ? "" : leaf.name));
    assert.ok(!names.includes(name), `${language}: ${source}`);
  };
  none("informal = iffy", "python", "keyword");
  none("// if return", "go", "keyword");
  none('"class // x"', "java", "comment");
  none("echo a#b", "bash", "comment");
  none("v1beta2", "kotlin", "number");
  none("fn f<'a>(x: &'a T)", "rust", "string");
});

test("highlighted code joined is the code", () => {
  const highlight = highlighter();
  const next = chance(6);
  const text = (leaf: Leaf): string => (typeof leaf === "string" ? leaf : leaf.children.map(text).join(""));
  const parts = [...PIECES, "def f(x):\n", "let y = `a${b}`;", "/* c */", "#!/bin/sh\n", "<b>", "{}"];
  for (let count = 0; count < 1_500; count += 1) {
    const source = Array.from({ length: 12 }, () => pick(next, parts)).join("");
    const language = pick(next, [...Object.keys(SAMPLES), "none"]);
    const leaves = highlight(source, language);
    assert.equal(leaves.map(text).join(""), source, language);
    leaves.forEach((leaf) => check(leaf, source));
  }
});

function someSpans(next: () => number): readonly Span[] {
  const texts = ["x", "ls -la ", "😀", "é\u0301", "\ud83d", "word ".repeat(40), "\n"];
  return Array.from({ length: Math.floor(next() * 400) }, (): Span => {
    const kind = pick(next, ["plain", "code", "danger", "hidden", "spaces"] as const);
    const text = kind === "spaces" ? " ".repeat(9 + Math.floor(next() * 900)) : pick(next, texts);
    const shown = kind === "hidden" ? "U+202E" : kind === "spaces" ? `⟨${text.length} spaces⟩` : null;
    return { kind, text, shown };
  });
}

test("a folded text joined is the text, and its beginning and end are always drawn", () => {
  const next = chance(8);
  let folds = 0;
  for (let count = 0; count < 4_000; count += 1) {
    const spans = someSpans(next);
    const folded = foldSpans(spans);
    if (folded === null) {
      assert.ok(drawn(spans) <= MAX_WHOLE_LETTERS);
      continue;
    }
    folds += 1;
    const { head, middle, tail, size } = folded;
    const joined = exact([...head, ...middle, ...tail]);
    assert.equal(joined, exact(spans));
    assert.equal(size, drawn(middle));
    // A box is never cut, so the parts may be a box shorter or longer.
    assert.ok(Math.abs(drawn(head) - 600) <= 20, `head ${drawn(head)}`);
    assert.ok(Math.abs(drawn(tail) - 400) <= 20, `tail ${drawn(tail)}`);
    const cutInHalf = /[\ud800-\udbff]$/u;
    for (const part of [head, middle]) {
      const last = part.at(-1)?.text ?? "";
      if (spans.some(({ text }) => text === last)) continue;
      assert.doesNotMatch(last, cutInHalf);
    }
  }
  assert.ok(folds > 1_000);
});

test("a text of 2,000 characters is whole, and one of 2,001 is not", () => {
  assert.equal(foldSpans(plain("x".repeat(2_000))), null);
  assert.equal(foldSpans(plain("x".repeat(2_001)))?.size, 1_001);
});

test("of many entries the first and the last are always drawn, and none is cut", () => {
  const entries = Array.from({ length: 100 }, (_, at) => `line ${at} ${"x".repeat(40)}`);
  const folded = foldEntries(entries, (entry) => entry.length);
  assert.ok(folded !== null);
  assert.deepEqual([...folded.head, ...folded.middle, ...folded.tail], entries);
  assert.ok(folded.head.length > 5 && folded.tail.length > 5 && folded.middle.length > 50);
  assert.equal(
    foldEntries(["x".repeat(5_000)], (entry) => entry.length),
    null,
  );
});

test("every kind of body tells how much of it is hidden", () => {
  const long = plain("x".repeat(3_000));
  const lines = Array.from({ length: 200 }, () => ({ sign: "+", text: plain("a line of text") }) as const);
  const file = { path: plain("a"), uri: "file:///a", new: false, added: 200, removed: 0 };
  const hunks = [{ oldStart: 1, newStart: 1, heading: [], lines }];
  const rows = [{ name: plain("a"), value: long }];
  const bodies = [
    { kind: "shell", command: long, readable: true, parts: [], tail: "", cwd: [] },
    { kind: "edit", rows: [], files: [{ ...file, hunks }] },
    { kind: "read", paths: Array.from({ length: 200 }, () => plain("some/path/to/a/file")) },
    { kind: "other", rows, jsonText: [], picture: null },
    { kind: "trust", setting: "assent.x", value: long, effect: "", files: [] },
    { kind: "trust", setting: "", value: [], effect: "", files: [{ path: plain("a"), rows: [], text: long }] },
    { kind: "trust", setting: "", value: [], effect: "", files: [{ path: plain("a"), rows, text: [] }] },
  ] as const;
  for (const body of bodies) assert.ok(hiddenSize({ body, members: [] }) > 500, body.kind);
  const body = { kind: "read", paths: [plain("a")] } as const;
  assert.equal(hiddenSize({ body, members: [] }), 0);
  assert.equal(hiddenSize({ body, members: [{ name: plain("limit"), value: plain("1") }] }), 0);
  assert.ok(hiddenSize({ body, members: [{ name: plain("limit"), value: plain("x".repeat(5_000)) }] }) > 500);
});

test("a record says who decided and how it ended", () => {
  const heads = (["user", "rule", "mode", "hook"] as const).map((by) => signOf({ state: "succeeded", by }).head);
  assert.deepEqual(heads, ["Allowed", "Allowed by a rule", "Allowed by the mode", "Allowed by a hook"]);
  assert.equal(signOf({ state: "refused", by: "timeout" }).head, "Nobody answered");
  assert.equal(signOf({ state: "refused", by: "stop" }).head, "Stopped");
  assert.equal(signOf({ state: "failed", by: "user" }).head, "Allowed, failed");
  assert.equal(signOf({ state: "backgrounded", by: "user" }).head, "Allowed, ran in the background");
});

test("the codes that colour an output are left out, and nothing else", () => {
  assert.equal(uncoloured("\u001b[1;32mok\u001b[0m <b> [0m\u001b]8;;x\u0007y"), "ok <b> [0my");
});
