/**
 * Has the Insights page say its sentences in the editor's language.
 *
 * The server marks each of them with what was put into it, and nothing of others in the page can
 * hold such a mark, so nothing is guessed: what is no sentence of ours stays to the letter.
 */

import { known, locale } from "../../shared/l10n";

/** A sentence that has no other within it: the sentence, and behind each sign a value. */
const MARKED = /\uE000([^\uE000\uE002]*)\uE002/gu;
const VALUE = "\uE001";
const PLACE = /\{([a-z])\}/gu;
const SIGNS: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
const NAMES: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(SIGNS).map(([sign, name]) => [name, sign]));

/** The page as a person reads it. */
export function inWords(html: string): string {
  let page = html.replace('<html lang="en">', `<html lang="${escaped(locale())}">`);
  for (let before = ""; before !== page; ) {
    before = page;
    page = page.replace(MARKED, (_, marked: string) => filled(marked.split(VALUE)));
  }
  return page;
}

/** Values are markup already; the sentence becomes some. */
function filled([sentence = "", ...values]: readonly string[]): string {
  const english = sentence.replace(/&(?:amp|lt|gt|quot|#x27);/gu, (name) => NAMES[name] ?? name);
  return escaped(known(english) ?? english).replace(PLACE, (_, letter: string) => values[letter.charCodeAt(0) - 97] ?? "");
}

function escaped(text: string): string {
  return text.replace(/["&'<>]/gu, (sign) => SIGNS[sign] ?? sign);
}
