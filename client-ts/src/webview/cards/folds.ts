/**
 * Long texts: what is always seen, and what must be opened before anything is allowed.
 *
 * Up to `MAX_WHOLE_LETTERS` characters are drawn whole. Of more, the beginning and the end are always drawn,
 * so that nothing hides behind a long middle. The parts joined are the text, byte for byte.
 */

import type { Body, Card, HunkLine, Row, Span } from "../../shared/protocol";

export const MAX_WHOLE_LETTERS = 2_000;
const HEAD_LETTERS = 600;
const TAIL_LETTERS = 400;

/** A long list in three parts; the middle draws `size` characters, and is `count` characters or entries. */
export interface Folded<T> {
  readonly head: readonly T[];
  readonly middle: readonly T[];
  readonly tail: readonly T[];
  readonly size: number;
  readonly count: number;
}

/** How many characters these spans draw. */
export function drawn(spans: readonly Span[]): number {
  return spans.reduce((sum, span) => sum + (span.shown ?? span.text).length, 0);
}

/** The exact characters of these spans. */
export function exact(spans: readonly Span[]): string {
  return spans.map((span) => span.text).join("");
}

/** The spans in three parts, or null where they are drawn whole. */
export function foldSpans(spans: readonly Span[]): Folded<Span> | null {
  const total = drawn(spans);
  if (total <= MAX_WHOLE_LETTERS) return null;
  const [head, rest] = cut(spans, HEAD_LETTERS);
  const [middle, tail] = cut(rest, total - drawn(head) - TAIL_LETTERS);
  const size = drawn(middle);
  return { head, middle, tail, size, count: size };
}

/** The entries in three parts, or null where they are drawn whole; entries are never cut. */
export function foldEntries<T>(entries: readonly T[], size: (entry: T) => number): Folded<T> | null {
  const sizes = entries.map(size);
  if (sum(sizes) <= MAX_WHOLE_LETTERS) return null;
  const head = Math.max(1, within(sizes, HEAD_LETTERS));
  const tail = Math.max(1, within(sizes.slice(head).reverse(), TAIL_LETTERS));
  const end = Math.max(head, entries.length - tail);
  if (end === head) return null;
  return {
    head: entries.slice(0, head),
    middle: entries.slice(head, end),
    tail: entries.slice(end),
    size: sum(sizes.slice(head, end)),
    count: end - head,
  };
}

/** How many characters of what is asked for are hidden until somebody opens them. */
export function hiddenSize({ body, members }: Pick<Card, "body" | "members">): number {
  return bodySize(body) + rowsSize(members);
}

function bodySize(body: Body): number {
  switch (body.kind) {
    case "shell":
      return foldSpans(body.command)?.size ?? 0;
    case "edit":
      return rowsSize(body.rows) + sum(body.files.map((file) => foldEntries(linesOf(file.hunks), lineSize)?.size ?? 0));
    case "read":
      return foldEntries(body.paths, drawn)?.size ?? 0;
    case "other":
      return rowsSize(body.rows);
    case "plan":
    case "question":
      return 0;
    case "form":
      return foldSpans(body.message)?.size ?? 0;
    case "trust":
      return (foldSpans(body.value)?.size ?? 0) + sum(body.files.map(({ rows, text }) => rowsSize(rows) + (foldSpans(text)?.size ?? 0)));
  }
}

/** The lines of all hunks. */
export function linesOf(hunks: readonly { readonly lines: readonly HunkLine[] }[]): readonly HunkLine[] {
  return hunks.flatMap((hunk) => hunk.lines);
}

export function lineSize(line: HunkLine): number {
  return drawn(line.text) + 1;
}

/** How many characters of a row are drawn: of a long value its beginning and its end. */
export function rowSize(row: Row): number {
  const folded = foldSpans(row.value);
  return drawn(row.name) + drawn(row.value) - (folded?.size ?? 0);
}

function rowsSize(rows: readonly Row[]): number {
  const values = rows.map((row) => foldSpans(row.value)?.size ?? 0);
  return sum(values) + (foldEntries(rows, rowSize)?.size ?? 0);
}

/** The spans up to this many drawn characters, and the rest. */
function cut(spans: readonly Span[], at: number): readonly [readonly Span[], readonly Span[]] {
  let left = at;
  for (const [index, span] of spans.entries()) {
    const size = (span.shown ?? span.text).length;
    if (size > left) return cutSpan(spans, index, left);
    left -= size;
  }
  return [spans, []];
}

/** A span that stands for something unseen stays whole; no character is cut in half. */
function cutSpan(spans: readonly Span[], index: number, at: number): readonly [readonly Span[], readonly Span[]] {
  const span = spans[index];
  if (span === undefined) return [spans, []];
  if (span.shown !== null || at <= 0) return [spans.slice(0, index), spans.slice(index)];
  const inside = /[\udc00-\udfff]/u.test(span.text.charAt(at)) ? at - 1 : at;
  const [before, after] = [span.text.slice(0, inside), span.text.slice(inside)];
  return [
    [...spans.slice(0, index), { ...span, text: before }],
    [{ ...span, text: after }, ...spans.slice(index + 1)],
  ];
}

function within(sizes: readonly number[], limit: number): number {
  let total = 0;
  const past = sizes.findIndex((size) => (total += size) > limit);
  return past < 0 ? sizes.length : past;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
