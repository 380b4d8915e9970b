/** What a command printed: what came on standard error is marked, and places in files are links. */

import type { TemplateResult } from "lit/html.js";
import { endOf, stretchesOf, uncoloured } from "../../shared/command-output";
import { PATH, placeOf } from "../../shared/file-places";
import { html } from "../dom/lent-tools";

/** In an output only what says its line, too: as compilers and tests do, and as Python does. */
const PLACES = new RegExp(
  String.raw`(?<=File ")([^"\n]{1,500})(?:", line (\d{1,7}))|(?<=^|[\s("'=<])(?:${PATH}):\d{1,7}(?::\d{1,7})?(?!\w)`,
  "gmu",
);

/** Some output, and at most how many letters of its end are drawn. */
export interface Printed {
  readonly text: string;
  readonly errors: readonly number[];
  readonly most: number;
}

/** The end of an output. */
export function printed({ text, errors, most }: Printed): TemplateResult {
  const stretches = stretchesOf(...endOf(text, errors, most));
  return html`${stretches.map(({ text: part, isError }, at) => {
    // What came on standard error is a block, which begins and ends a line by itself.
    const isLine = isError || stretches[at + 1] !== undefined;
    const drawn = linked(uncoloured(isLine ? part.replace(/\n$/u, "") : part));
    return isError ? html`<span class="errors">${drawn}</span>` : drawn;
  })}`;
}

function linked(text: string): readonly (TemplateResult | string)[] {
  return withPlaces(text).map(({ text: part, leads }) => (leads === null ? part : html`<a href=${leads}>${part}</a>`));
}

/** A text in pieces; those that name a place, with what leads there. */
export function withPlaces(text: string): readonly { readonly text: string; readonly leads: string | null }[] {
  const pieces: { readonly text: string; readonly leads: string | null }[] = [];
  let at = 0;
  for (const found of text.matchAll(PLACES)) {
    const [whole, file, line] = found;
    const named = file ?? whole;
    const leads = line === undefined ? named : `${named}:${line}`;
    if (placeOf(leads) === null) continue;
    pieces.push({ text: text.slice(at, found.index), leads: null }, { text: named, leads });
    at = found.index + named.length;
  }
  pieces.push({ text: text.slice(at), leads: null });
  return pieces;
}
