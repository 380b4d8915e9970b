/**
 * What the host says, and what it makes of the state: the server's news, answers to requests,
 * keys of the editor.
 */

import { afterFailure, toldOf, type Question } from "../../shared/catch-up";
import { t } from "../../shared/l10n";
import type { ToView } from "../../shared/host-messages";
import type {
  AgentEvent,
  CardShown,
  ChangesDone,
  ChangeShown,
  Chat,
  Delivered,
  Messages,
  Previewed,
  Receipt,
  RecordKept,
  ReferencesFound,
  RewindPlan,
  SoundKept,
  Subscribed,
  Turns,
} from "../../shared/protocol";
import { cardCame, deliveredOf, heard, lose, subscribed, type Replica } from "../../shared/replica";
import { commanded, showing } from "../cards/answers";
import { changesDone, changeTold } from "../changes/changes";
import { chatOf, withErrand, without, type Purpose, type State } from "../state/model";
import { offered, withReference } from "../composer/mentions";
import { queueSent } from "../chats/message-queue";
import { olderAfter, withPage } from "../chats/older-entries";
import { recordMoved, recordTold } from "../transcript/open-records";
import { received, remarked } from "../cards/receipts";
import { rewindPlanned, rewound } from "../chats/rewind";
import { foresaw } from "../cards/rule-step";
import { begunWith, startFailed, startTold } from "../start/start";
import { beginsChat, chatOpened, chatShown, prompted, promptFailed, turnOver } from "../chats/conversation";

/** The answers that the host hands back, by what was asked. */
interface Answers {
  readonly subscribe: Subscribed;
  readonly answer: Receipt;
  readonly card: CardShown;
  readonly turns: Turns;
  readonly record: RecordKept;
  readonly sound: SoundKept;
  readonly preview: Previewed;
  readonly named: ReferencesFound;
  readonly start: Messages["start/look"]["result"];
  readonly newChat: Messages["agent/newChat"]["result"];
  readonly change: ChangeShown;
  readonly changesDone: ChangesDone;
  readonly rewindPlan: RewindPlan;
  readonly prompt: Messages["agent/prompt"]["result"];
}

