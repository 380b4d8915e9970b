/**
 * What is said to an agent that works and takes no more words meanwhile: it is sent once it is done.
 *
 * It is lost nowhere: a stop brings it back into the draft, and so does a page that is shown anew.
 */

import { t } from "../../shared/l10n";
import type { Chat } from "../../shared/protocol";
import { chatOf, without, type State } from "../state/model";
import { joined, sends, tooMany } from "./sending";

/** What was written waits for the end of this chat's turn, behind what waits already. */
export function queued(state: State, { chatId, agentName }: Chat, text: string): State {
  const all = joined(state.queued[chatId], { text, images: state.images, references: state.references });
  const why = tooMany(all);
  if (why !== null) return { ...state, note: why };
  const live = t("This is sent as soon as {0} is done.", agentName);
  return { ...emptied(state), queued: { ...state.queued, [chatId]: all }, note: null, live };
}

/** What waits in the chat that is shown stands in the draft again, before what is being written. */
export function takenBack(state: State): State {
  const chat = chatOf(state);
  const message = chat === null ? undefined : state.queued[chat.chatId];
  if (chat === null || message === undefined) return state;
  const { text, images, references } = joined(message, { text: state.draft.trim(), images: state.images, references: state.references });
  return { ...state, draft: text, images, references, queued: without(state.queued, chat.chatId) };
}

/** Send what waits for an agent that is done by now; what waits in a chat that is gone comes back. */
export function queueSent(state: State): State {
  if (state.replica.phase !== "live" || state.server.state !== "ready") return state;
  return Object.entries(state.queued).reduce((now, [chatId, message]) => {
    const chat = state.replica.chats.find((each) => each.chatId === chatId);
    if (chat?.running === true) return now;
    const { draft, images, references } = now;
    const left = { ...now, queued: without(now.queued, chatId) };
    if (chat === undefined) return { ...left, draft: joined(message, { ...message, text: draft }).text };
    return { ...sends({ ...left, ...message }, chatId, message.text), draft, images, references };
  }, state);
}

/** All words that were written and not sent, and what was named; pictures are too large to be kept. */
export function unsent({ queued, draft, references }: State): Pick<State, "draft" | "references"> {
  const all = [...Object.values(queued), { text: draft, images: [], references }].reduce(joined);
  return { draft: all.text, references: all.references };
}

/** The state in which nothing is being written. */
function emptied(state: State): State {
  return { ...state, draft: "", images: [], references: [], mention: null, recalled: null, editing: null };
}
