/** Plain text of others, in which nothing stays unseen. */

import { html, type TemplateResult } from "lit/html.js";

/** Controls, marks of direction, blanks without width, what no font draws; a blank is no such. */
const UNSEEN = /([\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}\u3164\u115f\u1160\u2800\uffa0])/u;

/** The text with a box for each character that would not be seen. */
export function seen(text: string): readonly (string | TemplateResult)[] {
  return text.split(UNSEEN).map((piece) => (UNSEEN.test(piece) ? boxed(piece) : piece));
}

function boxed(character: string): TemplateResult {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return html`<span class="boxed">U+${code}</span>`;
}
