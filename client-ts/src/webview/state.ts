/**
 * The fold: what one moment makes of the state.
 *
 * `moments.reduce(step, START)` is all there is. Pure: what must be done in the world is written
 * down as errands, and whoever runs the fold does them.
 */

import type { Delivered } from "../protocol";
import type { ToView } from "../pipe";
import {
  changed,
  commanded,
  keepWaiting,
  openDiff,
  pressed,
  received,
  remarked,
  showing,
  silenced,
  turned,
} from "./answering";
import { announcement } from "./countdown";
import { following } from "./following";
import {
  chatOf,
  shown,
  START,
  withErrand,
  withRequest,
  without,
  type Answers,
  type Input,
  type Moment,
  type Purpose,
  type State,
} from "./model";
import { heard, lose, subscribed, type Replica } from "./replica";
import { agentPicked, asksForChat, chatOpened, prompted, promptFailed, stopped } from "./talking";

export { START };

/** The state after a moment. */
export function step(state: State, moment: Moment): State {
  const before = { ...state, now: moment.at };
  return granted(following(state, taken(before, moment, state.now)), moment.at);
}

/** What was wished for before anything was known happens once it is. */
function granted(state: State, at: number): State {
  if (state.wishes.length === 0 || state.replica.phase !== "live") return state;
  const free = { ...state, wishes: [] };
  return state.wishes.reduce<State>((now, message) => step(now, { kind: "fromHost", message, at }), free);
}

function taken(state: State, input: Input, before: number): State {
  switch (input.kind) {
    case "opened": {
      const { viewId, draft, chatId } = input;
      const ready = { kind: "post", message: { kind: "ready" } } as const;
      return withErrand({ ...state, viewId, draft, chatId }, ready);
    }
    case "fromHost":
      return fromHost(state, input.message);
    case "tick":
      return ticked(state, before);
    case "where":
      return located(state, input);
    case "moved":
      return changed(state, { confirming: state.open?.confirming ?? false });
    case "typed":
      return { ...state, draft: input.text, note: null };
    case "filled":
      return withErrand({ ...state, draft: input.text }, { kind: "focus", on: "composer" });
    case "send":
      return prompted(state);
    case "stop":
      return stopped(state);
    case "pickChat":
      return withErrand({ ...state, chatId: input.chatId, offer: null }, { kind: "toEnd" });
    case "pickAgent":
      return agentPicked(state, input.agentId);
    case "pickMode": {
      const chat = chatOf(state);
      if (chat === null) return { ...state, mode: input.mode };
      return withRequest(state, "agent/setMode", { chatId: chat.chatId, mode: input.mode });
    }
    case "newChat":
      return asksForChat(state, input.agentId, null);
    case "dropOffer":
      return { ...state, offer: null };
    case "dropNote":
      return { ...state, note: null };
    case "askAgain":
      return withRequest(state, "agent/bypass", { agentId: input.agentId, on: false });
    case "show":
      return showing(state, input.approvalId);
    case "turn":
      return turned(state, input.by);
    case "list": {
      const after = changed(state, { list: input.list, words: null });
      if (!input.byKey || input.list === null) return after;
      return withErrand(after, { kind: "focus", on: "list" });
    }
    case "words":
      return worded(state, input.words);
    case "openMiddle":
      return changed(state, { opened: true });
    case "press":
      return pressed(state, input.optionId, input.press);
    case "keepWaiting":
      return keepWaiting(state);
    case "openDiff":
      return openDiff(state, input.file);
    case "post":
      return withErrand(state, { kind: "post", message: input.message });
  }
}

function fromHost(state: State, message: ToView): State {
  switch (message.kind) {
    case "message": {
      const delivered = deliveredOf(message);
      if (delivered === null) return state;
      return learned(state, heard(state.replica, delivered, state.now), delivered);
    }
    case "answer": {
      const purpose = state.asked[message.id];
      if (purpose === undefined) return state;
      const after = { ...state, asked: without(state.asked, `${message.id}`) };
      if (message.error !== undefined) return failed(after, purpose, message.error);
      return answered(after, purpose, message.result);
    }
    case "command":
      if (isNew(state)) return wished(state, message.command === "review" ? [message] : []);
      return commanded(state, message.command);
    case "newChat":
      return isNew(state) ? wished(state, [message]) : asksForChat(state, null, null);
    case "focusComposer":
      return withErrand(state, { kind: "focus", on: "composer" });
    case "server": {
      const server = { state: message.state, text: message.text };
      return { ...state, server, retryAt: null, replica: served(state.replica, message.state) };
    }
  }
}

