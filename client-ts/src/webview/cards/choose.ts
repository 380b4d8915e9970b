/** The parts of a call among which a person chooses what is done: a list with ticks, and one button. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { live } from "lit/directives/live.js";
import { t } from "../../shared/l10n";
import type { ApprovalResponse, Card, CardOption } from "../../shared/protocol";
import { seen } from "../dom/visible-text";
import type { Hand } from "../state/hand";
import type { Choosing } from "../state/model";

/** The list as it opens: all of it is ticked. */
export function choosingOf({ id, choices }: CardOption): Choosing {
  return { optionId: id, choices, off: [] };
}

/** The list after a tick. */
export function ticked(choosing: Choosing, choice: string, isTicked: boolean): Choosing {
  const off = choosing.off.filter((each) => each !== choice);
  return { ...choosing, off: isTicked ? off : [...off, choice] };
}

/** What an answer says of the choice; nothing for an answer without one. */
export function chosenIn(choosing: Choosing | null, option: CardOption): Pick<ApprovalResponse, "chosen"> {
  return choosing?.optionId === option.id ? { chosen: chosen(choosing) } : {};
}

/** Why the choice cannot be sent; null where it can. */
export function nothingChosen(choosing: Choosing): string | null {
  return chosen(choosing).length === 0 ? t("Tick at least one.") : null;
}

function chosen({ choices, off }: Choosing): string[] {
  return choices.filter((choice) => !off.includes(choice));
}

/** The list. */
export function choices(choosing: Choosing, hand: Hand): TemplateResult {
  const tick = (choice: string) => (event: Event) =>
    hand.act({ kind: "choose", choice, ticked: (event.target as HTMLInputElement).checked });
  return html`<div class="choose" role="group" aria-label=${t("Apply what is ticked")} data-testid="choose">
    <ul class="batch">${choosing.choices.map(
      (choice) =>
        html`<li><label><input type="checkbox" data-testid="choose-part" .checked=${live(!choosing.off.includes(choice))} @change=${tick(choice)} /><span class="mono" dir="ltr">${seen(choice)}</span></label></li>`,
    )}</ul>
  </div>`;
}

/** The buttons of the list, in the places of the card's own. */
export function choiceButtons(choosing: Choosing, busy: boolean, primary: Card["primary"], hand: Hand): TemplateResult {
  const why = nothingChosen(choosing);
  const confirm = (event: Event): void => hand.act({ kind: "press", optionId: choosing.optionId, press: hand.press(event) });
  const back = (event: Event): void => {
    if (event.isTrusted) hand.act({ kind: "list", list: null, byKey: false });
  };
  return html`<button class="second" data-testid="choose-back" @click=${back}>${t("Back")}</button>
    <button
      class=${primary === "allow" ? "first" : "second"}
      data-testid="choose-confirm"
      aria-disabled=${busy || why !== null ? "true" : nothing}
      @click=${confirm}
    >${t("Apply {0} of {1}", chosen(choosing).length, choosing.choices.length)}</button>`;
}
