/** One record, open: what ran, how it was decided, what today's rules say, and what can be done. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { locale, mixed, t } from "../../shared/l10n";
import { pastCard } from "../cards/past-card";
import { seen } from "../dom/visible-text";
import { code, sentence, title } from "../dom/spans";
import type { HistoryRecord, Row } from "../../shared/protocol";
import { WOULD, type Opened, type Deeds } from "./model";
import { ruleForm } from "./rule-form";
import { said } from "../../shared/server-sentences";

/** What stands below the row of the record. */
export function recordOf({ record, draft, told }: Opened, deeds: Deeds): TemplateResult {
  if (record === null) return html`<p class="muted" role="status">${told === "" ? t("Reading the record…") : sentence(told)}</p>`;
  return html`<div class="record" data-testid="record">
    ${record.row.because === "" ? nothing : html`<p>${sentence(record.row.because)}</p>`}
    ${pictured(record)}
    ${rows(t("What was to be done, as it was kept"), record.members)}
    ${record.isWhole ? nothing : html`<p class="muted">${t("It was too long to keep: its middle is left out.")}</p>`}
    ${rows(t("How it was decided"), record.facts)}
    ${replay(record)}
    ${record.mayAskAgain ? asking(deeds) : nothing}
    ${gave(record, deeds)}
    ${draft === null ? offers(record, deeds) : ruleForm(record, draft, deeds)}
    <p role="status" data-testid="told">${sentence(told)}</p>
  </div>`;
}

/** The card, where it is kept, and what is to be said of it. */
function pictured({ card, shownAt, cardNote }: HistoryRecord): TemplateResult {
  return html`${card === null ? nothing : pastCard(card, t("The card, as it was shown on {0}", new Date(shownAt).toLocaleString(locale())))}
    ${cardNote === "" ? nothing : html`<p class="muted" data-testid="card-note">${sentence(cardNote)}</p>`}`;
}

function rows(heading: string, members: readonly Row[]): TemplateResult | typeof nothing {
  if (members.length === 0) return nothing;
  return html`<h2>${heading}</h2>
    <dl>${members.map(({ name, value }) => html`<dt>${title(name)}</dt><dd>${code(value)}</dd>`)}</dl>`;
}

function replay({ replay: ruling, noReplay }: HistoryRecord): TemplateResult {
  if (ruling === null) return html`<p class="muted" data-testid="replay">${sentence(noReplay)}</p>`;
  const { verdict, because, source } = ruling;
  const from = source === null ? "" : ` (${source})`;
  return html`<h2>${t("Under today's rules")}</h2>
    <p data-testid="replay" data-verdict=${verdict}>${mixed("Under today's rules this would be {0}: {1}", html`<b>${WOULD[verdict]}</b>`, html`${sentence(because)}${from}`)}
      <span class="muted">${t("Nothing was run to find out.")}</span></p>`;
}

/** Of a question that ended with its chat: what the chat itself offers. */
function asking(deeds: Deeds): TemplateResult {
  const ask = (event: Event): void => {
    if (event.isTrusted) deeds.askAgain();
  };
  return html`<div class="offers"><button class="second" data-testid="ask-again" data-still title=${t("Says your last words to the agent once more; that allows nothing")} @click=${ask}>${t("Ask again")}</button></div>`;
}

function gave({ gave: written }: HistoryRecord, deeds: Deeds): TemplateResult | typeof nothing {
  if (written.length === 0) return nothing;
  return html`<h2>${t("Rules that this wrote")}</h2>
    <ul>${written.map(
      ({ rule, verdict, where, holds }) =>
        html`<li><span class="mono" dir="ltr">${seen(rule)}</span> ${WORDS[verdict] ?? verdict} ${said(where)}${holds ? "" : t(", and stands there no more")}</li>`,
    )}</ul>
    ${
      written.some(({ holds }) => holds)
        ? html`<button class="second" data-testid="revoke" data-still @click=${deeds.revoke}>${t("Revoke what this gave")}</button>`
        : nothing
    }`;
}

const WORDS: { readonly [verdict: string]: string } = { allow: t("allows"), ask: t("asks"), deny: t("denies") };

function offers({ replay: ruling }: HistoryRecord, deeds: Deeds): TemplateResult | typeof nothing {
  if (ruling === null) return nothing;
  return html`<div class="offers">
    <button class="second" data-testid="make-deny" @click=${() => deeds.draft("deny")}>${t("Never allow…")}</button>
    <button class="second" data-testid="make-allow" @click=${() => deeds.draft("allow")}>${t("Always allow…")}</button>
  </div>`;
}
