/**
 * The second step of an answer for always, as it is drawn: the rules, where they are written,
 * and what they would do.
 *
 * Rules wrap and are never cut. What keeps the button off is said beside it, and to a screen
 * reader as soon as it is known.
 */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { live } from "lit/directives/live.js";
import { t } from "../../shared/l10n";
import { comparison, PLACES } from "../../shared/rule-words";
import type { Card } from "../../shared/protocol";
import type { Hand } from "../state/hand";
import { hindrance, problemAt } from "./rule-step";
import { sentence } from "../dom/spans";
import { seen } from "../dom/visible-text";
import type { Draft, RuleStep } from "../state/model";
import type { RuleChange } from "../state/moments";

interface Words {
  readonly title: string;
  readonly confirm: string;
  readonly also: string;
  readonly spares: string;
}

const WORDS: Readonly<Record<RuleStep["verdict"] | "apply", Words>> = {
  allow: {
    title: t("Always allow, without asking, what this covers"),
    confirm: t("Always allow"),
    also: t("Would also allow"),
    spares: t("Would not allow"),
  },
  apply: {
    title: t("Always run in the sandbox, without asking, what this covers"),
    confirm: t("Always apply"),
    also: t("Would also allow"),
    spares: t("Would not allow"),
  },
  deny: {
    title: t("Never allow what this covers"),
    confirm: t("Never allow"),
    also: t("Would also refuse"),
    spares: t("Would not refuse"),
  },
};

function wordsOf({ verdict, inSandbox }: RuleStep): Words {
  return WORDS[inSandbox ? "apply" : verdict];
}

/** The fields, and what they would do. */
export function ruleStep(step: RuleStep, busy: boolean, hand: Hand): TemplateResult {
  const act = (change: RuleChange): void => hand.act({ kind: "rule", change });
  return html`<div class="rule" role="group" aria-labelledby="rule-title" data-testid="rule-step">
    <p id="rule-title">${wordsOf(step).title}</p>
    ${step.drafts.map((draft, at) => field(step, draft, at, busy, act))}
    ${step.scopes.length === 0 ? nothing : where(step, busy, act)}
    <div class="foreseen" id="rule-foreseen" role="status" data-testid="rule-preview">${foreseen(step)}</div>
  </div>`;
}

/** The buttons of the step, in the places of the card's own. */
export function ruleButtons(step: RuleStep, busy: boolean, primary: Card["primary"], hand: Hand): TemplateResult {
  const why = hindrance(step);
  const isOff = busy || why !== null;
  const isFirst = step.verdict === "deny" || primary === "allow";
  const confirm = (event: Event): void => hand.act({ kind: "press", optionId: step.optionId, press: hand.press(event) });
  const back = (event: Event): void => {
    if (event.isTrusted) hand.act({ kind: "rule", change: { kind: "back" } });
  };
  return html`<button class=${isFirst ? "second" : "first"} data-testid="rule-back" @click=${back}>${t("Back")}</button>
    <button
      class=${isFirst ? "first" : "second"}
      data-testid="rule-confirm"
      data-confirm
      aria-disabled=${isOff ? "true" : nothing}
      aria-describedby="rule-foreseen"
      title=${why ?? nothing}
      @click=${confirm}
    >${wordsOf(step).confirm}</button>`;
}

function field(step: RuleStep, { text, ticked }: Draft, at: number, busy: boolean, act: (change: RuleChange) => void): TemplateResult {
  const several = step.drafts.length > 1;
  const problem = problemAt(step, at);
  const key = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    act({ kind: "toConfirm" });
  };
  return html`<div class="draft">
    ${several ? tick(at, ticked, busy, act) : html`<label for="rule-${at}">${t("Rule")}</label>`}
    <textarea
      id="rule-${at}"
      rows="1"
      dir="ltr"
      class="mono"
      maxlength="4096"
      spellcheck="false"
      autocapitalize="off"
      data-testid="rule-text"
      aria-label=${several ? t("Rule {0}", at + 1) : nothing}
      aria-invalid=${problem === null ? nothing : "true"}
      aria-describedby=${problem === null ? nothing : `rule-problem-${at}`}
      ?readonly=${busy}
      .value=${live(text)}
      @input=${(event: Event) => act({ kind: "text", at, text: (event.target as HTMLTextAreaElement).value })}
      @keydown=${key}
    ></textarea>
    ${problem === null ? nothing : html`<p class="problem" id="rule-problem-${at}">${sentence(problem)}</p>`}
  </div>`;
}

function tick(at: number, ticked: boolean, busy: boolean, act: (change: RuleChange) => void): TemplateResult {
  return html`<input
    type="checkbox"
    data-testid="rule-tick"
    aria-label=${t("Write rule {0}", at + 1)}
    .checked=${live(ticked)}
    ?disabled=${busy}
    @change=${(event: Event) => act({ kind: "tick", at, ticked: (event.target as HTMLInputElement).checked })}
  />`;
}

function where(step: RuleStep, busy: boolean, act: (change: RuleChange) => void): TemplateResult {
  const picked = (event: Event): void => act({ kind: "scope", scope: (event.target as HTMLSelectElement).value });
  return html`<div class="draft">
    <label for="rule-scope">${t("Where")}</label>
    <select id="rule-scope" data-testid="rule-scope" ?disabled=${busy} @change=${picked}>
      ${step.scopes.map((scope) => html`<option value=${scope} .selected=${live(scope === step.scope)}>${PLACES[scope]}</option>`)}
    </select>
  </div>`;
}

function foreseen(step: RuleStep): TemplateResult {
  const why = hindrance(step);
  if (why !== null || step.foreseen?.kind !== "known") return html`<p>${sentence(why ?? "")}</p>`;
  const { result } = step.foreseen;
  const words = wordsOf(step);
  return html`<p><b>${comparison(result)}</b></p>
    ${examples(
      words.also,
      result.rules.flatMap(({ wouldMatch }) => wouldMatch),
    )}
    ${examples(
      words.spares,
      result.rules.flatMap(({ wouldSpare }) => wouldSpare),
    )}`;
}

function examples(words: string, commands: readonly string[]): TemplateResult | typeof nothing {
  const different = [...new Set(commands)];
  if (different.length === 0) return nothing;
  return html`<p>${words}:</p>
    <ul>${different.map((command) => html`<li><span class="mono" dir="ltr">${seen(command)}</span></li>`)}</ul>`;
}
