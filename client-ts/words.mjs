/**
 * Collects what the extension and its pages say: `node words.mjs` prints it as JSON.
 *
 * `said` are the sentences that are looked up in the editor's language, `unsaid` the literals that
 * look as if a person would read them and are not. `tests/house/test_languages.py` holds the first
 * against the bundles, and wants none of the second.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const ROOT = join(import.meta.dirname, "src");

/** Whose literals are not for a person who uses it, and why. */
const FILES = new Map([
  ["shared/protocol.ts", "generated"],
  ["extension/server/bridge.ts", "said of a page that is not ours"],
  ["extension/editor/html-page.ts", "markup"],
  ["extension/history/insights-page.ts", "markup"],
  ["extension/editor/page-requests.ts", "commands"],
  ["extension/workspace/open-editors.ts", "told to the agent"],
  ["extension/terminals/terminal-selection.ts", "told to the agent"],
  ["extension/cards/text-documents.ts", "names of documents, and what nobody can do with them"],
  ["webview/mynah/card.ts", "another view, in its own language"],
  ["webview/mynah/main.ts", "selectors"],
  ["webview/cards/command-parts.ts", "words of a shell"],
  ["webview/cards/touches.ts", "what the server calls it, in English, which is looked for"],
  ["webview/markdown/highlight.ts", "names of languages"],
  ["webview/markdown/nodes.ts", "names of elements"],
  ["webview/page/sight.ts", "selectors"],
  ["webview/page/surface.ts", "selectors"],
]);

/** Literals that stay, and why. */
const STAY = new Map([
  ["Assent", "a name"],
  ["Eliza", "a name"],
  ["Ollama", "a name"],
  ["Anthropic, OpenAI, compatible", "names"],
  ["JSON Lines", "a name"],
  ["Markdown", "a name"],
  ["User", "a folder of the editor"],
  ["NothingToStart", "an error's name"],
  ["DifferentVersions", "an error's name"],
  ["import sys", "Python"],
  ["New chat", "what the server calls a chat that has no name, which is looked for"],
  ["Go on.", "said to the agent"],
  ["From `{}`, {}:", "said to the agent"],
  ["lines {} to {}", "said to the agent"],
  ["it gave no reason", "said to the server"],
  ["read README.md", "what Eliza understands"],
  ["write notes.txt hello", "what Eliza understands"],
  ["run ls -la", "what Eliza understands"],
  ["two calls", "what Eliza understands"],
  [".offers button", "a selector"],
  ["What waits could not be asked for: {}", "for the log"],
  ["The view sent what is no message: {}", "for the log"],
  ["The server runs as process {}: {}", "for the log"],
  ["This page may not send `{}`.", "said of a page that is not ours"],
  ["Review", "what a button is, by its English name"],
  ["Deny", "what a button is, by its English name"],
  ["Allow", "what a button is, by its English name"],
]);

/** Attributes that are read out or shown. */
const SHOWN = new Set(["title", "aria-label", "placeholder", "alt"]);
const KEY_OF = { t: [0], mixed: [0], many: [1, 2] };
const KEYS = /^(?:Enter|Escape|Tab|Backspace|Home|End|Arrow\w+)$/u;

const said = new Set();
const unsaid = [];
const stayed = new Set();

for (const file of readdirSync(ROOT, { recursive: true })
  .map((name) => name.replaceAll("\\", "/"))
  .sort()) {
  if (file.endsWith(".ts") && file !== "shared/l10n.ts") read(file);
}
const gone = [...STAY.keys()].filter((text) => !stayed.has(text)).concat([...FILES.keys()].filter((file) => !stayed.has(file)));
console.log(JSON.stringify({ said: [...said].sort(), unsaid, gone }));

function read(file) {
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), "utf8"), ts.ScriptTarget.Latest, true);
  const isLeft = FILES.has(file);
  if (isLeft) stayed.add(file);
  visit(source);

  function visit(node) {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    const places = ts.isCallExpression(node) && ts.isIdentifier(node.expression) ? (KEY_OF[node.expression.text] ?? []) : [];
    for (const [at, argument] of (node.arguments ?? []).entries()) {
      if (places.includes(at)) keysOf(argument).forEach((key) => said.add(key));
      else if (places.length > 0) visit(argument);
    }
    if (places.length > 0) return;
    if (ts.isTaggedTemplateExpression(node)) {
      if (node.tag.getText(source) === "html") shownIn(textOf(node.template)).forEach((text) => note(node, text, true));
      if (ts.isTemplateExpression(node.template)) node.template.templateSpans.forEach(({ expression }) => visit(expression));
      return;
    }
    if (ts.isStringLiteralLike(node) && !isCompared(node)) note(node, node.text, false);
    if (ts.isTemplateExpression(node)) note(node, textOf(node), false);
    ts.forEachChild(node, visit);
  }

  function keysOf(node) {
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isConditionalExpression(node)) {
      visit(node.condition);
      return [...keysOf(node.whenTrue), ...keysOf(node.whenFalse)];
    }
    throw new Error(`${file}: a sentence is looked up that is no literal: ${node.getText(source)}`);
  }

  function note(node, text, isShown) {
    if (isLeft || !(isShown ? /[A-Za-z]{2,}/u.test(text) : isForPerson(text))) return;
    if (STAY.has(text)) stayed.add(text);
    else if (!KEYS.test(text)) unsaid.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}: ${text}`);
  }
}

/** A template's text, `{}` where something else stands in it. */
function textOf(node) {
  return ts.isTemplateExpression(node)
    ? [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join("{}")
    : node.text;
}

/** Whether it looks like words: two of them, or one that begins like a label. */
function isForPerson(text) {
  const bare = text
    .replaceAll("{}", "")
    .replace(/\$\([\w~-]+\)/gu, "")
    .trim();
  if (/^[\w-]*[./:#][\w./:#-]*$|^[\w-]+='?$|^[\w-]+-src\b|^trusted-types\b|^[a-z-]+:|[{}[\]]/u.test(bare)) return false;
  return (
    /[A-Za-z]{2,}/u.test(bare) &&
    (/\p{L}['’]?\p{L}* +\p{L}/u.test(bare) || /^[^\p{L}]*\p{Lu}\p{Ll}+/u.test(bare) || /^[,;] \p{L}/u.test(bare))
  );
}

/** What of some markup is drawn, or read out. */
function shownIn(markup) {
  const [texts, rest] = [[], markup.replaceAll(/<(?:"[^"]*"|[^>"])*>/gu, (tag) => `\u0000${tag}\u0000`)];
  for (const part of rest.split("\u0000")) {
    if (!part.startsWith("<")) texts.push(part.replaceAll("{}", "").trim());
    else for (const [, name, value] of part.matchAll(/([\w-]+)="([^"]*)"/gu)) if (SHOWN.has(name)) texts.push(value.replaceAll("{}", ""));
  }
  return texts;
}

/** What a value is held against, or what a member is called, is said to nobody. */
function isCompared(node) {
  const { parent } = node;
  const compares = [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken, ts.SyntaxKind.InKeyword];
  return (
    ts.isCaseClause(parent) ||
    ts.isElementAccessExpression(parent) ||
    ts.isLiteralTypeNode(parent) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    (ts.isBinaryExpression(parent) && compares.includes(parent.operatorToken.kind))
  );
}
