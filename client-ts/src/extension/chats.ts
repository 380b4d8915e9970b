/**
 * The commands about chats: open, show, close, stop, set the mode.
 *
 * Which chat is meant is asked in a list where there are several. What closing one would end is
 * said before it ends.
 */

import { partnersOf } from "../agents";
import { counted } from "../card";
import { MODES } from "../modes";
import type { AgentList, ApprovalRequest } from "../protocol";
import type { Follower } from "./follow";
import { pick } from "./pick";
import { inert } from "./plain";
import type { Server } from "./server";
import type { ChatView } from "./views";
import { window } from "./vscode";
import type { OpenChat } from "./waiting";

/** What the commands about chats work on. */
export interface Surroundings {
  readonly server: Server;
  readonly follower: Follower;
  readonly view: ChatView;
}

export async function newChat({ server, view }: Surroundings): Promise<void> {
  if (await view.reveal()) {
    view.wish({ kind: "newChat" });
    return;
  }
  const { agents } = (await server.request("agent/list", {})) as AgentList;
  const chosen = await pick(
    partnersOf(agents).map(({ agent, label, agentId, modelId }) => ({
      label: inert(label),
      detail: inert(agent.because),
      value: { agentId, ...(modelId === null ? {} : { model: modelId }) },
    })),
    { title: "New chat", placeholder: "With which agent?" },
  );
  if (chosen !== null) {
    await server.request("agent/newChat", chosen.value);
  }
}

export async function pickChat({ view, follower }: Surroundings): Promise<void> {
  const { chats, tickets } = follower.waiting;
  const chat = await chooseChat(chats, tickets, "Show a chat");
  if (chat !== null && (await view.reveal())) {
    view.wish({ kind: "showChat", chatId: chat.chatId });
  }
}

/** Show how one can log in to a chat's agent, also where it does not want that. */
export async function logIn({ server, follower, view }: Surroundings): Promise<void> {
  const { chats, tickets } = follower.waiting;
  const chat = await chooseChat(chats, tickets, "Log in to the agent of a chat");
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
  const chat = await chooseChat(chats, tickets, "Close a chat");
  if (chat === null || (chat.running && !(await closesAnyway(chat, waitingIn(chat, tickets))))) {
    return;
  }
  await server.request("agent/closeChat", { chatId: chat.chatId });
}

async function closesAnyway({ title, agentName }: OpenChat, waiting: number): Promise<boolean> {
  const close = "Close the Chat";
  const denied = waiting === 0 ? "" : ` ${counted(waiting, "waiting call")} will be denied.`;
  const answer = await window.showWarningMessage(
    `Close “${title}” while ${agentName} works in it?`,
    { modal: true, detail: `${agentName} will be stopped.${denied}` },
    close,
  );
  return answer === close;
}

export async function stop({ server, follower }: Surroundings): Promise<void> {
  const { chats, tickets } = follower.waiting;
  const chat = await chooseChat(chats.filter(({ running }) => running), tickets, "Stop");
  if (chat !== null) {
    await server.request("agent/stop", { chatId: chat.chatId });
  }
}

export async function setMode({ server, follower }: Surroundings): Promise<void> {
  const { chats, tickets } = follower.waiting;
  const chat = await chooseChat(chats, tickets, "Set the mode");
  if (chat === null) {
    return;
  }
  const chosen = await pick(
    MODES.map(({ mode, label, detail }) => ({
      label,
      detail,
      description: mode === chat.mode ? "now" : "",
      value: mode,
    })),
    { title: inert(`${chat.agentName}: ${chat.title}`), placeholder: "What may pass without asking?" },
  );
  if (chosen !== null) {
    await server.request("agent/setMode", { chatId: chat.chatId, mode: chosen.value });
  }
}

/** The chat that is meant; null where there is none, or the person drew back. */
async function chooseChat(
  chats: readonly OpenChat[],
  tickets: readonly ApprovalRequest[],
  title: string,
): Promise<OpenChat | null> {
  const [only] = chats;
  if (only === undefined) {
    await window.showInformationMessage("There is no such chat.");
    return null;
  }
  if (chats.length === 1) {
    return only;
  }
  const waits = (chat: OpenChat): string => {
    const count = waitingIn(chat, tickets);
    return count === 0 ? "" : `${count} waiting`;
  };
  const choices = chats.map((chat) => ({
    label: inert(chat.title),
    description: inert(chat.agentName),
    detail: waits(chat),
    value: chat,
  }));
  return (await pick(choices, { title, placeholder: "Which chat?" }))?.value ?? null;
}

function waitingIn({ chatId }: OpenChat, tickets: readonly ApprovalRequest[]): number {
  return tickets.filter((ticket) => ticket.chatId === chatId).length;
}
