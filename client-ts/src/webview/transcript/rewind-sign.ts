/** The sign that begins a rewinding, and that a message is edited. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { t } from "../../shared/l10n";
import type { Said } from "../../shared/protocol";
import { discard } from "../dom/icons";
import type { Hand } from "../state/hand";
import type { State, RewindAsked } from "../state/model";
import type { RewindStep } from "../state/moments";

const MAX_MESSAGE_LETTERS = 80;

/** The sign beside a message. */
export function rewindSign({ text, messageId }: Said, asked: RewindAsked | null, hand: Hand): TemplateResult {
  const words = text.length > MAX_MESSAGE_LETTERS ? `${text.slice(0, MAX_MESSAGE_LETTERS)}…` : text;
  return html`<button class="icon-button" data-testid="rewind" title=${t("Rewind to here…")} aria-label=${t("Rewind to before: {0}", words)} aria-expanded=${asked === null ? "false" : "true"} @click=${() => hand.act({ kind: "rewind", step: { kind: "ask", messageId } })}>${discard()}</button>`;
}

/** That what is written takes the place of a message that was sent. */
export function editingNote({ editing }: State, hand: Hand): TemplateResult | typeof nothing {
  if (editing === null) return nothing;
  const act = (step: RewindStep) => () => hand.act({ kind: "rewind", step });
  return html`<div class="note" data-testid="editing" role="group" aria-label=${t("A message is edited")}>
    <span>${t("This takes the place of your last message: the conversation goes back to before it.")}
      <label><input type="checkbox" data-testid="edit-files" .checked=${editing.files} @change=${act({ kind: "editFiles" })} />${t("Bring files back, too")}</label></span>
    <button type="button" class="second" data-testid="edit-drop" @click=${act({ kind: "dropEdit" })}>${t("Say it anew instead")}</button>
  </div>`;
}
