/**
 * The card's two buttons in their fixed places, with the lists of other ways above them.
 *
 * Only what the server offers is drawn. Nothing below the buttons ever changes its height, so
 * that they stay where they are.
 */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { live } from "lit/directives/live.js";
import { allows, takesWords } from "../../shared/card";
import { mixed, t } from "../../shared/l10n";
import { said } from "../../shared/server-sentences";
import type { Lock } from "./lock";
import type { ApprovalRequest, CardOption } from "../../shared/protocol";
import type { Hand } from "../state/hand";
import type { Open, Sending } from "../state/model";
import { choiceButtons, choices } from "./choose";
import { ruleButtons, ruleStep } from "./rule-form";

export interface Pressing {
  readonly request: ApprovalRequest;
  readonly open: Open;
  readonly lock: Lock | null;
  /** How many parts must still be looked at. */
  readonly unseen: number | null;
  readonly sending: Sending | null;
  readonly remark: string | null;
}

type Side = "allow" | "deny";

const MAIN: { readonly [side in Side]: readonly CardOption["kind"][] } = {
  allow: ["allowOnce", "grantWish", "approvePlan", "answerForm", "openPage"],
  deny: ["denyOnce", "keepAsking", "keepOff", "skip", "decline"],
};

/** Buttons that tests and keys know by name; the others are known by their kind. */
const NAMES: { readonly [kind in CardOption["kind"]]?: string } = {
  allowOnce: "allow-once",
  denyOnce: "deny",
};

/** What stands above the buttons, and the buttons. */
export function buttons(what: Pressing, hand: Hand): TemplateResult {
  const { list, words, step, choosing } = what.open;
  const remark = what.sending === null ? what.remark : null;
  return html`
    ${list === null ? nothing : ways(list, what, hand)}
    ${words === null ? nothing : wordsLine(words, what, hand)}
    ${step === null ? nothing : ruleStep(step, what.sending !== null, hand)}
    ${choosing === null ? nothing : choices(choosing, hand)}
    ${remark === null ? nothing : html`<p class="remark" data-testid="remark">${remark}</p>`}
    <div class="acts" data-acts>
      ${inStep(what, hand) ?? html`${split("deny", what, hand)}${split("allow", what, hand)}`}
      <span class="sp"></span>
      <span class="hint" id="card-hint" data-testid="hint">${hint(what)}</span>
    </div>
  `;
}

/** The buttons of the step that is open; null where none is. */
function inStep({ open: { step, choosing }, sending, request }: Pressing, hand: Hand): TemplateResult | null {
  if (step !== null) return ruleButtons(step, sending !== null, request.card.primary, hand);
  return choosing === null ? null : choiceButtons(choosing, sending !== null, request.card.primary, hand);
}

function hint({ sending, lock, open }: Pressing): string {
  if (sending !== null) return t("Sending…");
  if (lock !== null) return HINTS[lock];
  return open.confirming ? t("Press again to allow") : "";
}

const HINTS: { readonly [lock in Lock]: string } = {
  folded: t("Open the text first"),
  unseen: t("Look at what is marked first"),
  away: "",
};

/**
 * What lies out of sight and must be looked at, below what can be seen. It is there before anybody
 * has looked, since where it takes room something else is not seen; the buttons stay.
 */
export function below({ lock, unseen }: Pressing, hand: Hand): TemplateResult | typeof nothing {
  if (lock === "folded" || unseen === 0) return nothing;
  const go = (event: Event): void => {
    if (event.isTrusted) hand.act({ kind: "toUnseen" });
  };
  return html`<div class="edge">
    <button class="below" data-testid="below" @click=${go}>${mixed("{0} more to look at", unseen ?? nothing)} <span aria-hidden="true">↓</span></button>
  </div>`;
}

/** A main button and, where there is more to choose, the button of its list. */
function split(side: Side, what: Pressing, hand: Hand): TemplateResult | typeof nothing {
  const main = mainOf(side, what.request);
  const rest = restOf(side, what.request);
  if (what.request.card.body.kind === "question") return side === "deny" ? unanswered(main, rest, what, hand) : nothing;
  if (what.request.card.body.kind === "form" && side === "deny") return unanswered(main, rest, what, hand);
  if (main === undefined && rest.length === 0) return nothing;
  const look = what.request.card.primary === side ? "first" : "second";
  return html`<span class="split" data-look=${look}>
    ${main === undefined ? nothing : button(main, what, hand)}
    ${rest.length === 0 ? nothing : more(side, what, hand)}
  </span>`;
}

/** Answers stand in the body; here is how a question is not answered, or in other words. */
function unanswered(skip: CardOption | undefined, rest: readonly CardOption[], what: Pressing, hand: Hand): TemplateResult {
  const words = rest.find(({ kind }) => kind === "answerWords" || kind === "cancel");
  return html`${[skip, words].map((option) =>
    option === undefined ? nothing : html`<span class="split" data-look="second">${button(option, what, hand)}</span>`,
  )}`;
}

