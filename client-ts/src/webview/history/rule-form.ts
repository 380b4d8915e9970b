/** A rule made from a record: its text, where it is written, and what it would do. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { live } from "lit/directives/live.js";
import { t } from "../../shared/l10n";
import { comparison, PLACES } from "../../shared/rule-words";
import type { HistoryRecord } from "../../shared/protocol";
import { seen } from "../dom/visible-text";
import { sentence } from "../dom/spans";
import { hindrance, type RuleDraft, type Deeds } from "./model";

const WORDS = {
  allow: { title: t("Always allow, without asking, what this covers"), also: t("Would also allow"), write: t("Always allow") },
  deny: { title: t("Never allow what this covers"), also: t("Would also refuse"), write: t("Never allow") },
} as const;

/** The fields and the buttons. */
export function ruleForm({ scopes }: HistoryRecord, draft: RuleDraft, deeds: Deeds): TemplateResult {
  const { verdict, rules, scope } = draft;
  const why = hindrance(draft);
  const picked = (event: Event): void => deeds.change({ ...draft, scope: (event.target as HTMLSelectElement).value as RuleDraft["scope"] });
  const write = (event: Event): void => {
    if (event.isTrusted && why === "") deeds.write();
  };
  return html`<section class="rule" aria-labelledby="rule-title" data-testid="rule-form">
    <h2 id="rule-title">${WORDS[verdict].title}</h2>
    ${rules.map((text, at) => field(draft, text, at, deeds))}
    <label>${t("Where")}
      <select data-testid="rule-scope" @change=${picked}>
        ${scopes.map((each) => html`<option value=${each} .selected=${live(each === scope)}>${PLACES[each]}</option>`)}
      </select></label>
    <div id="rule-foreseen" role="status" data-testid="rule-preview">${foreseen(draft, why)}</div>
    <div class="offers">
      <button class="second" data-testid="rule-back" @click=${deeds.drop}>${t("Back")}</button>
      <button
        class=${verdict === "deny" ? "first" : "second"}
        data-testid="rule-write"
        data-still=${verdict}
        aria-disabled=${why === "" ? nothing : "true"}
        aria-describedby="rule-foreseen"
        @click=${write}
      >${WORDS[verdict].write}</button>
    </div>
  </section>`;
}

function field(draft: RuleDraft, text: string, at: number, deeds: Deeds): TemplateResult {
  const changed = (event: Event): void => {
    const now = (event.target as HTMLTextAreaElement).value;
    if (now === draft.rules[at]) return;
    const rules = draft.rules.map((each, place) => (place === at ? now : each));
    deeds.change({ ...draft, rules });
  };
  return html`<label>${draft.rules.length > 1 ? t("Rule {0}", at + 1) : t("Rule")}
    <textarea
      rows="1"
      dir="ltr"
      class="mono"
      maxlength="4096"
      spellcheck="false"
      autocapitalize="off"
      data-testid="rule-text"
      .value=${live(text)}
      @input=${changed}
    ></textarea></label>`;
}

function foreseen({ verdict, foreseen: known }: RuleDraft, why: string): TemplateResult {
  if (known === null || why !== "") return html`<p>${sentence(why)}</p>`;
  const also = [...new Set(known.rules.flatMap(({ wouldMatch }) => wouldMatch))];
  return html`<p><b>${comparison(known)}</b></p>
    ${
      also.length === 0
        ? nothing
        : html`<p>${WORDS[verdict].also}:</p>
          <ul>${also.map((each) => html`<li><span class="mono" dir="ltr">${seen(each)}</span></li>`)}</ul>`
    }`;
}
