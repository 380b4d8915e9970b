/** How it is drawn what a person names in a prompt: the list for a word, and a chip for each. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { t } from "../../shared/l10n";
import { said } from "../../shared/server-sentences";
import type { Said } from "../../shared/protocol";
import type { Hand } from "../state/hand";
import { cross } from "../dom/icons";
import type { State } from "../state/model";
import { mentionOf } from "./mentions";

const LIST = "mentions";

/** A name whose end stays to be seen where it has no room: that is what tells files apart. */
function whole(name: string): TemplateResult {
  const at = name.lastIndexOf("/") + 1;
  return html`<span class="whole">${at === 0 ? nothing : html`<bdi class="way">${name.slice(0, at)}</bdi>`}<bdi>${name.slice(at)}</bdi></span>`;
}

/** What a word behind an `@` could mean, above what is written. */
export function mentions(state: State, hand: Hand): TemplateResult | typeof nothing {
  const mention = mentionOf(state);
  if (mention === null) return nothing;
  return html`<ul class="commands mentions" id=${LIST} data-testid="mentions" role="listbox" aria-label=${t("What is meant")}>
    ${mention.found.map(
      ({ name, says }, at) => html`<li
      role="option" aria-label=${says === "" ? name : nothing} id=${`${LIST}-${at}`} aria-selected=${at === mention.at} title=${name}
      @mousedown=${(event: Event) => event.preventDefault()}
      @click=${() => hand.act({ kind: "naming", step: { kind: "take", at } })}
    >${whole(name)}${says === "" ? nothing : html` <span class="muted">${said(says)}</span>`}</li>`,
    )}
  </ul>`;
}

/** The entry of the list that Enter takes, by its id; nothing while there is no list. */
export function active(state: State): string | typeof nothing {
  const mention = mentionOf(state);
  return mention === null ? nothing : `${LIST}-${mention.at}`;
}

/** The list itself, by its id; nothing while there is none. */
export function list(state: State): string | typeof nothing {
  return mentionOf(state) === null ? nothing : LIST;
}

/** One button for each thing that goes with the message, which takes it off. */
export function chips({ references }: State, hand: Hand): TemplateResult | typeof nothing {
  if (references.length === 0) return nothing;
  return html`<div class="attachments" data-testid="references" role="group" aria-label=${t("Named in this message")}>
    ${references.map(({ name }, at) => html`<button type="button" class="second name" title=${t("Take off {0}", name)} aria-label=${t("Take off {0}", name)} @click=${() => hand.act({ kind: "naming", step: { kind: "drop", at } })}>${whole(name)}${cross()}</button>`)}
  </div>`;
}

/** What was named beside a message that was sent. */
export function namedIn({ references }: Said): TemplateResult | typeof nothing {
  if (references.length === 0) return nothing;
  return html`<ul class="named" data-testid="named" aria-label=${t("Named in this message")}>${references.map((name) => html`<li title=${name}>${whole(name)}</li>`)}</ul>`;
}
