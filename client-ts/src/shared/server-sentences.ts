/**
 * What the server says, in the editor's language.
 *
 * The server speaks English: the same sentence stands in the journal, the log and on the command
 * line. Who reads its sentences in another language (`sentence-reader.ts`) is named by whoever knows which
 * language that is; until then, and in English, each stays as it came.
 */

import type { Span } from "./protocol";

let read = (text: string): string => text;

/** From now on, have what the server says read by this. */
export function readBy(reading: (text: string) => string): void {
  read = reading;
}

/** One sentence, or several in a row that are all known. */
export function said(text: string): string {
  return read(text);
}

/** A text of which only the plain parts are ours: those are pieces of a title, or of a line. */
export function titled(parts: readonly Span[]): readonly Span[] {
  return parts.map((part) =>
    part.kind === "plain" && part.shown === null ? { ...part, text: part.text.replace(/\S(?:.*\S)?/su, said) } : part,
  );
}

/** Exact text, of which only what is said of it is ours: it stands for no letter of the text. */
export function noted(parts: readonly Span[]): readonly Span[] {
  return parts.map((part) =>
    part.kind === "hidden" && part.text === "" && part.shown !== null ? { ...part, shown: said(part.shown) } : part,
  );
}
