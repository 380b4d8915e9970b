/**
 * Text of an agent, for places of the editor that read text as more than text.
 *
 * What comes out of here is neither a link nor an icon there.
 */

/**
 * A text for labels, tooltips and notifications.
 *
 * There `$(name)` becomes an icon and `[text](command:name)` a link that runs a command. A word
 * joiner, which is not seen, keeps both from being read so.
 */
export function inert(text: string): string {
  return text.replace(/\$\(/gu, "$\u2060(").replace(/\]\(/gu, "]\u2060(");
}

/** The beginning of a text, of so many units at most; no letter of two is cut in half. */
export function beginningOf(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/u, "");
}
