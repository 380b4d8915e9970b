/** What a command printed, in which each line that came on standard error begins with a sign. */

import { html, type TemplateResult } from "lit/html.js";
import { endOf, stretchesOf, uncoloured } from "../../shared/command-output";

/** At most so many letters of its end. */
export function printedLines(text: string, errors: readonly number[], most: number): readonly (TemplateResult | string)[] {
  const [end, numbers] = endOf(text, errors, most);
  const drawn: (TemplateResult | string)[] = [];
  for (const stretch of stretchesOf(end, numbers)) {
    if (!stretch.isError) drawn.push(uncoloured(stretch.text));
    else for (const line of stretch.text.split(/(?<=\n)/u)) drawn.push(html`<span class="errline">${uncoloured(line)}</span>`);
  }
  return drawn;
}
