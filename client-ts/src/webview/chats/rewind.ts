/**
 * Rewinding to before a message: what it would do is asked first, said, and named when it is done.
 *
 * To edit a message that was sent is to take the conversation back to before it, and to send.
 */

import type { Chat, Item, RewindPlan } from "../../shared/protocol";
import { chatOf, isAsking, withErrand, withRequest, type Purpose, type State, type Editing } from "../state/model";
import { GOES_ON } from "./last-words";
import { olderOf } from "./older-entries";
import type { RewindStep } from "../state/moments";

type Planned = Extract<Purpose, { kind: "rewindPlan" }>;
type Done = Extract<Purpose, { kind: "rewound" }>;

export function atRewind(state: State, step: RewindStep): State {
  const { rewind, editing } = state;
  switch (step.kind) {
    case "ask":
      return step.messageId === rewind?.messageId ? { ...state, rewind: null } : asked(state, step.messageId);
    case "cancel":
      return withErrand({ ...state, rewind: null }, { kind: "focus", on: "composer" });
    case "tick":
      return rewind === null ? state : { ...state, rewind: { ...rewind, over: toggled(rewind.over, step.fileId) } };
    case "go":
      return rewind?.plan ? gone(state, rewind.messageId, rewind.plan, step, rewind.over, null) : state;
    case "editFiles":
      return editing === null ? state : { ...state, editing: { ...editing, files: !editing.files } };
    case "dropEdit":
      return withErrand({ ...state, editing: null }, { kind: "focus", on: "composer" });
  }
}

/** Send what was edited, in the place of the message: first it is asked what that takes back. */
export function editSent(state: State, { messageId }: Editing): State {
  const chat = chatOf(state);
  if (chat === null || isAsking(state, ({ kind }) => kind === "rewindPlan" || kind === "rewound")) return state;
  return withRequest(state, "chat/planRewind", { chatId: chat.chatId, messageId }, { kind: "rewindPlan", messageId, isEdit: true });
}

/** The server said what rewinding would do. */
export function rewindPlanned(state: State, { messageId, isEdit }: Planned, plan: RewindPlan): State {
  if (!isEdit) return state.rewind?.messageId === messageId ? { ...state, rewind: { ...state.rewind, plan } } : state;
  const { editing } = state;
  if (editing?.messageId !== messageId) return state;
  if (!plan.conversation) return { ...state, editing: null, note: plan.because };
  return gone(state, messageId, plan, { files: editing.files, conversation: true }, [], state.draft);
}

/** It is done: words that were taken back can be said in another way. */
export function rewound(state: State, { messageId, text, conversation }: Done, because: string): State {
  const after = { ...state, rewind: null, note: because === "" ? state.note : because };
  if (text !== null) return { ...after, editing: null };
  const chat = chatOf(state);
  if (chat === null || !conversation || state.draft !== "") return withErrand(after, { kind: "focus", on: "composer" });
  return withErrand({ ...after, draft: wordsOf(state, chat, messageId) }, { kind: "focus", on: "composer" });
}

/** Which of the entries of a chat stand between a message and the notice that takes it back. */
export function takenBack(items: readonly Item[]): ReadonlySet<Item> {
  const taken = new Set<Item>();
  for (const [at, item] of items.entries()) {
    if (item.kind !== "notice" || item.backTo === null) continue;
    const from = items.findIndex((each) => "messageId" in each && each.messageId === item.backTo);
    for (const each of from < 0 ? [] : items.slice(from, at)) taken.add(each);
  }
  return taken;
}

/** Whether it is the beginning of a message, to which one can rewind. */
export function isBeginning(item: Item): boolean {
  return item.kind === "user" && !item.messageId.includes(GOES_ON);
}

function asked(state: State, messageId: string): State {
  const chat = chatOf(state);
  if (chat === null) return state;
  const after = { ...state, rewind: { messageId, plan: null, over: [] } };
  return withRequest(after, "chat/planRewind", { chatId: chat.chatId, messageId }, { kind: "rewindPlan", messageId, isEdit: false });
}

function gone(
  state: State,
  messageId: string,
  { digest }: RewindPlan,
  what: Pick<Extract<RewindStep, { kind: "go" }>, "files" | "conversation">,
  over: readonly string[],
  text: string | null,
): State {
  const chat = chatOf(state);
  if (chat === null) return state;
  const { files, conversation } = what;
  const params = { chatId: chat.chatId, messageId, digest, files, over, conversation };
  return withRequest(state, "chat/rewind", params, { kind: "rewound", messageId, text, conversation });
}

function toggled(all: readonly string[], one: string): readonly string[] {
  return all.includes(one) ? all.filter((each) => each !== one) : [...all, one];
}

function wordsOf(state: State, chat: Chat, messageId: string): string {
  const items = [...olderOf(state.older, chat).items, ...chat.items];
  const own = (item: Item): string => (item.kind === "user" && item.messageId.split(GOES_ON, 1)[0] === messageId ? item.text : "");
  return items.map(own).join("");
}
