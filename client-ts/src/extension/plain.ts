/**
 * Text of an agent, for places of the editor that read text as more than text.
 *
 * What comes out of here shows every character, and is neither a link nor an icon there.
 */

import type { Span } from "../protocol";

/** What a person reads of these spans: hidden characters are drawn by their names. */
export function plain(spans: readonly Span[]): string {
  return spans.map((span) => span.shown ?? span.text).join("");
}

/** The exact characters of these spans. */
export function exact(spans: readonly Span[]): string {
  return spans.map((span) => span.text).join("");
}

/**
 * The same text for labels, tooltips and notifications.
 *
 * There `$(name)` becomes an icon and `[text](command:name)` a link that runs a command. A word
 * joiner, which is not seen, keeps both from being read so.
 */
export function inert(text: string): string {
  return text.replace(/\$\(/gu, "$\u2060(").replace(/\]\(/gu, "]\u2060(");
}

/** One thing or several, with its number. */
export function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}