/** What the host said, taken in. */
export function fromHost(state: State, message: ToView): State {
  switch (message.kind) {
    case "message": {
      const delivered = deliveredOf(message.method, message.params);
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
      return isNew(state) ? wished(state, [message]) : beginsChat(state, null);
    case "showChat":
      if (isNew(state)) return wished(state, [message]);
      return chatShown(state, message.chatId);
    case "showCard":
      if (isNew(state)) return wished(state, [message]);
      return withErrand(
        state.replica.tickets.some(({ request }) => request.approvalId === message.approvalId) ? showing(state, message.approvalId) : state,
        { kind: "focus", on: "card" },
      );
    case "beginWith":
      return isNew(state) ? wished(state, [message]) : begunWith(state, message);
    case "addWords":
      return withErrand({ ...state, draft: behind(state.draft, message.text) }, { kind: "focus", on: "composer" });
    case "notSent":
      return promptFailed(state, { ...message, references: [] }, message.because);
    case "addReferences":
      return withErrand(message.found.reduce(withReference, state), { kind: "focus", on: "composer" });
    case "alarms":
      return { ...state, alarms: message.count };
    case "focusComposer":
      return withErrand(state, { kind: "focus", on: "composer" });
    case "server": {
      const server = { state: message.state, text: message.text };
      return { ...state, server, failures: [], replica: served(state.replica, message.state) };
    }
  }
}

/** Words behind those that were written, on lines of their own. */
function behind(draft: string, text: string): string {
  const written = draft.trimEnd();
  return written === "" ? text : `${written}\n\n${text}`;
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
  return { ...lose(replica, true), tickets: [], order: [], held: [] };
}

/** What the view keeps of a message beside the replica: how a question without a chat ended. */
function learned(state: State, replica: Replica, delivered: Delivered): State {
  const after = { ...state, replica };
  if (delivered.kind === "event") {
    const { message } = delivered;
    return recordMoved(
      state,
      queueSent(finished(replica.phase === "live" ? held(state, after, message) : after, message), message),
      message,
    );
  }
  if (delivered.kind === "request") return after;
  const { approvalId, outcome, because } = delivered.message;
  const was = state.replica.tickets.find(({ request }) => request.approvalId === approvalId);
  if (was === undefined || replica.tickets.length === state.replica.tickets.length) return after;
  const told = { ...after, live: because, lastSettled: { approvalId, because } };
  if (was.request.chatId !== null) return told;
  const record = { approvalId, title: was.request.card.title, outcome, because };
  return { ...told, settled: [...state.settled, record] };
}

/** What the server put away is held on to, since it may be on the screen. */
function held(before: State, after: State, message: AgentEvent): State {
  const chatIn = ({ replica }: State): Chat | null => replica.chats.find(({ chatId }) => chatId === message.chatId) ?? null;
  const was = chatIn(before);
  if (was === null || before.replica === after.replica) return after;
  return { ...after, older: olderAfter(after.older, message, was, chatIn(after), was.chatId === after.chatId) };
}

function finished(state: State, message: AgentEvent): State {
  const chat = chatOf(state);
  if (message.event.kind !== "turnEnded" || message.chatId !== chat?.chatId) return state;
  const { reason, because } = message.event;
  const failed = reason === "error";
  const how = failed ? t("{0} could not go on.", chat.agentName) : t("{0} has finished.", chat.agentName);
  return { ...state, live: failed && because !== "" ? because : `${how} ${because}`.trim() };
}

/** A page is opened once the answer that says so has been kept; an applied receipt may say that it was not. */
function pageOpened(state: State, { url }: Extract<Purpose, { kind: "answer" }>, receipt: Answers["answer"]): State {
  const isKept = receipt.kind === "applied" && receipt.outcome === "answered";
  return url === undefined || !isKept ? state : withErrand(state, { kind: "post", message: { kind: "openLink", url } });
}

/** The extension hands results on as the server made them; `Messages` says what they are. */
function answered(state: State, purpose: Purpose, result: unknown): State {
  switch (purpose.kind) {
    case "subscribe": {
      const replica = subscribed(state.replica, result as Answers["subscribe"], state.now);
      // What was missed may be about entries that are held; nobody has looked.
      return { ...state, replica, older: {} };
    }
    case "answer":
      return pageOpened(received(state, purpose.approvalId, result as Answers["answer"]), purpose, result as Answers["answer"]);
    case "newChat":
      return chatOpened(state, (result as Answers["newChat"]).chatId, purpose);
    case "preview":
      return foresaw(state, purpose, { kind: "known", result: result as Answers["preview"] });
    case "card": {
      const replica = cardCame(state.replica, purpose.approvalId, result as Answers["card"], state.now);
      return { ...state, replica };
    }
    case "turns":
      return paged(state, purpose, result as Answers["turns"]);
    case "named":
      return offered(state, purpose, result as Answers["named"]);
    case "later":
      return { ...state, live: t("It waits without limit now.") };
    case "prompt":
      return turnOver(state, purpose.chatId, result as Answers["prompt"]);
    case "record":
      return recordTold(state, purpose.ref, result as Answers["record"]);
    case "sound":
      // Of one that was asked for before another, nobody waits for the answer any more.
      return state.sound?.callId === purpose.callId ? { ...state, sound: { ...state.sound, kept: result as Answers["sound"] } } : state;
    case "start":
      return startTold(state, result as Answers["start"]);
    case "change":
      return changeTold(state, purpose.at, result as Answers["change"]);
    case "changesDone":
      return changesDone(state, purpose.said, result as Answers["changesDone"]);
    case "rewindPlan":
      return rewindPlanned(state, purpose, result as Answers["rewindPlan"]);
    case "rewound": {
      const { because } = result as Answers["changesDone"];
      const after = rewound(state, purpose, because);
      return purpose.text === null ? after : prompted(after);
    }
    case "other":
      return state;
  }
}

/** Older entries came: what stands on the screen stays where it is. */
function paged(state: State, { chatId, before, epoch }: Extract<Purpose, { kind: "turns" }>, page: Answers["turns"]): State {
  const chat = state.replica.chats.find((each) => each.chatId === chatId);
  if (chat === undefined || state.replica.epoch !== epoch) return state;
  const count = page.items.length;
  const live = count === 0 ? t("Nothing earlier is kept.") : t("{0} earlier entries are shown.", count);
  return { ...state, older: withPage(state.older, chat, before, page), live };
}

function failed(state: State, purpose: Purpose, error: string): State {
  switch (purpose.kind) {
    case "subscribe":
      return missed({ ...state, replica: lose(state.replica) }, purpose);
    case "card":
      return missed(state, purpose);
    case "answer":
    case "later":
      return remarked(state, purpose.approvalId, error);
    case "preview":
      return foresaw(state, purpose, { kind: "failed", because: error });
    case "prompt":
      return promptFailed(state, purpose, error);
    case "named":
      return { ...state, mention: null };
    case "start":
      return startFailed(state, error);
    case "newChat":
    case "turns":
    case "record":
    case "sound":
    case "change":
    case "changesDone":
    case "other":
      return { ...state, note: error };
    case "rewindPlan":
    case "rewound":
      return { ...state, rewind: null, note: error };
  }
}

/** A question of the replica failed: it will be asked again, and the person is told so once. */
function missed(state: State, question: Question): State {
  const failures = afterFailure(state.failures, question, state.now);
  const [before, now] = [toldOf(state.failures), toldOf(failures)];
  return { ...state, failures, live: now === before ? state.live : now };
}