function button(option: CardOption, what: Pressing, hand: Hand): TemplateResult {
  return html`<button
    class="main"
    data-testid=${NAMES[option.kind] ?? `option-${option.kind}`}
    data-main=${allows(option.kind) ? "allow" : "deny"}
    title=${option.detail === "" ? nothing : said(option.detail)}
    aria-disabled=${off(isOff(option, what))}
    aria-describedby=${isOff(option, what) ? "card-hint" : nothing}
    @click=${(event: Event) => hand.act({ kind: "press", optionId: option.id, press: hand.press(event) })}
  >${labelOf(option)}</button>`;
}

/** An agent's own answer stands in its words. */
function labelOf({ kind, label }: CardOption): string {
  return kind === "answer" ? label : said(label);
}

function more(side: Side, what: Pressing, hand: Hand): TemplateResult {
  const isOpen = what.open.list === side;
  const isMoreOff = what.sending !== null || (side === "allow" && what.lock !== null);
  const turn = (event: MouseEvent): void => {
    if (!event.isTrusted || isMoreOff) return;
    hand.act({ kind: "list", list: isOpen ? null : side, byKey: event.detail === 0 });
  };
  return html`<button
    class="more-ways"
    data-testid="${side}-menu"
    data-side=${side}
    aria-expanded=${isOpen ? "true" : "false"}
    aria-label=${side === "allow" ? t("More ways to allow") : t("More ways to deny")}
    aria-disabled=${off(isMoreOff)}
    @click=${turn}
  ><span aria-hidden="true">${isOpen ? "▴" : "▾"}</span></button>`;
}

function ways(side: Side, what: Pressing, hand: Hand): TemplateResult {
  const name = side === "allow" ? t("Other ways to allow") : t("Other ways to deny");
  return html`<div class="ways" role="group" aria-label=${name} data-list>
    ${restOf(side, what.request).map((option) => way(option, what, hand))}
    ${side === "allow" && what.request.card.edits === "command" ? edit(hand) : nothing}
  </div>`;
}

/** The command as a document; a plan has a button of its own below it. */
function edit(hand: Hand): TemplateResult {
  return html`<button data-testid="edit-text" @click=${() => hand.act({ kind: "openDiff", file: 0 })}
  ><span>${t("Edit…")}</span><small>${t("Opens the command as a document. What stands there is judged anew, and is what you allow.")}</small></button>`;
}

function way(option: CardOption, what: Pressing, hand: Hand): TemplateResult {
  const detail = option.detail === "" ? nothing : html`<small>${said(option.detail)}</small>`;
  return html`<button
    data-testid="option-${option.kind}"
    data-option-id=${option.id}
    aria-disabled=${off(isOff(option, what))}
    @click=${(event: Event) => hand.act({ kind: "press", optionId: option.id, press: hand.press(event) })}
  ><span>${labelOf(option)}</span>${detail}</button>`;
}

/** One line for words to the agent, with what sends them. */
function wordsLine(words: string, what: Pressing, hand: Hand): TemplateResult {
  const option = what.request.card.options.find(({ kind }) => takesWords(kind));
  if (option === undefined) return html``;
  const says = SAYS[option.kind === "answerWords" ? "answer" : what.request.card.body.kind === "plan" ? "plan" : "deny"];
  const send = (event: Event): void => hand.act({ kind: "press", optionId: option.id, press: hand.press(event) });
  const key = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && !event.isComposing) send(event);
  };
  const typed = (event: Event): void => {
    hand.act({ kind: "words", words: (event.target as HTMLInputElement).value });
  };
  return html`<div class="words">
    <input
      type="text"
      maxlength="2000"
      data-testid="deny-words"
      aria-label=${t("What to tell {0}", what.request.card.agentName)}
      placeholder=${says.wants}
      ?readonly=${what.sending !== null}
      .value=${live(words)}
      @input=${typed}
      @keydown=${key}
    />
    <button class="second" data-testid="deny-words-send" aria-disabled=${off(what.sending !== null)} @click=${send}>
      ${says.sends}
    </button>
    <button class="quiet" @click=${() => hand.act({ kind: "words", words: null })}>${t("Cancel")}</button>
  </div>`;
}

/** What the line for words asks for, and what its button does. */
const SAYS = {
  deny: { wants: t("What should it do instead?"), sends: t("Deny and send") },
  plan: { wants: t("What should be another way?"), sends: t("Send") },
  answer: { wants: t("Your answer"), sends: t("Answer") },
} as const;

/** A button that is off keeps the focus, so that nobody is thrown out of the card. */
function off(isOff: boolean): "true" | typeof nothing {
  return isOff ? "true" : nothing;
}

function isOff(option: CardOption, { sending, lock }: Pressing): boolean {
  return sending !== null || (lock !== null && allows(option.kind));
}

function mainOf(side: Side, { card }: ApprovalRequest): CardOption | undefined {
  return card.options.find(({ kind }) => MAIN[side].includes(kind));
}

function restOf(side: Side, request: ApprovalRequest): readonly CardOption[] {
  const main = mainOf(side, request);
  return request.card.options.filter((option) => option !== main && allows(option.kind) === (side === "allow"));
}
