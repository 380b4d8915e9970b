/**
 * The commands about chats: open, show, close, stop, set the mode.
 *
 * Which chat is meant is asked in a list where there are several. What closing one would end is
 * said before it ends.
 */

import { partnersOf } from "../../shared/partners";
import { many, t } from "../../shared/l10n";
import { MODES } from "../../shared/modes";
import type { AgentList, ApprovalRequest } from "../../shared/protocol";
import type { Follower } from "../waiting/follower";
import type { Pages } from "../views/chat-pages";
import { pick } from "../editor/pick-list";
import { inert } from "../editor/inert-text";
import type { Server } from "../server/server";
import type { ChatView } from "../views/chat-view";
import { window } from "../editor/vscode";
import type { OpenChat } from "../waiting/waiting";
import { said } from "../../shared/server-sentences";

/** What the commands about chats work on. */
export interface Surroundings {
  readonly server: Server;
  readonly follower: Follower;
  readonly view: ChatView;
  readonly pages: Pages;
}

export async function newChat({ server, pages }: Surroundings, pressed?: unknown): Promise<void> {
  if (await pages.wish(pages.meant(pressed), { kind: "newChat" })) {
    return;
  }
  const { agents } = (await server.request("agent/list", {})) as AgentList;
  const chosen = await pick(
    partnersOf(agents).map(({ agent, label, agentId, modelId }) => ({
      label: inert(label),
      detail: inert(said(agent.because)),
      value: { agentId, ...(modelId === null ? {} : { model: modelId }) },
    })),
    { title: t("New chat"), placeholder: t("With which agent?") },
  );
  if (chosen !== null) {
    await server.request("agent/newChat", chosen.value);
  }
}

export async function pickChat({ view, follower }: Surroundings): Promise<void> {
  const { chats, tickets } = follower.waiting;
  const chat = await chooseChat(chats, tickets, t("Show a chat"));
  if (chat !== null && (await view.reveal())) {
    view.wish({ kind: "showChat", chatId: chat.chatId });
  }
}

/** Show a chat in a tab beside the files; the view keeps what it shows. */
export async function chatInTab({ pages, follower }: Surroundings): Promise<void> {
  const { chats, tickets } = follower.waiting;
  const chat = await chooseChat(chats, tickets, t("Open a chat in a tab"));
  if (chat !== null) {
    pages.showInTab(inert(chat.title), [{ kind: "showChat", chatId: chat.chatId }, { kind: "focusComposer" }]);
  }
}

/** The card that waits, or the one that is named, whole in a tab: for a view that has no room for it. */
export async function reviewInTab({ follower, pages }: Surroundings, approvalId: unknown): Promise<void> {
  const { tickets } = follower.waiting;
  const ticket = tickets.find((open) => open.approvalId === approvalId) ?? tickets[0];
  if (ticket === undefined) {
    await window.showInformationMessage(t("Nothing waits for an answer."));
    return;
  }
  const showChat = ticket.chatId === null ? [] : [{ kind: "showChat", chatId: ticket.chatId } as const];
  pages.showInTab(inert(ticket.card.chatTitle || "Assent"), [...showChat, { kind: "showCard", approvalId: ticket.approvalId }]);
}

/** Show how one can log in to a chat's agent, also where it does not want that. */
export async function logIn({ server, follower, view }: Surroundings): Promise<void> {
  const { chats, tickets } = follower.waiting;
  const chat = await chooseChat(chats, tickets, t("Log in to the agent of a chat"));
  if (chat === null) {
    return;
  }
  await server.request("agent/wishLogIn", { chatId: chat.chatId });
  if (await view.reveal()) {
    view.wish({ kind: "showChat", chatId: chat.chatId });
  }
}

export async function closeChat({ server, follower }: Surroundings): Promise<void> {
  const { chats, tickets } = follower.waiting;
  const chat = await chooseChat(chats, tickets, t("Close a chat"));
  if (chat === null || (chat.running && !(await closesAnyway(chat, waitingIn(chat, tickets))))) {
    return;
  }
  await server.request("agent/closeChat", { chatId: chat.chatId });
}

async function closesAnyway({ title, agentName }: OpenChat, waiting: number): Promise<boolean> {
  const close = t("Close the Chat");
  const denied = waiting === 0 ? "" : ` ${many(waiting, "1 waiting call will be denied.", "{0} waiting calls will be denied.")}`;
  const answer = await window.showWarningMessage(
    t("Close “{0}” while {1} works in it?", title, agentName),
    { modal: true, detail: `${t("{0} will be stopped.", agentName)}${denied}` },
    close,
  );
  return answer === close;
}

export async function stop({ server, follower }: Surroundings): Promise<void> {
  const { chats, tickets } = follower.waiting;
  const chat = await chooseChat(
    chats.filter(({ running }) => running),
    tickets,
    t("Stop"),
  );
  if (chat !== null) {
    await server.request("agent/stop", { chatId: chat.chatId });
  }
}

export async function setMode({ server, follower }: Surroundings): Promise<void> {
  const { chats, tickets } = follower.waiting;
  const chat = await chooseChat(chats, tickets, t("Set the mode"));
  if (chat === null) {
    return;
  }
  const chosen = await pick(
    MODES.map(({ mode, label, detail }) => ({
      label,
      detail,
      description: mode === chat.mode ? t("now") : "",
      value: mode,
    })),
    { title: inert(`${chat.agentName}: ${chat.title}`), placeholder: t("What may pass without asking?") },
  );
  if (chosen !== null) {
    await server.request("agent/setMode", { chatId: chat.chatId, mode: chosen.value });
  }
}

/** The chat that is meant; null where there is none, or the person drew back. */
async function chooseChat(chats: readonly OpenChat[], tickets: readonly ApprovalRequest[], title: string): Promise<OpenChat | null> {
  const [only] = chats;
  if (only === undefined) {
    await window.showInformationMessage(t("There is no such chat."));
    return null;
  }
  if (chats.length === 1) {
    return only;
  }
  const waits = (chat: OpenChat): string => {
    const count = waitingIn(chat, tickets);
    return count === 0 ? "" : t("{0} waiting", count);
  };
  const choices = chats.map((chat) => ({
    label: inert(chat.title),
    description: inert(chat.agentName),
    detail: waits(chat),
    value: chat,
  }));
  return (await pick(choices, { title, placeholder: t("Which chat?") }))?.value ?? null;
}

function waitingIn({ chatId }: OpenChat, tickets: readonly ApprovalRequest[]): number {
  return tickets.filter((ticket) => ticket.chatId === chatId).length;
}
