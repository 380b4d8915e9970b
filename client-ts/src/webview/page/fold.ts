/**
 * The fold: what one moment makes of the state. `moments.reduce(step, START)` is all there is.
 *
 * Pure: what must be done in the world is written down as errands, and whoever runs the fold does them.
 */

import { atChoices, atRules, batchPressed, changed, pressed, showing, sighted, turned } from "../cards/answers";
import { keepWaiting, openDiff } from "../cards/requests";
import { batched, oneByOne, soonest, ticked as tickedIn } from "../cards/batch";
import { atChanges } from "../changes/changes";
import { announcement } from "../cards/countdown";
import { following } from "./invariants";
import { fromHost } from "./host-news";
import { chatOf, shown, withErrand, withRequest, type State } from "../state/model";
import type { Input, Moment } from "../state/moments";
import { mentioned, naming } from "../composer/mentions";
import { recordTurned } from "../transcript/open-records";
import { silenced } from "../cards/receipts";
import { begunWith, starting } from "../start/start";
import { atRewind } from "../chats/rewind";
import { asking } from "../cards/rule-step";
import { TOO_SOON } from "../dom/click-guard";
import { queueKept, takenBack } from "../chats/message-queue";
import {
  beginsChat,
  attached,
  chatShown,
  closed,
  escaped,
  earlier,
  goneOnWith,
  offerTaken,
  partnerPicked,
  prompted,
  stopped,
  triedNow,
  wentOn,
} from "../chats/conversation";

type AtComposer = Extract<
  Input,
  { kind: "typed" | "filled" | "attach" | "send" | "stop" | "escape" | "takeBack" | "tryNow" | "goOn" | "dropOffer" | "dropNote" }
>;
type AtChats = Extract<
  Input,
  {
    kind:
      | "pickChat"
      | "pickPartner"
      | "pickMode"
      | "pickEffort"
      | "pickOption"
      | "logIn"
      | "newChat"
      | "closeChat"
      | "goOnHere"
      | "takeOffer"
      | "earlier"
      | "starting"
      | "begin";
  }
>;
type AtWork = Extract<
  Input,
  { kind: "askAgain" | "atCall" | "again" | "turnRecord" | "openRecordDiff" | "wantSound" | "changes" | "rewind" | "killShell" }
>;
type AtCard = Extract<
  Input,
  {
    kind:
      | "show"
      | "turn"
      | "list"
      | "words"
      | "fill"
      | "fieldsThere"
      | "rule"
      | "choose"
      | "openMiddle"
      | "why"
      | "together"
      | "oneByOne"
      | "tickCall"
      | "batchPress"
      | "toUnseen"
      | "press"
      | "keepWaiting"
      | "openDiff";
  }
>;

/** The state after a moment. */
export function step(state: State, moment: Moment): State {
  const before = { ...state, now: moment.at };
  return granted(following(state, queueKept(asking(taken(before, moment, state.now)))), moment.at);
}

/** What was wished for before anything was known happens once it is. */
function granted(state: State, at: number): State {
  if (state.replica.phase !== "live") return state;
  if (state.isEager && state.server.state === "ready") {
    return step({ ...state, isEager: false }, { kind: "send", at });
  }
  if (state.wishes.length === 0) return state;
  const free = { ...state, wishes: [] };
  return state.wishes.reduce<State>((now, message) => step(now, { kind: "fromHost", message, at }), free);
}

function taken(state: State, input: Input, before: number): State {
  switch (input.kind) {
    case "opened":
      return opened(state, input);
    case "fromHost":
      return fromHost(state, input.message);
    case "tick":
      return ticked(state, before);
    case "where":
      return located(state, input);
    case "moved":
      return changed(state, { confirming: state.open?.confirming ?? false });
    case "tooSoon":
      return { ...state, live: TOO_SOON };
    case "sight":
      return sighted(state, input.sight);
    case "naming":
      return naming(state, input.step);
    case "typed":
    case "filled":
    case "attach":
    case "send":
    case "stop":
    case "escape":
    case "takeBack":
    case "tryNow":
    case "goOn":
    case "dropOffer":
    case "dropNote":
      return atComposer(stays(state), input);
    case "pickChat":
    case "pickPartner":
    case "pickMode":
    case "pickEffort":
    case "pickOption":
    case "logIn":
    case "newChat":
    case "closeChat":
    case "goOnHere":
    case "takeOffer":
    case "earlier":
    case "starting":
    case "begin":
      return atChats(stays(state), input);
    case "askAgain":
    case "atCall":
    case "again":
    case "turnRecord":
    case "openRecordDiff":
    case "wantSound":
    case "changes":
    case "rewind":
    case "killShell":
      return atWork(state, input);
    case "post":
      return withErrand(state, { kind: "post", message: input.message });
    default:
      return atCard(state, input);
  }
}

/** Who does something in the chat that is shown stays there, whichever comes back. */
function stays(state: State): State {
  return state.returning === null ? state : { ...state, returning: null };
}

function opened(state: State, { viewId, draft, references = [], queued = {}, chatId }: Extract<Input, { kind: "opened" }>): State {
  const ready = { kind: "post", message: { kind: "ready" } } as const;
  return withErrand({ ...state, viewId, draft, references, queued, chatId, returning: chatId }, ready);
}

