/**
 * Like calls of one agent, answered together.
 *
 * A batch is a list of tickets as they were when it opened, and which of them are not ticked. Who
 * joins later is not in it, and who changed or was settled meanwhile falls out alone, while its row
 * keeps its place. Each call keeps its own digest and gets an answer of its own.
 */

import { plain } from "../../shared/card";
import { t } from "../../shared/l10n";
import { titled } from "../../shared/server-sentences";
import type { ApprovalRequest, Card, CardOption } from "../../shared/protocol";
import type { Ticket } from "../../shared/replica";
import { alike, fits } from "./similar-calls";
import { counts, type Press } from "../dom/press";
import { secondsLeft } from "./countdown";
import { shown, waiting, withErrand, withRequest, without, type Open, type State, type Batch } from "../state/model";

/** The calls of the open batch that still wait as they were. */
export function rowsOf(state: State): readonly Ticket[] {
  const calls = state.open?.batch?.calls ?? [];
  const isOf = ({ request }: Ticket): boolean =>
    calls.some((call) => isIn(call, request.approvalId) && call.request.digest === request.digest);
  return calls.length === 0 ? [] : waiting(state).filter((each) => isOf(each) && fits(each.request));
}

function isIn({ request }: Ticket, approvalId: string): boolean {
  return request.approvalId === approvalId;
}

/** Whose time runs out first: of a list, or of the card that is shown. */
export function soonest(state: State): Ticket | null {
  const left = (ticket: Ticket): number => secondsLeft(ticket, state.now) ?? Infinity;
  const rows = rowsOf(state);
  return rows.length === 0 ? shown(state) : rows.reduce((one, other) => (left(other) < left(one) ? other : one));
}

/** Open the list of the calls that are like the one that is shown. */
export function batched(state: State, open: Open, ticket: Ticket): State {
  const all = alike(state, ticket);
  const [first] = all;
  if (first === undefined || all.length < 2) return state;
  const { approvalId } = first.request;
  const after = { ...state, live: t("{0} calls in one list.", all.length) };
  return withErrand(
    {
      ...after,
      open: {
        ...open,
        approvalId,
        list: null,
        words: null,
        step: null,
        why: false,
        shownAt: state.now,
        since: state.now,
        batch: { calls: all, off: [], tick: null },
      },
    },
    { kind: "focus", on: "card" },
  );
}

/** Tick a call, or take its tick away; as with an answer, the rows must have stood still. */
export function ticked(state: State, approvalId: string, press: Press): State {
  const { open } = state;
  if (open === null || open.batch === null || !rowsOf(state).some((row) => isIn(row, approvalId))) return state;
  const { off, tick } = open.batch;
  // A tick moves nothing but the words of the buttons.
  const since = tick?.at === open.since ? tick.since : open.since;
  if (!counts(press, since) || approvalId in state.sending) return state;
  const now = off.includes(approvalId) ? off.filter((each) => each !== approvalId) : [...off, approvalId];
  return {
    ...state,
    open: { ...open, since: state.now, confirming: false, batch: { ...open.batch, off: now, tick: { at: state.now, since } } },
  };
}

/** Answer each call of the batch for itself: those that are ticked are allowed, unless all are denied. */
export function batchAnswered(state: State, side: "allow" | "deny"): State {
  const rows = rowsOf(state);
  if (rows.some(({ request }) => request.approvalId in state.sending)) return state;
  const off = state.open?.batch?.off ?? [];
  const isAllowed = ({ request }: Ticket): boolean => side === "allow" && !off.includes(request.approvalId);
  if (side === "allow" && !rows.some(isAllowed)) return { ...state, live: t("None of these calls is ticked.") };
  return rows.reduce((now, row) => answered(now, row.request, isAllowed(row) ? "allowOnce" : "denyOnce"), state);
}

function answered(state: State, { approvalId, chatId, revision, digest, card }: ApprovalRequest, kind: CardOption["kind"]): State {
  const optionId = optionOf(card, kind)?.id;
  if (optionId === undefined || state.open === null) return state;
  const shownMs = Math.max(0, Math.round(state.now - state.open.shownAt));
  const sending = { ...state.sending, [approvalId]: { optionId, at: state.now } };
  const after = { ...state, sending, remarks: without(state.remarks, approvalId) };
  const params = { approvalId, chatId, revision, digest, optionId, shownMs };
  return withRequest(after, "tool/approvalResponse", params, { kind: "answer", approvalId, option: kind });
}

/** What is left of the batch goes on as one; of one that is left the card comes. */
export function batchKept(before: State, after: State): State {
  const { open } = after;
  if (open === null || open.batch === null) return after;
  const state = fallen(before, after, open.batch);
  const rows = rowsOf(state);
  const [first] = rows;
  const isSent = rows.some(({ request }) => request.approvalId in state.sending);
  if (first === undefined || (rows.length === 1 && !isSent)) return focused({ ...state, open: { ...open, batch: null, since: state.now } });
  // Where a row went, or says something else, the list must stand still anew.
  const since = before.open?.batch && !isSame(rowsOf(before), rows) ? state.now : open.since;
  return { ...state, open: { ...open, approvalId: first.request.approvalId, since } };
}

/** Who is asked by itself now, and what was not answered by that, is said. */
function fallen(before: State, state: State, { off }: Batch): State {
  const now = rowsOf(state);
  const gone = rowsOf(before).filter(
    ({ request: { approvalId } }) => !now.some((row) => isIn(row, approvalId)) && waiting(state).some((each) => isIn(each, approvalId)),
  );
  const told = gone.map(({ request: { approvalId, card } }) =>
    t(off.includes(approvalId) ? "{0} is asked by itself; your deny was not given." : "{0} is asked by itself.", plain(titled(card.title))),
  );
  return told.length === 0 ? state : { ...state, live: told.join(" ") };
}

/** The keyboard stays where the list was. */
function focused(state: State): State {
  return state.where === "card" ? withErrand(state, { kind: "focus", on: "card" }) : state;
}

function isSame(were: readonly Ticket[], are: readonly Ticket[]): boolean {
  return (
    were.length === are.length &&
    are.every((row, at) => row === were[at] || JSON.stringify(row.request.card) === JSON.stringify(were[at]?.request.card))
  );
}

/** Back to one card after the other. */
export function oneByOne(state: State): State {
  const { open } = state;
  if (open === null || open.batch === null) return state;
  return withErrand({ ...state, open: { ...open, batch: null, shownAt: state.now, since: state.now } }, { kind: "focus", on: "card" });
}

function optionOf({ options }: Card, kind: CardOption["kind"]): CardOption | undefined {
  return options.find((each) => each.kind === kind);
}
