/** What messages are made of: a closed set of tags, and links that lead to the web, to mail or to a file. */

/** Every tag that a message can be made of. */
export const TAGS = [
  "p",
  "h2",
  "strong",
  "em",
  "del",
  "code",
  "pre",
  "blockquote",
  "ul",
  "ol",
  "li",
  "hr",
  "br",
  "a",
  "table",
  "thead",
  "tbody",
  "tr",
  "th",
  "td",
  "span",
] as const;

export type Tag = (typeof TAGS)[number];

/** One element; a text is a string. */
export interface Branch {
  readonly tag: Tag;
  readonly children: readonly Leaf[];
  /** Where a link goes: http, https, mailto, or a place in a file. */
  readonly href?: string;
  /** The language of a code block, or the scope of a stretch of highlighted code. */
  readonly name?: string;
  /** The first number of a list, or the depth of a heading. */
  readonly number?: number;
}

export type Leaf = string | Branch;

/** A stretch of the source, and what it draws. */
export interface Block {
  readonly raw: string;
  readonly leaves: readonly Leaf[];
}

/** The address, if a link may go there. */
export function safeAddress(href: string): string | null {
  try {
    const { protocol } = new URL(href);
    return ["http:", "https:", "mailto:"].includes(protocol) ? href : null;
  } catch {
    return null;
  }
}
