/**
 * The older entries of chats, as far as this view keeps them: what was asked for by page, and what
 * the person had on the screen when the server put it away.
 *
 * They always reach up to the first entry of the replica's chat, so that nothing is drawn twice
 * and nothing is left out between them. Where something was missed, nothing is held any more.
 */

import type { AgentEvent, Chat, Turns } from "../../shared/protocol";
import { withEntry } from "../../shared/chat-events";
import { without, type Older, type OlderByChat } from "../state/model";

/** So many that nobody asked for are held. */
const MAX_HELD_ENTRIES = 1_000;

/** How many are asked for at once. */
export const PAGE_ENTRIES = 100;

/** What is held of a chat; nothing at first. */
export function olderOf(all: OlderByChat, chat: Chat): Older {
  return all[chat.chatId] ?? { first: chat.first, items: [], keptFrom: null };
}

/** Whether there are entries before those that are held. */
export function hasEarlier({ first, keptFrom }: Older): boolean {
  return first > (keptFrom ?? 0);
}

/** A page came: it is laid before what is held, if it ends where that begins. */
export function withPage(all: OlderByChat, chat: Chat, before: number, page: Turns): OlderByChat {
  const held = olderOf(all, chat);
  if (held.first !== before) return all;
  const items = [...page.items, ...held.items];
  // Where a page is empty, nothing before it is kept.
  const keptFrom = page.items.length === 0 ? before : page.keptFrom;
  return { ...all, [chat.chatId]: { first: page.first, items, keptFrom } };
}

/** What is held after an event of the chat, which was this before and is that now. */
export function olderAfter(all: OlderByChat, { chatId, event }: AgentEvent, was: Chat, now: Chat | null, isShown: boolean): OlderByChat {
  if (chatId === null) return all;
  const held = all[chatId];
  if (now === null) return held === undefined ? all : without(all, chatId);
  // It was brought back as it is kept, from whatever it was here.
  if (event.kind === "chatOpened") return held === undefined ? all : without(all, chatId);
  if (event.kind === "archived") {
    if (held === undefined && !isShown) return all;
    return { ...all, [chatId]: grown(olderOf(all, was), was, now) };
  }
  if (event.kind !== "call" || held === undefined || event.entry < held.first) return all;
  if (event.entry >= held.first + held.items.length) return all;
  return { ...all, [chatId]: { ...held, items: withEntry(held.items, event.entry - held.first, event.call) } };
}

/** What has left the replica is held, for it may be on the screen; of too many the oldest go. */
function grown(held: Older, was: Chat, now: Chat): Older {
  const all = [...held.items, ...was.items.slice(0, now.first - was.first)];
  const items = all.length > Math.max(MAX_HELD_ENTRIES, held.items.length) ? all.slice(-MAX_HELD_ENTRIES) : all;
  return { ...held, first: now.first - items.length, items };
}
