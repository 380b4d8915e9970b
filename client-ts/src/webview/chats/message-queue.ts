/**
 * What is said to an agent that works and takes no more words meanwhile: it is sent once it is done.
 *
 * After any other end of its turn it stands in the draft again, and so it does where its chat is gone.
 */

import { t } from "../../shared/l10n";
import type { AgentEvent, Chat } from "../../shared/protocol";
import { chatOf, withErrand, without, type Queued, type State } from "../state/model";
import { asked, joined, tooMany } from "./sending";

const NOT_SENT = t("This was not sent: the agent did not come to its end.");
const CHAT_GONE = t("This was not sent: its chat is gone.");

/** What was written waits for the end of this chat's turn, behind what waits already. */
export function queued(state: State, { chatId, agentName }: Chat, text: string): State {
  const all = joined(state.queued[chatId], { text, images: state.images, references: state.references });
  const why = tooMany(all);
  if (why !== null) return { ...state, note: why };
  const live = t("This is sent as soon as {0} is done.", agentName);
  const emptied = { draft: "", mention: null, recalled: null, editing: null, images: [], references: [] };
  return { ...state, ...emptied, queued: { ...state.queued, [chatId]: all }, note: null, live };
}

/** What waits in the chat that is shown stands in the draft again, before what is being written. */
export function takenBack(state: State): State {
  const message = state.chatId === null ? undefined : state.queued[state.chatId];
  return message === undefined || state.chatId === null ? state : drafted(state, state.chatId, message);
}

/** An agent that came to its end gets what was said to it meanwhile. */
export function queueSent(state: State, { chatId, event }: AgentEvent): State {
  const message = chatId === null ? undefined : state.queued[chatId];
  if (chatId === null || message === undefined || event.kind !== "turnEnded" || event.reason !== "done") return state;
  const after = asked({ ...state, queued: without(state.queued, chatId) }, chatId, message);
  if (chatId !== state.chatId) return after;
  return withErrand({ ...after, note: null, live: `${state.live} ${t("Your message is sent.")}`.trim() }, { kind: "toEnd" });
}

/** What waits for an end that is past, or in a chat that is gone, waits no longer. */
export function queueKept(state: State): State {
  const { replica, server } = state;
  if (replica.phase !== "live" || server.state !== "ready") return state;
  const gone = Object.entries(state.queued).find(([id]) => !replica.chats.some(({ chatId }) => chatId === id));
  if (gone !== undefined) return queueKept({ ...drafted(state, ...gone), note: CHAT_GONE });
  return chatOf(state)?.running === false && state.queued[state.chatId ?? ""] !== undefined
    ? { ...takenBack(state), note: NOT_SENT }
    : state;
}

/** What a page keeps of that, and of the draft; pictures are too large to be kept. */
export function unsent({ queued, draft, references }: State): Pick<State, "queued" | "draft" | "references"> {
  const small = Object.entries(queued).map(([chatId, message]) => [chatId, { ...message, images: [] }] as const);
  return { draft, references, queued: Object.fromEntries(small) };
}

function drafted(state: State, chatId: string, message: Queued): State {
  const { text, images, references } = joined(message, { text: state.draft.trim(), images: state.images, references: state.references });
  return { ...state, draft: text, images, references, queued: without(state.queued, chatId) };
}
