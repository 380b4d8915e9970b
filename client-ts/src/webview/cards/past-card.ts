/**
 * A card that is over, as it was shown: all of it open, and nothing in it to press.
 *
 * Its buttons are off by the fieldset around them, whatever they would do.
 */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { said } from "../../shared/server-sentences";
import type { Card } from "../../shared/protocol";
import type { Hand } from "../state/hand";
import { title } from "../dom/spans";
import { body, bodyName } from "./body";
import { because, consequence, says } from "./card";
import { touches, touchesOf } from "./touches";

/** Nobody's: what is pressed does nothing. */
const NOBODY: Hand = { act: () => undefined, press: () => ({ trusted: false, detail: 0, repeat: false, downAt: 0 }) };

/** All that the card said, in the order in which it said it. */
export function pastCard(what: Card, label: string): TemplateResult {
  return html`<fieldset class="past" disabled data-testid="past-card">
    <legend>${label}</legend>
    <section class="card" role="group" data-level=${what.level} aria-labelledby="card-title">
      <div class="head">
        <div class="small"><bdi class="agent">${what.agentName}</bdi>${what.mode === "" ? nothing : html`<span class="dot" aria-hidden="true">·</span><span class="mode">${said(what.mode)}</span>`}</div>
        <h2 class="title" id="card-title">${title(what.title)}</h2>
        ${consequence(what)}
      </div>
      <div class="body" role="region" aria-label=${bodyName(what.body)}>
        ${body(what, true, NOBODY)}${touches(touchesOf(what))}${because(what.because)}${says(what)}
      </div>
      <div class="acts">${what.options.map(({ label: words, rules }) => html`<button class="second" disabled title=${rules.join("\n")}>${said(words)}</button>`)}</div>
    </section>
  </fieldset>`;
}
