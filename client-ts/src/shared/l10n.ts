/**
 * What both halves say, in the editor's language.
 *
 * The key of a sentence is the sentence in English, and one without a translation is said as it
 * is. What stands in the places is never looked up: it is an agent's, a name, a number.
 */

/** Sentences by the English ones. */
export type Words = Readonly<Record<string, string>>;

let words: ReadonlyMap<string, string> = new Map();
let language = "en";

/** From now on, say it like this. Tables of a module are made once, so this comes first. */
export function speak(next: Words, of: string): void {
  words = new Map(Object.entries(next));
  language = of;
}

/** What stands for this in the editor's language. */
export function known(key: string): string | undefined {
  return words.get(key);
}

/** The language, for numbers and dates. */
export function locale(): string {
  return language;
}

/** A sentence, with the others in its places. */
export function t(sentence: string, ...others: readonly (string | number)[]): string {
  return mixed(sentence, ...others).join("");
}

/** The same about one thing or several; their number comes before the others. */
export function many(count: number, one: string, several: string, ...others: readonly (string | number)[]): string {
  return t(count === 1 ? one : several, count, ...others);
}

/** The parts of a sentence, with more than text in its places. */
export function mixed<T>(sentence: string, ...others: readonly T[]): readonly (string | T)[] {
  return (words.get(sentence) ?? sentence).split(/\{(\d)\}/u).map((part, at) => (at % 2 ? (others[Number(part)] as T) : part));
}