/** What a person does where they write, and with the lines above it. */
function atComposer(state: State, input: AtComposer): State {
  switch (input.kind) {
    case "typed":
      return mentioned(
        { ...state, draft: input.text, editing: input.text === "" ? null : state.editing, note: null, isEager: false },
        input.caret ?? -1,
      );
    case "filled":
      return withErrand({ ...state, draft: input.text }, { kind: "focus", on: "composer" });
    case "attach":
      return input.image === null
        ? { ...state, images: state.images.toSpliced(input.place ?? 0, 1) }
        : attached(state, input.image, input.note);
    case "send":
      return prompted(state);
    case "stop":
      // The button goes with the turn.
      return withErrand(stopped(state), { kind: "focus", on: "composer" });
    case "escape":
      return escaped(state);
    case "takeBack":
      return withErrand(takenBack(state), { kind: "focus", on: "composer" });
    case "tryNow":
      return triedNow(state);
    case "goOn":
      return wentOn(state);
    case "dropOffer":
      return { ...state, offer: null };
    case "dropNote":
      return { ...state, note: null };
  }
}

/** What a person does about chats. */
function atChats(state: State, input: AtChats): State {
  switch (input.kind) {
    case "pickChat":
      return chatShown(state, input.chatId);
    case "pickPartner":
      return partnerPicked(state, input.partner);
    case "pickMode": {
      const chat = chatOf(state);
      if (chat === null) return { ...state, mode: input.mode };
      return withRequest(state, "agent/setMode", { chatId: chat.chatId, mode: input.mode });
    }
    case "pickEffort": {
      const chat = chatOf(state);
      if (chat === null) return state;
      return withRequest(state, "agent/setEffort", { chatId: chat.chatId, effort: input.effort });
    }
    case "pickOption": {
      const chat = chatOf(state);
      if (chat === null) return state;
      const { optionId, value } = input;
      return withRequest(state, "agent/setOption", { chatId: chat.chatId, optionId, value });
    }
    case "logIn": {
      const chat = chatOf(state);
      if (chat === null) return state;
      return withRequest(state, "agent/logIn", { chatId: chat.chatId, way: input.way });
    }
    case "starting":
      return starting(state, input.what);
    case "begin":
      return begunWith(state, input.partner);
    case "newChat":
      return beginsChat(state, input.partner);
    case "closeChat":
      return closed(state);
    case "goOnHere":
      return goneOnWith(state);
    case "takeOffer":
      return offerTaken(state, input.offer);
    case "earlier":
      return earlier(state);
  }
}

/** What a person does about agents, calls and shells that are at work. */
function atWork(state: State, input: AtWork): State {
  switch (input.kind) {
    case "askAgain":
      return withRequest(state, "agent/bypass", { agentId: input.agentId, on: false });
    case "atCall":
      return withRequest(state, input.method, input.call);
    case "again":
      return withRequest(state, "tool/again", input.call);
    case "turnRecord":
      return recordTurned(state, input.ref, input.isOpen);
    case "openRecordDiff":
      return withRequest(state, "tool/openRecordDiff", { ...input.ref, file: input.file });
    case "wantSound":
      return withRequest({ ...state, sound: { callId: input.ref.callId, kept: null } }, "tool/sound", input.ref, {
        kind: "sound",
        callId: input.ref.callId,
      });
    case "rewind":
      return atRewind(state, input.step);
    case "changes":
      return atChanges(state, input.step);
    case "killShell":
      return withRequest(state, "shell/kill", input.shell);
  }
}

/** What a person does at the card that is shown. */
function atCard(state: State, input: AtCard): State {
  switch (input.kind) {
    case "show":
      return showing(state, input.approvalId);
    case "turn":
      return turned(state, input.by);
    case "list": {
      const after = changed(state, { list: input.list, words: null, step: null, choosing: null });
      if (!input.byKey || input.list === null) return after;
      return withErrand(after, { kind: "focus", on: "list" });
    }
    case "words":
      return worded(state, input.words);
    case "fieldsThere":
      return changed({ ...state, canFill: true }, {});
    case "fill":
      return state.open === null ? state : { ...state, open: { ...state.open, values: input.values } };
    case "rule":
      return atRules(state, input.change);
    case "choose":
      return atChoices(state, input.choice, input.ticked);
    case "openMiddle":
      return changed(state, { opened: true });
    case "why":
      return changed(state, { why: input.open });
    case "together": {
      const ticket = shown(state);
      return ticket === null || state.open === null ? state : batched(state, state.open, ticket);
    }
    case "oneByOne":
      return oneByOne(state);
    case "tickCall":
      return tickedIn(state, input.approvalId, input.press);
    case "batchPress":
      return batchPressed(state, input.side, input.press);
    case "toUnseen":
      return withErrand(state, { kind: "focus", on: "unseen" });
    case "press":
      return pressed(state, input.optionId, input.press);
    case "keepWaiting":
      return keepWaiting(state);
    case "openDiff":
      return openDiff(state, input.file);
  }
}

function ticked(state: State, before: number): State {
  const ticket = soonest(state);
  const told = ticket === null ? null : announcement(ticket, before, state.now);
  return silenced({ ...state, live: told ?? state.live });
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
