/**
 * Reads what the server says, and says it in other words.
 *
 * A sentence that is known, to the letter but for what was put into it, is said in other words
 * here; every other stays as it came. What was put into it is known by its marks and never looked
 * up: it stands between back-ticks or quotes, which the server lets nothing of others end, or
 * behind a colon until the end. Where something without marks could have been put in in two ways,
 * or could be a sentence of its own, nothing is guessed and all of it stays English. Only a place
 * that is marked as one for words of ours (`{A}`) is said in other words, too. So a translation
 * says of a call what its English sentence says.
 */

import type { Words } from "./l10n";

const PLACE = /\{([a-z])\}/giu;
/** What is marked as somebody's, as the server marks it. */
const MARKED = /`[^`]*`|“[^”]*”/gu;
/** One letter stands for each such stretch while a text is read; no text that is read has one. */
const FIRST = 0xe000;
const MARK = "[\\uE000-\\uE7FF]";
const PRIVATE = /[\uE000-\uF8FF]/u;
const BETWEEN = new RegExp(`(?<=\\.) (?=\\p{Lu}|${MARK})`, "u");
/** A stretch in which no sentence ends. */
const WITHIN = `(?:(?!(?<=\\.) (?:\\p{Lu}|${MARK})).)+`;
/** Behind this somebody else says the rest. */
const OPEN = /(?:: |\n)$/u;
/** Marked names and numbers in a row, which no sentence could be a part of. */
const NAMES = new RegExp(`^(?:${MARK}|, | and | more|[\\d., :])*$`, "u");
const MAX_TEXT_LETTERS = 20_000;
const MAX_SENTENCES = 24;
const MIN_KEY_LETTERS = 4;
const MAX_CACHED_TEXTS = 2_000;

/** A sentence with places, and how it is found. */
interface Pattern {
  readonly key: string;
  /** A part that stands in it in any case. */
  readonly literal: string;
  readonly much: RegExp;
  readonly little: RegExp;
  /** What of the sentence each group stands for: a place, or something marked with places in it. */
  readonly groups: readonly string[];
  /** Whether it begins or ends with a place without marks, to which sentences beside it could belong. */
  readonly startsOpen: boolean;
  readonly endsOpen: boolean;
}

/** What is known, while a text is read. */
interface Known {
  readonly words: ReadonlyMap<string, string>;
  readonly patterns: readonly Pattern[];
  readonly read: (text: string) => string;
}

/** Who says in these words what the server says; what finds them is made for the first of it. */
export function reader(words: Words): (text: string) => string {
  const before = new Map<string, string>();
  let known: Known | null = null;
  const read = (text: string): string => {
    const already = before.get(text);
    if (already !== undefined) return already;
    known ??= { words: new Map(Object.entries(words)), patterns: patternsOf(Object.keys(words)), read };
    const now = text.length > MAX_TEXT_LETTERS || PRIVATE.test(text) ? text : (new Reading(text, known).said() ?? text);
    if (before.size > MAX_CACHED_TEXTS) before.clear();
    before.set(text, now);
    return now;
  };
  return read;
}

/** A text that is read, and what is marked in it. */
class Reading {
  readonly #marked: string[] = [];
  readonly #plain: string;
  readonly #known: Known;

  constructor(text: string, known: Known) {
    this.#known = known;
    this.#plain = text.replace(MARKED, (stretch) => String.fromCharCode(FIRST + this.#marked.push(stretch) - 1));
  }

  said(): string | null {
    return this.#marked.length > 0x7ff ? null : this.#row(this.#plain.split(BETWEEN));
  }

  /** Sentences in a row, of which each that is said takes as many parts as it can. */
  #row(parts: readonly string[], isFirst = true): string | null {
    if (parts.length > MAX_SENTENCES) return null;
    for (let count = parts.length; count > 0; count -= 1) {
      const isLast = count === parts.length;
      const first = this.#one(parts.slice(0, count).join(" "), isFirst, isLast);
      const rest = first === null || isLast ? "" : this.#row(parts.slice(count), false);
      if (first !== null && rest !== null) return rest === "" ? first : `${first}${first.endsWith("。") ? "" : " "}${rest}`;
    }
    return null;
  }

  #one(plain: string, isFirst: boolean, isLast: boolean): string | null {
    const exact = this.#known.words.get(this.#whole(plain));
    if (exact !== undefined) return exact;
    for (const { key, literal, much, little, groups, startsOpen, endsOpen } of this.#known.patterns) {
      const found = plain.includes(literal) ? much.exec(plain) : null;
      const values = found === null ? null : this.#values(groups, found.slice(1));
      if (found === null || values === null) continue;
      // Each place takes as much as it can, and then as little: there must be no other way.
      const isOneWay = found.join() === little.exec(plain)?.join();
      const isApart = (isFirst || !startsOpen || NAMES.test(found[1] ?? "")) && (isLast || !endsOpen || NAMES.test(found.at(-1) ?? ""));
      return isOneWay && isApart ? this.#filled(key, values) : null;
    }
    return null;
  }

  /** What stands in each place; null where something marked is not what the sentence has there. */
  #values(groups: readonly string[], found: readonly string[]): ReadonlyMap<string, string> | null {
    const values = new Map<string, string>();
    for (const [at, group] of groups.entries()) {
      const whole = this.#whole(found[at] ?? "");
      const inner = new RegExp(`^${escaped(group).replace(PLACE, "(.*)")}$`, "su").exec(whole);
      if (inner === null) return null;
      [...group.matchAll(PLACE)].forEach(([place], nth) => values.set(place, inner[nth + 1] ?? ""));
    }
    return values;
  }

  /** The translation, with what was found in its places. */
  #filled(key: string, values: ReadonlyMap<string, string>): string {
    return (this.#known.words.get(key) ?? key).replace(PLACE, (place, letter: string) => {
      const text = values.get(place) ?? "";
      return letter < "a" ? this.#known.read(text) : text;
    });
  }

  /** A part of it, as it came. */
  #whole(plain: string): string {
    return plain.replace(new RegExp(MARK, "gu"), (mark) => this.#marked[mark.charCodeAt(0) - FIRST] ?? "");
  }
}

/** Make what finds each sentence with places; the one that says most by itself comes first. */
function patternsOf(keys: readonly string[]): readonly Pattern[] {
  return keys
    .filter((key) => key.search(PLACE) >= 0 && (/\{[A-Z]\}/u.test(key) || letters(key) >= MIN_KEY_LETTERS))
    .sort((a, b) => b.replace(PLACE, "").length - a.replace(PLACE, "").length)
    .map(pattern);
}

function pattern(key: string): Pattern {
  const groups: string[] = [];
  const parts = key.split(/(`[^`]*`|“[^”]*”|\{[a-z]\})/iu);
  const source = parts
    .map((part, at) => {
      if (at % 2 === 0) return escaped(part);
      groups.push(part);
      if (!part.startsWith("{")) return `(${MARK})`;
      const rest = parts.slice(at + 1).join("");
      // What others say last may hold anything, and words of ours may be several sentences.
      const isWide = /^\{[A-Z]/u.test(part) || ((rest === "" || rest === ".") && OPEN.test(parts[at - 1] ?? ""));
      return isWide ? "(.+)" : `(${WITHIN})`;
    })
    .join("");
  const literal = parts.filter((_, at) => at % 2 === 0).reduce((longest, part) => (part.length > longest.length ? part : longest), "");
  return {
    key,
    literal,
    much: new RegExp(`^${source}$`, "su"),
    little: new RegExp(`^${source.replaceAll("+)", "+?)")}$`, "su"),
    groups,
    startsOpen: /^\{[a-z]\}/u.test(key),
    endsOpen: /\{[a-z]\}[.)]*$/u.test(key),
  };
}

function escaped(text: string): string {
  return text.replace(/[$()*+.?[\\\]^|]/gu, "\\$&").replace(/\{(?![a-z]\})|(?<!\{[a-z])\}/giu, "\\$&");
}

function letters(key: string): number {
  return key.replace(PLACE, "").replace(/\P{L}/gu, "").length;
}
