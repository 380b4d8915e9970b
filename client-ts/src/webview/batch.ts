/**
 * Like calls of one agent, answered together.
 *
 * A batch is a list of tickets as they were when it opened, and which of them are not ticked. Who
 * joins later is not in it, and who changed or was settled meanwhile falls out alone. Each call
 * keeps its own digest and gets an answer of its own.
 */

import type { ApprovalRequest, Card, CardOption } from "../protocol";
import type { Ticket } from "../replica";
import { saysAll } from "./card/body";
import { hiddenSize } from "./card/fold";
import { waiting, withErrand, withRequest, without, type Open, type State } from "./model";

/** The calls of a batch, by their digests, as they were when it opened. */
export interface Batch {
  readonly digests: { readonly [approvalId: string]: string };
  /** Those that are not ticked. */
  readonly off: readonly string[];
}

/** So many stretches of a change can be looked at in a row of a list. */
const HUNKS = 3;

/** The tickets that can be answered with this one, in their order; it alone where there is none. */
export function alike(state: State, ticket: Ticket): readonly Ticket[] {
  const { request } = ticket;
  if (!fits(request)) return [ticket];
  return waiting(state).filter(
    (each) => fits(each.request) && kindOf(each.request) === kindOf(request) && !(each.request.approvalId in state.sending),
  );
}

function kindOf({ chatId, card: { agentId, body } }: ApprovalRequest): string {
  return JSON.stringify([chatId, agentId, body.kind]);
}

/** Whether a call of no high level is told whole in a row. */
function fits({ card }: ApprovalRequest): boolean {
  const { body, level, options, members } = card;
  if (level === "high" || members.length > 0 || hiddenSize(card) > 0) return false;
  if (optionOf(card, "allowOnce") === undefined || optionOf(card, "denyOnce") === undefined) return false;
  return body.kind === "edit" ? body.files.flatMap(({ hunks }) => hunks).length <= HUNKS : options.length > 0 && saysAll(card);
}

/** The calls of the open batch that still wait as they were. */
export function rowsOf(state: State): readonly Ticket[] {
  const digests = state.open?.batch?.digests ?? {};
  return waiting(state).filter(({ request }) => digests[request.approvalId] === request.digest && fits(request));
}

/** Open the list of the calls that are like the one that is shown. */
export function batched(state: State, open: Open, ticket: Ticket): State {
  const all = alike(state, ticket);
  const [first] = all;
  if (first === undefined || all.length < 2) return state;
  const digests = Object.fromEntries(all.map(({ request }) => [request.approvalId, request.digest]));
  const { approvalId } = first.request;
  const after = { ...state, live: `${all.length} calls in one list.` };
  return withErrand({ ...after, open: { ...open, approvalId, list: null, words: null, step: null, why: false, shownAt: state.now, since: state.now, batch: { digests, off: [] } } }, { kind: "focus", on: "card" });
}

/** Tick a call, or take its tick away. */
export function ticked(state: State, approvalId: string): State {
  const { open } = state;
  if (open === null || open.batch === null) return state;
  const { off } = open.batch;
  const now = off.includes(approvalId) ? off.filter((each) => each !== approvalId) : [...off, approvalId];
  return { ...state, open: { ...open, since: state.now, confirming: false, batch: { ...open.batch, off: now } } };
}

/** Answer each call of the batch for itself: those that are ticked are allowed, unless all are denied. */
export function batchAnswered(state: State, side: "allow" | "deny"): State {
  const rows = rowsOf(state).filter(({ request }) => !(request.approvalId in state.sending));
  const off = state.open?.batch?.off ?? [];
  const isAllowed = ({ request }: Ticket): boolean => side === "allow" && !off.includes(request.approvalId);
  if (side === "allow" && !rows.some(isAllowed)) return { ...state, live: "None of these calls is ticked." };
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
export function batchKept(before: State, state: State): State {
  const { open } = state;
  if (open === null || open.batch === null) return state;
  const rows = rowsOf(state);
  const [first] = rows;
  const isSent = rows.some(({ request }) => request.approvalId in state.sending);
  if (first === undefined || (rows.length === 1 && !isSent)) return { ...state, open: { ...open, batch: null, since: state.now } };
  // Where a row went, or says something else, the list must stand still anew.
  const since = before.open?.batch && !isSame(rowsOf(before), rows) ? state.now : open.since;
  return { ...state, open: { ...open, approvalId: first.request.approvalId, since } };
}

function isSame(were: readonly Ticket[], are: readonly Ticket[]): boolean {
  return were.length === are.length && are.every((row, at) => row === were[at] || JSON.stringify(row.request.card) === JSON.stringify(were[at]?.request.card));
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
