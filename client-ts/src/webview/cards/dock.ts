/**
 * The dock above the composer: how many calls wait, of whom, and the one card that is open.
 *
 * It grows upwards. What comes into the queue changes the count and nothing else.
 */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { repeat } from "lit/directives/repeat.js";
import { mixed, t } from "../../shared/l10n";
import { alike } from "./similar-calls";
import { rowsOf } from "./batch";
import { card } from "./card";
import type { Hand } from "../state/hand";
import { shield } from "../dom/icons";
import { isWriting, shown, waiting, type State } from "../state/model";
import type { Ticket } from "../../shared/replica";

/** The dock, while anything waits. */
export function dock(state: State, hand: Hand): TemplateResult | typeof nothing {
  const tickets = waiting(state);
  const ticket = shown(state);
  if (ticket === null || state.open === null) return nothing;
  const { open } = state;
  const close = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || (open.list === null && !isWriting(state) && !open.why && open.batch === null)) return;
    event.stopPropagation();
    if (open.step !== null) hand.act({ kind: "rule", change: { kind: "back" } });
    else if (open.words !== null) hand.act({ kind: "words", words: null });
    else if (open.why) hand.act({ kind: "why", open: false });
    else if (open.batch !== null) hand.act({ kind: "oneByOne" });
    else hand.act({ kind: "list", list: null, byKey: false });
  };
  const held = (event: KeyboardEvent): void => {
    // A key that is held down presses a button once.
    if (event.repeat && event.target instanceof HTMLButtonElement) event.preventDefault();
    close(event);
  };
  return html`<section class="dock" aria-label=${t("Calls that wait for you")} data-testid="dock" @keydown=${held} @mousedown=${stay}>
    ${queue(state, tickets, ticket, hand)}
    ${inTab(ticket, hand)}
    ${repeat(
      [ticket],
      () => open.batch?.calls ?? ticket.request.approvalId,
      () => card(state, ticket, open, hand),
    )}
  </section>`;
}

/** In little room the composer folds once the focus leaves it, and a button that moves under the pointer gets no click. */
function stay(event: MouseEvent): void {
  const onButton = event.target instanceof Element && event.target.closest("button") !== null;
  if (onButton && document.activeElement instanceof HTMLTextAreaElement && document.activeElement.closest(".dock") === null) {
    event.preventDefault();
  }
}

/** Stands in place of a card for which the view has no room; the card answers to no key then. */
function inTab({ request: { approvalId } }: Ticket, hand: Hand): TemplateResult {
  const go = (): void => hand.act({ kind: "post", message: { kind: "runCommand", command: "reviewInTab", about: approvalId } });
  return html`<button class="in-tab second" data-testid="in-tab" @click=${go}>${t("Review in a tab")}</button>`;
}

function queue(state: State, tickets: readonly Ticket[], ticket: Ticket, hand: Hand): TemplateResult {
  const rows = rowsOf(state);
  const at = places((rows.length < 2 ? [ticket] : rows).map((each) => tickets.indexOf(each) + 1));
  return html`<div class="queue">
    ${shield()}<bdi class="count" data-testid="waiting-count">${mixed("{0} waiting", state.replica.order.length)}</bdi>
    ${chips(tickets, ticket, hand)}
    ${together(state, ticket, hand)}<span class="sp"></span>
    ${tickets.length > 1 ? pager(at, state.replica.order.length, hand) : nothing}
  </div>`;
}

/** Places in the queue: neighbours as one range, and others one by one. */
function places(all: readonly number[]): string {
  const isFirst = (place: number): boolean => !all.includes(place - 1);
  const lasts = all.filter((place) => !all.includes(place + 1));
  return all
    .filter(isFirst)
    .map((from, at) => (from === lasts[at] ? `${from}` : `${from}-${lasts[at]}`))
    .join(", ");
}

/** What is like the call that is shown can be answered with it. */
function together(state: State, ticket: Ticket, hand: Hand): TemplateResult | typeof nothing {
  const count = state.open?.batch ? 0 : alike(state, ticket).length;
  if (count < 2) return nothing;
  return html`<button class="chip" data-testid="together" @click=${() => hand.act({ kind: "together" })}>${mixed("Answer {0} alike together", count)}</button>`;
}

function pager(at: string, count: number, hand: Hand): TemplateResult {
  const turn = (by: 1 | -1) => () => hand.act({ kind: "turn", by });
  return html`<span class="pager" data-testid="pager">
    <button class="quiet" aria-label=${t("Previous waiting call")} @click=${turn(-1)}><span aria-hidden="true">‹</span></button>
    <bdi>${at} / ${count}</bdi>
    <button class="quiet" aria-label=${t("Next waiting call")} @click=${turn(1)}><span aria-hidden="true">›</span></button>
  </span>`;
}

/** One for each agent that waits; pressing it shows that agent's first call. */
function chips(tickets: readonly Ticket[], ticket: Ticket, hand: Hand): readonly TemplateResult[] {
  const agents = [...new Set(tickets.map(({ request }) => request.card.agentId))];
  // Of one agent the card tells already.
  if (agents.length === 1) return [];
  return agents.map((agentId) => {
    const own = tickets.filter(({ request }) => request.card.agentId === agentId);
    return chip(agentId === ticket.request.card.agentId, own, hand);
  });
}

function chip(isShown: boolean, own: readonly Ticket[], hand: Hand): TemplateResult {
  const [first] = own;
  const show = (): void => {
    if (first !== undefined && !isShown) {
      hand.act({ kind: "show", approvalId: first.request.approvalId });
    }
  };
  return html`<button class="chip" aria-pressed=${isShown ? "true" : "false"} @click=${show}>
    <bdi>${first?.request.card.agentName}</bdi> ${own.length}
  </button>`;
}
