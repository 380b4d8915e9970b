/**
 * What the server says, in the editor's language.
 *
 * The server speaks English: the same sentence stands in the journal, the log and on the command
 * line. A sentence that is known, to the letter but for what was put into it, is said in other
 * words here; every other stays as it came. What was put into it is never looked up, unless the
 * place is marked as one for a word of ours (`{A}`), and where it could have been put in in two
 * ways, nothing is guessed. So a translation says of a call what its English sentence says.
 */

import { known, knownKeys } from "./l10n";
import type { Span } from "./protocol";

const PLACE = /\{([a-z])\}/giu;
const BETWEEN = /(?<=\.) (?=[\p{Lu}`])/u;
const MOST = 2_000;

/** Keys with places, and what they match; the one that says most by itself comes first. */
let patterns: readonly (readonly [string, RegExp])[] | null = null;
const before = new Map<string, string>();

/** One sentence, or several in a row that are all known. */
export function said(text: string): string {
  if (knownKeys().length === 0) return text;
  const already = before.get(text);
  if (already !== undefined) return already;
  const each = text.split(BETWEEN).map(one);
  const now = each.includes(null) ? (one(text) ?? text) : each.join(" ");
  if (before.size > MOST) before.clear();
  before.set(text, now);
  return now;
}

/** A text of which only the plain parts are ours: those are pieces of a title, or of a line. */
export function titled(parts: readonly Span[]): readonly Span[] {
  return parts.map((part) =>
    part.kind === "plain" && part.shown === null ? { ...part, text: part.text.replace(/\S(?:.*\S)?/su, said) } : part);
}

function one(text: string): string | null {
  const exact = known(text);
  if (exact !== undefined) return exact;
  patterns ??= knownKeys()
    .filter((key) => key.search(PLACE) >= 0)
    .sort((a, b) => b.replace(PLACE, "").length - a.replace(PLACE, "").length)
    .map((key) => [key, new RegExp(`^${key.replace(/[$()*+.?[\\\]^|]/gu, "\\$&").replace(PLACE, "(.+)")}$`, "su")]);
  for (const [key, much] of patterns) {
    const found = much.exec(text);
    if (found === null) continue;
    // Each place takes as much as it can, and then as little: there must be no other way.
    const little = new RegExp(much.source.replaceAll("+)", "+?)"), "su").exec(text);
    return found.join() === little?.join() ? filled(key, found) : null;
  }
  return null;
}

/** The translation, with what was found in its places. */
function filled(key: string, found: readonly string[]): string {
  const places: readonly string[] = key.match(PLACE) ?? [];
  return (known(key) ?? key).replace(PLACE, (place, letter: string) => {
    const text = found[places.indexOf(place) + 1] ?? "";
    return letter < "a" ? (known(text) ?? text) : text;
  });
}
