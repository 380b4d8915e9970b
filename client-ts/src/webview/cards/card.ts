/**
 * One card, in reading order: who asks and how long, what it is, what comes of it, what runs,
 * what it touches, why it is asked, and the buttons.
 */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { mixed, t } from "../../shared/l10n";
import { said } from "../../shared/server-sentences";
import type { Because, Card } from "../../shared/protocol";
import { isArmed } from "../dom/press";
import { rowsOf, soonest } from "./batch";
import { clock, secondsLeft, BOLD_FROM_S, spoken } from "./countdown";
import type { Hand } from "../state/hand";
import { warning } from "../dom/icons";
import { lockOf, unseenOf } from "./lock";
import type { Open, State } from "../state/model";
import type { Ticket } from "../../shared/replica";
import { sentence, spans, title } from "../dom/spans";
import { batchButtons, batchRows, batchTitle } from "./batch-list";
import { body, bodyName } from "./body";
import { below, buttons } from "./buttons";
import { touches, touchesOf, unsaidOf } from "./touches";
import { saysAll } from "./full-title";

/** The card of this ticket, as it stands. */
export function card(state: State, ticket: Ticket, open: Open, hand: Hand): TemplateResult {
  const { request } = ticket;
  const what = request.card;
  const { batch } = open;
  const rows = rowsOf(state);
  const pressing = {
    request,
    open,
    lock: lockOf(state, request, open),
    unseen: unseenOf(state, request),
    sending: state.sending[request.approvalId] ?? null,
    remark: state.remarks[request.approvalId] ?? null,
  };
  return html`<section
    class="card"
    role="group"
    tabindex="-1"
    data-testid="card"
    data-approval-id=${request.approvalId}
    data-digest=${request.digest}
    data-level=${what.level}
    data-armed=${isArmed(open.since, state.now) ? "true" : "false"}
    aria-labelledby="card-title"
    aria-describedby=${what.consequence === null || batch !== null ? nothing : "card-consequence"}
    aria-busy=${pressing.sending === null ? nothing : "true"}
  >
    <div class="content">
      <div class="head">
        ${small(state, ticket, hand)}
        <div class="asks">
          <h2 class="title" id="card-title" data-testid="card-title" data-must>${batch === null ? title(what.title) : batchTitle(rows.length, what.body.kind)}</h2>
          ${isBrief(what) ? why(what, open, hand) : nothing}
        </div>
        ${batch === null ? consequence(what) : open.why ? because(what.because) : nothing}
      </div>
      ${batch === null ? inside(what, open, hand) : html`<div class="body" tabindex="0" role="region" aria-label=${t("The calls")} data-testid="card-body">${batchRows(state, batch, rows, hand)}</div>`}
    </div>
    ${below(pressing, hand)}${
      batch === null
        ? buttons(pressing, hand)
        : batchButtons(
            batch,
            rows,
            rows.some(({ request: { approvalId } }) => approvalId in state.sending),
            pressing.lock,
            hand,
          )
    }
  </section>`;
}

/** What is below the title; of a small question nothing, where the title says all of the call. */
function inside(what: Card, open: Open, hand: Hand): TemplateResult | typeof nothing {
  const call = saysAll(what) ? nothing : body(what, open.opened, hand);
  const isTold = !isBrief(what) || open.why;
  const touched = isTold ? touchesOf(what) : unsaidOf(what);
  if (call === nothing && touched.length === 0 && !isTold) return nothing;
  return html`<div class="body" tabindex="0" role="region" aria-label=${call === nothing ? t("What it touches") : bodyName(what.body)} data-testid="card-body">
    ${call}${touches(touched)}
    ${isTold ? because(what.because) : nothing}<span data-must class="end"></span>${isTold ? says(what) : nothing}
  </div>`;
}

/** A question of a low or medium level says why it is asked once somebody wants to know, if that is one sentence. */
function isBrief({ level, body: { kind }, because: { text } }: Card): boolean {
  return level !== "high" && kind !== "trust" && !text.includes(". ");
}

