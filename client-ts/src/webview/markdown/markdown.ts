/**
 * Markdown as a tree of a few known tags.
 *
 * Only the lexer of `marked` is used; no markup is ever made of text. Whatever is not in the
 * closed set (HTML, images, links to anywhere but the web, mail and files) is drawn as the text it is.
 */

import { Lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { placeOf } from "../../shared/file-places";
import { safeAddress, type Block, type Branch, type Leaf } from "./nodes";

/** The blocks of a text, in order; their `raw` joined is the text, or `null` where it is not. */
export function blocks(text: string): readonly Block[] {
  const tokens = lexed(text);
  return tokens.map((token) => ({ raw: token.raw, leaves: block(token) }));
}

/** A text that the lexer cannot read, such as one nested too deeply, is drawn as it is. */
function lexed(text: string): readonly Token[] {
  try {
    return new Lexer({ gfm: true }).lex(text);
  } catch {
    return [{ type: "text", raw: text, text }];
  }
}

function block(token: Token): readonly Leaf[] {
  // The lexer's own tokens; those of extensions do not occur, and fall to the end.
  const known = token as MarkedToken;
  switch (known.type) {
    case "space":
    case "def":
      return [];
    case "heading":
      return [{ tag: "h2", number: known.depth, children: inline(known.tokens) }];
    case "code": {
      const name = known.lang?.trim().split(/\s/u)[0]?.toLowerCase();
      const code = { tag: "code", children: [known.text], ...(name ? { name } : {}) } as const;
      return [{ tag: "pre", children: [code] }];
    }
    case "blockquote":
      return [{ tag: "blockquote", children: known.tokens.flatMap(block) }];
    case "list":
      return [list(known)];
    case "hr":
      return [{ tag: "hr", children: [] }];
    case "table":
      return [table(known)];
    case "paragraph":
      return [{ tag: "p", children: inline(known.tokens) }];
    case "text":
      return [{ tag: "p", children: text(known) }];
    default:
      return [{ tag: "p", children: [known.raw] }];
  }
}

function list(token: Tokens.List): Branch {
  const children = token.items.map((item) => listItem(item));
  if (!token.ordered) return { tag: "ul", children };
  return { tag: "ol", children, number: token.start === "" ? 1 : token.start };
}

function listItem(item: Tokens.ListItem): Branch {
  const box = item.task ? [item.checked ? "☑ " : "☐ "] : [];
  const parts = item.tokens.flatMap((token): readonly Leaf[] => {
    if (token.type === "checkbox") return [];
    // The text of a tight item stands in no paragraph.
    return token.type === "text" ? text(token as Tokens.Text) : block(token);
  });
  return { tag: "li", children: [...box, ...parts] };
}

function table(token: Tokens.Table): Branch {
  const row = (cells: readonly Tokens.TableCell[], tag: "th" | "td"): Branch => ({
    tag: "tr",
    children: cells.map((cell) => ({ tag, children: inline(cell.tokens) })),
  });
  const head: Branch = { tag: "thead", children: [row(token.header, "th")] };
  const body: Branch = { tag: "tbody", children: token.rows.map((cells) => row(cells, "td")) };
  return { tag: "table", children: [head, body] };
}

function text(token: Tokens.Text): readonly Leaf[] {
  return token.tokens === undefined ? [decoded(token.text)] : inline(token.tokens);
}

function inline(tokens: readonly Token[]): readonly Leaf[] {
  return tokens.flatMap(inlineOne);
}

function inlineOne(token: Token): readonly Leaf[] {
  const known = token as MarkedToken;
  switch (known.type) {
    case "text":
      return text(known);
    case "escape":
      return [known.text];
    case "strong":
    case "em":
    case "del":
      return [{ tag: known.type, children: inline(known.tokens) }];
    case "codespan":
      return [placed(known.text, { tag: "code", children: [known.text] })];
    case "br":
      return [{ tag: "br", children: [] }];
    case "link":
      return [link(known)];
    case "image":
      return [{ tag: "span", name: "image", children: [`[image: ${known.text}]`] }];
    default:
      return [known.raw];
  }
}

function link(token: Tokens.Link): Leaf {
  // Of a link within a page, `src/a.py#L3` is the way to a line.
  const href = safeAddress(token.href) ?? token.href.replace(/#L(\d+)$/u, ":$1");
  const children = inline(token.tokens).flatMap(unlinked);
  return safeAddress(href) === null && placeOf(href) === null ? { tag: "span", children } : { tag: "a", href, children };
}

/** What stands in a link leads nowhere else. */
function unlinked(leaf: Leaf): readonly Leaf[] {
  if (typeof leaf === "string") return [leaf];
  const children = leaf.children.flatMap(unlinked);
  return leaf.tag === "a" ? children : [{ ...leaf, children }];
}

/** A name of a place in a file leads there. */
function placed(name: string, leaf: Leaf): Leaf {
  return placeOf(name) === null ? leaf : { tag: "a", href: name, children: [leaf] };
}

const ENTITIES: { readonly [name: string]: string } = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#39": "'",
  nbsp: "\u00a0",
};

/** The few character references that models write; any other stays as it is written. */
function decoded(source: string): string {
  return source.replace(/&(amp|lt|gt|quot|apos|#39|nbsp);/gu, (whole, name: string) => ENTITIES[name] ?? whole);
}