/** Whether the server has never told this view anything. */
function isNew({ replica }: State): boolean {
  return replica.epoch === null;
}

function wished(state: State, messages: readonly ToView[]): State {
  return { ...state, wishes: [...state.wishes, ...messages] };
}

/** Tickets die with the server that held them; a server that is there is asked. */
function served(replica: Replica, now: State["server"]["state"]): Replica {
  if (now === "ready") return lose(replica);
  return { ...lose(replica, true), tickets: [], held: [] };
}

/** The protocol's own messages are handed on by the extension as the server made them. */
function deliveredOf(message: Extract<ToView, { kind: "message" }>): Delivered | null {
  switch (message.method) {
    case "agent/event":
      return { kind: "event", message: message.params } as Delivered;
    case "tool/approvalRequest":
      return { kind: "request", message: message.params } as Delivered;
    case "tool/approvalSettled":
      return { kind: "settled", message: message.params } as Delivered;
    default:
      return null;
  }
}

/** What the view keeps of a message beside the replica: how a question without a chat ended. */
function learned(state: State, replica: Replica, delivered: Delivered): State {
  const after = { ...state, replica };
  if (delivered.kind === "event") return finished(after, delivered);
  if (delivered.kind === "request") return after;
  const { approvalId, outcome, because } = delivered.message;
  const was = state.replica.tickets.find(({ request }) => request.approvalId === approvalId);
  if (was === undefined || replica.tickets.length === state.replica.tickets.length) return after;
  const live = because;
  if (was.request.chatId !== null) return { ...after, live };
  const record = { approvalId, title: was.request.card.title, outcome, because };
  return { ...after, live, settled: [...state.settled, record] };
}

function finished(state: State, { message }: Extract<Delivered, { kind: "event" }>): State {
  const chat = chatOf(state);
  if (message.event.kind !== "turnEnded" || message.chatId !== chat?.chatId) return state;
  const { because } = message.event;
  return { ...state, live: `${chat.agentName} has finished. ${because}`.trim() };
}

/** The extension hands results on as the server made them; `Messages` says what they are. */
function answered(state: State, purpose: Purpose, result: unknown): State {
  switch (purpose.kind) {
    case "subscribe":
      return {
        ...state,
        replica: subscribed(state.replica, result as Answers["subscribe"], state.now),
      };
    case "answer":
      return received(state, purpose.approvalId, result as Answers["answer"]);
    case "newChat":
      return chatOpened(state, (result as Answers["newChat"]).chatId, purpose);
    case "later":
      return { ...state, live: "It waits without limit now." };
    case "prompt":
    case "other":
      return state;
  }
}

function failed(state: State, purpose: Purpose, error: string): State {
  switch (purpose.kind) {
    case "subscribe":
      return { ...state, replica: lose(state.replica), retryAt: state.now + 2_000 };
    case "answer":
    case "later":
      return remarked(state, purpose.approvalId, error);
    case "prompt":
      return promptFailed(state, purpose, error);
    case "newChat":
    case "other":
      return { ...state, note: error };
  }
}

function ticked(state: State, before: number): State {
  const ticket = shown(state);
  const told = ticket === null ? null : announcement(ticket, before, state.now);
  const due = state.retryAt !== null && state.now >= state.retryAt;
  return silenced({ ...state, live: told ?? state.live, retryAt: due ? null : state.retryAt });
}

function located(state: State, input: Extract<Input, { kind: "where" }>): State {
  const after = { ...state, where: input.where };
  return input.regained ? changed(after, {}) : after;
}

function worded(state: State, words: string | null): State {
  if (state.open === null) return state;
  // Writing the words moves nothing; opening or closing their line does.
  if (words !== null && state.open.words !== null) {
    return { ...state, open: { ...state.open, words } };
  }
  return changed(state, { words });
}