function why({ because: { text, rule } }: Card, open: Open, hand: Hand): TemplateResult {
  const turn = (event: Event): void => {
    if (event.isTrusted) hand.act({ kind: "why", open: !open.why });
  };
  return html`<button
    class="quiet ask"
    data-testid="why"
    title=${`${said(text)}${rule === null ? "" : ` ${rule}`}`}
    aria-label=${t("Why this is asked, and what it touches")}
    aria-expanded=${open.why ? "true" : "false"}
    @click=${turn}
  ><span aria-hidden="true">?</span></button>`;
}

const SANDBOX: { readonly [where in NonNullable<Card["sandbox"]>]: string } = { none: t("not sandboxed"), trial: t("tried") };

function small(state: State, ticket: Ticket, hand: Hand): TemplateResult {
  const { card: what, chatId } = ticket.request;
  return html`<div class="small">
    <bdi class="agent">${what.agentName}</bdi>
    ${what.mode === "" ? nothing : html`<span class="dot" aria-hidden="true">·</span><span class="mode">${said(what.mode)}</span>`}
    ${what.sandbox === null ? nothing : html`<span class="where" data-testid="sandbox"><span class="dot" aria-hidden="true">· </span>${SANDBOX[what.sandbox]}</span>`}
    ${elsewhere(state, chatId, what, hand)}
    <span class="sp"></span>
    ${timer(state, soonest(state) ?? ticket, hand)}
  </div>`;
}

/** A call of another chat says so, and leads there. */
function elsewhere(state: State, chatId: string | null, what: Card, hand: Hand): TemplateResult | typeof nothing {
  if (chatId === null || chatId === state.chatId) return nothing;
  const go = (): void => hand.act({ kind: "pickChat", chatId });
  return html`<span class="dot" aria-hidden="true">·</span>
    <button class="quiet there" title=${t("Show this chat")} @click=${go}>${mixed("in “{0}”", html`<bdi>${what.chatTitle}</bdi>`)}</button>`;
}

function timer(state: State, ticket: Ticket, hand: Hand): TemplateResult | typeof nothing {
  const left = secondsLeft(ticket, state.now);
  if (left === null) return nothing;
  const isTrial = ticket.request.card.sandbox === "trial";
  return html`<span class="timer" data-soon=${left <= BOLD_FROM_S ? "true" : "false"}>
    <span role="timer" data-testid="countdown" aria-label=${isTrial ? t("Discards by itself in {0}", spoken(left)) : t("Denies by itself in {0}", spoken(left))}>${isTrial ? mixed("Discards in {0}", clock(left)) : mixed("Denies in {0}", clock(left))}</span>
    <button
      class="quiet"
      data-testid="keep-waiting"
      aria-label=${t("Keep waiting: take the time limit away")}
      @click=${() => hand.act({ kind: "keepWaiting" })}
    >${t("Keep waiting")}</button>
  </span>`;
}

export function consequence({ consequence: text, level }: Card): TemplateResult | typeof nothing {
  if (text === null) return nothing;
  const word = level === "high" ? html`<span class="sr">${t("High:")} </span>` : nothing;
  return html`<p class="consequence" id="card-consequence" data-must data-level=${level} data-testid="card-consequence">
    ${level === "low" ? nothing : warning()}<span>${word}${sentence(text)}</span>
  </p>`;
}

export function because({ text, rule, source }: Because): TemplateResult {
  const which = rule === null ? nothing : html` <code>${rule}</code>`;
  const where = source === null ? nothing : html` <span class="where">(${source})</span>`;
  return html`<p class="because" data-testid="card-because">${sentence(text)}${which}${where}</p>`;
}

export function says({ agentName, says: words }: Card): TemplateResult | typeof nothing {
  if (words === null || words.length === 0) return nothing;
  return html`<details class="more">
    <summary>${mixed("What {0} says of it", html`<bdi>${agentName}</bdi>`)}</summary>
    <p class="says">${mixed("{0} says: {1}", html`<bdi>${agentName}</bdi>`, html`<q dir="auto">${spans(words)}</q>`)}</p>
  </details>`;
}
