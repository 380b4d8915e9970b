/** The whole page, drawn from the state. */

import { html, type TemplateResult } from "lit/html.js";
import { t } from "../../shared/l10n";
import { composer, limit, notes, pause, waitingMessage } from "../composer/composer";
import { dock } from "../cards/dock";
import type { Hand } from "../state/hand";
import type { Lines } from "../header/header";
import { log } from "../transcript/transcript";
import { logIn } from "../composer/login";
import type { State } from "../state/model";
import { editingNote } from "../transcript/rewind-sign";

export function view(state: State, hand: Hand, lines: Lines): TemplateResult {
  return html`${lines.above}${log(state, hand)}
    <section class="bottom" aria-label=${t("Answers and messages")}>
      ${lines.late}${pause(state, hand)}${limit(state, hand)}${waitingMessage(state, hand)}${notes(state, hand)}${editingNote(state, hand)}${logIn(state, hand)}${dock(state, hand)}${composer(state, hand)}
    </section>
    <div class="sr" aria-live="polite" data-testid="live">${state.live}</div>`;
}
