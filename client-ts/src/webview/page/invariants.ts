/**
 * What must hold after every moment, whatever it was.
 *
 * A chat is shown where there is one; a card is open where one waits, and a new one never takes
 * its place; a card whose text changed must stand still anew; the host knows how the view looks.
 */

import { plain } from "../../shared/card";
import { nextQuestion, stillFailing } from "../../shared/catch-up";
import { t } from "../../shared/l10n";
import { said, titled } from "../../shared/server-sentences";
import { opened } from "../cards/answers";
import { batchKept, rowsOf } from "../cards/batch";
import { changesFollowed } from "../changes/changes";
import { titleOf } from "../chats/conversation";
import { stepAnew } from "../cards/rule-step";
import { startAsked } from "../start/start";
import {
  chatOf,
  isAsking,
  isWriting,
  shown,
  waiting,
  withErrand,
  withRequest,
  without,
  type Looks,
  type Open,
  type State,
} from "../state/model";
import { haveOf, type Ticket } from "../../shared/replica";

/** The state with everything in its place again. */
export function following(before: State, state: State): State {
  return looking(startAsked(sorted(noted(before, changesFollowed(carded(before, chatted(state)))))));
}

/** The chat that is shown is one that there is. */
function chatted(state: State): State {
  const { chats, phase } = state.replica;
  const isBack = state.returning !== null && phase === "live" && chats.some(({ chatId }) => chatId === state.returning);
  if (isBack) return { ...state, chatId: state.returning, expected: null, returning: null };
  if (phase !== "live" || state.chatId === null) return newest(state);
  if (chats.some(({ chatId }) => chatId === state.chatId)) return { ...state, expected: null };
  return state.chatId === state.expected ? state : newest({ ...state, chatId: null });
}

function newest(state: State): State {
  const chatId = state.chatId ?? state.replica.chats.at(-1)?.chatId ?? null;
  return { ...state, chatId };
}

/** The open card stays; if its ticket left, the one that took its place comes. */
function carded(before: State, state: State): State {
  return batchKept(before, ticketed(before, state));
}

function ticketed(before: State, state: State): State {
  const tickets = waiting(state);
  const now = shown(state);
  if (now !== null) return counted(before, rearmed(before, state, now));
  if (tickets.length === 0) return closed(state);
  const next = nextOf(before, state, rowsOf(state)) ?? nextOf(before, state, tickets);
  if (next === undefined) return state;
  const after = { ...state, open: anew(state, next) };
  const told = { ...after, live: `${state.open === null ? "" : after.live} ${asks(after, next)}`.trim() };
  return state.open !== null && state.where === "card" ? withErrand(told, { kind: "focus", on: "card" }) : told;
}

/** What comes next: the rest of a list, or a card. */
function anew(state: State, next: Ticket): Open {
  const open = opened(next.request.approvalId, state.now);
  const isOfList = state.open?.batch && rowsOf(state).includes(next);
  return isOfList ? { ...open, batch: state.open.batch, shownAt: state.open.shownAt } : open;
}

function closed(state: State): State {
  if (state.open === null) return state;
  const after = { ...state, open: null, closedAt: state.now };
  return state.where === "card" ? withErrand(after, { kind: "focus", on: "composer" }) : after;
}

/** The ticket after the one that left; at first, one of the chat that is shown. */
function nextOf(before: State, state: State, tickets: readonly Ticket[]): Ticket | undefined {
  const gone = before.open?.approvalId;
  const place = before.replica.tickets.findIndex(({ request }) => request.approvalId === gone);
  if (place >= 0) return tickets[place] ?? tickets.at(-1);
  return tickets.find(({ request }) => request.chatId === state.chatId) ?? tickets[0];
}

/** A card that is not what it was must be read anew, and opened anew. */
function rearmed(before: State, state: State, ticket: Ticket): State {
  const was = shown(before);
  if (was === null || state.open === null || sameText(was, ticket)) return state;
  if (was.request.approvalId !== ticket.request.approvalId || state.open.batch !== null) return state;
  const step = stepAnew(state.open.step, ticket.request.card.options, state.now);
  const open = { ...opened(ticket.request.approvalId, state.now), words: state.open.words, step };
  return { ...state, open, sending: without(state.sending, ticket.request.approvalId) };
}

function sameText(one: Ticket, other: Ticket): boolean {
  const [a, b] = [one.request, other.request];
  if (a === b) return true;
  if (a.digest !== b.digest || a.revision !== b.revision) return false;
  return JSON.stringify(a.card) === JSON.stringify(b.card);
}

/** A new question behind an open card changes the count, and is told as a count. */
function counted(before: State, state: State): State {
  const [was, now] = [before.replica.order.length, state.replica.order.length];
  return now > was && was > 0 ? { ...state, live: t("{0} calls wait.", now) } : state;
}

function asks(state: State, { request }: Ticket): string {
  const { agentName, title, consequence, level } = request.card;
  const effect = consequence === null ? "" : ` ${level === "high" ? `${t("High:")} ` : ""}${said(consequence)}`;
  const count = state.replica.order.length;
  return `${t("{0} asks: {1}.", agentName, plain(titled(title)))}${effect}${count > 1 ? ` ${t("{0} calls wait.", count)}` : ""}`;
}

/** A sentence that is drawn is also told. */
function noted(before: State, state: State): State {
  return state.note === null || state.note === before.note ? state : { ...state, live: state.note };
}

/** Nothing is kept for tickets that are gone, and a lost replica asks. */
function sorted(state: State): State {
  const { tickets } = state.replica;
  const there = new Set(tickets.map(({ request }) => request.approvalId));
  const keep = <T>(record: { readonly [id: string]: T }): { readonly [id: string]: T } =>
    Object.keys(record).every((id) => there.has(id)) ? record : Object.fromEntries(Object.entries(record).filter(([id]) => there.has(id)));
  const failures = stillFailing(state.replica, state.failures);
  return asking({ ...state, failures, sending: keep(state.sending), remarks: keep(state.remarks) });
}

/** What was missed is asked for; cards for which a snapshot had no room, one after the other. */
function asking(state: State): State {
  if (state.server.state !== "ready") return state;
  const question = nextQuestion(state.replica, state.failures, state.now);
  if (question?.kind === "subscribe") return subscribing(state);
  if (question === null || isAsking(state, ({ kind }) => kind === "card")) return state;
  return withRequest(state, "tool/card", { approvalId: question.approvalId }, question);
}

function subscribing(state: State): State {
  const params = { viewId: state.viewId, have: haveOf(state.replica) };
  const after = { ...state, replica: { ...state.replica, phase: "asking" as const } };
  return withRequest(after, "agent/subscribe", params, { kind: "subscribe" });
}

function looking(state: State): State {
  const chat = chatOf(state);
  // Where a text is being written in the card, keys that answer it belong to the text.
  const now: Looks = {
    focused: state.where !== "away",
    composerEmpty: state.draft.trim() === "" && !isWriting(state),
    cardShown: shown(state)?.request.approvalId ?? null,
    cardFocused: state.where === "card" && !isWriting(state),
    title: chat === null ? (state.replica.phase === "live" ? "" : null) : titleOf(chat),
  };
  if (JSON.stringify(state.told) === JSON.stringify(now)) return state;
  return withErrand({ ...state, told: now }, { kind: "post", message: { kind: "looks", ...now } });
}
