/**
 * What the badge and the commands need of what the server knows: open tickets, agents, chats.
 *
 * It is read off the replica that the view keeps too, and it decides nothing.
 */

import type { AgentInfo, ApprovalRequest, Chat, ShellInfo } from "../../shared/protocol";
import type { Replica } from "../../shared/replica";

/** A chat, as far as a command has to tell it from others. */
export type OpenChat = Pick<Chat, "chatId" | "agentName" | "title" | "mode" | "running">;

/** A command that runs, and whose it is. */
export interface RunningShell extends Pick<Chat, "chatId" | "agentName" | "title"> {
  readonly shell: ShellInfo;
}

/** What is known at one moment. */
export interface Waiting {
  /** In the order in which they were opened. */
  readonly tickets: readonly ApprovalRequest[];
  readonly agents: readonly AgentInfo[];
  readonly chats: readonly OpenChat[];
  /** In the order in which they began. */
  readonly shells: readonly RunningShell[];
  /** What could not be asked for, in a sentence; else empty. */
  readonly trouble: string;
}

export const NOTHING_KNOWN: Waiting = { tickets: [], agents: [], chats: [], shells: [], trouble: "" };

/** What this replica knows; a part that is as it was before stays the same value. */
export function waitingOf(replica: Replica, before: Waiting = NOTHING_KNOWN, trouble = ""): Waiting {
  const tickets = replica.tickets.map(({ request }) => request);
  const chats = replica.chats.map(openChat);
  const shells = replica.chats.flatMap(runningIn).sort((one, other) => one.shell.at - other.shell.at);
  const now = {
    tickets: sameList(before.tickets, tickets, Object.is) ? before.tickets : tickets,
    agents: replica.agents,
    chats: sameList(before.chats, chats, sameChat) ? before.chats : chats,
    shells: sameList(before.shells, shells, sameShell) ? before.shells : shells,
    trouble,
  };
  const same =
    now.tickets === before.tickets &&
    now.agents === before.agents &&
    now.chats === before.chats &&
    now.shells === before.shells &&
    now.trouble === before.trouble;
  return same ? before : now;
}

/** The agents that are not asked about. */
export function bypassed(waiting: Waiting): readonly AgentInfo[] {
  return waiting.agents.filter((agent) => agent.bypassed);
}

/** The chats in which nearly nothing is asked. */
export function inAuto(waiting: Waiting): readonly OpenChat[] {
  return waiting.chats.filter(({ mode }) => mode === "auto");
}

function openChat(chat: Chat): OpenChat {
  const { chatId, agentName, title, mode, running } = chat;
  return { chatId, agentName, title, mode, running };
}

function runningIn({ chatId, agentName, title, shells }: Chat): readonly RunningShell[] {
  return shells.filter(({ state }) => state === "running").map((shell) => ({ chatId, agentName, title, shell }));
}

function sameShell(one: RunningShell, other: RunningShell): boolean {
  return one.shell === other.shell && one.title === other.title;
}

function sameList<T>(one: readonly T[], other: readonly T[], same: (one: T, other: T) => boolean): boolean {
  return one.length === other.length && other.every((each, at) => same(each, one[at] as T));
}

function sameChat(one: OpenChat, other: OpenChat): boolean {
  return (
    one.chatId === other.chatId &&
    one.agentName === other.agentName &&
    one.title === other.title &&
    one.mode === other.mode &&
    one.running === other.running
  );
}
