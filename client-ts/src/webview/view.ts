/** The whole page, drawn from the state. */

import { html, type TemplateResult } from "lit/html.js";
import { t } from "../l10n";
import { changesBar } from "./changesbar";
import { composer, limit, notes, pause } from "./composer";
import { dock } from "./dock";
import type { Hand } from "./hand";
import { header } from "./header";
import { log } from "./log";
import { logIn } from "./login";
import type { State } from "./model";
import { editingNote } from "./rewindpanel";

export function view(state: State, hand: Hand): TemplateResult {
  return html`${header(state, hand)}${changesBar(state, hand)}${log(state, hand)}
    <section class="bottom" aria-label=${t("Answers and messages")}>
      ${pause(state, hand)}${limit(state, hand)}${notes(state, hand)}${editingNote(state, hand)}${logIn(state, hand)}${dock(state, hand)}${composer(state, hand)}
    </section>
    <div class="sr" aria-live="polite" data-testid="live">${state.live}</div>`;
}
