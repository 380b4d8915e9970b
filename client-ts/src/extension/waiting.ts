/**
 * What the extension itself remembers of the server: open tickets, chats and bypasses, for the
 * badge and the commands.
 *
 * It is a fold over the messages that the view reads too, and it decides nothing.
 */

import type { AgentInfo, ApprovalRequest, Chat, Delivered, Event, Subscribed } from "../protocol";

/** A chat, as far as a command has to tell it from others. */
export interface OpenChat {
  readonly chatId: string;
  readonly agentName: string;
  readonly title: string;
  readonly mode: Chat["mode"];
  readonly running: boolean;
}

/** What is known at one moment. */
export interface Waiting {
  /** Null while no server has told anything. */
  readonly epoch: string | null;
  readonly seq: number;
  /** In the order in which they were opened. */
  readonly tickets: readonly ApprovalRequest[];
  readonly agents: readonly AgentInfo[];
  readonly chats: readonly OpenChat[];
}

/** Where a message stands to what is known. */
export type Place = "next" | "old" | "missed";

export const NOTHING_KNOWN: Waiting = { epoch: null, seq: 0, tickets: [], agents: [], chats: [] };

/** Whether this message may be taken now, was taken before, or shows that others were missed. */
export function placeOf(waiting: Waiting, delivered: Delivered): Place {
  const { epoch, seq } = delivered.message;
  if (epoch !== waiting.epoch) {
    return "missed";
  }
  if (seq <= waiting.seq) {
    return "old";
  }
  return seq === waiting.seq + 1 ? "next" : "missed";
}

/** What is known after this message. */
export function step(waiting: Waiting, delivered: Delivered): Waiting {
  const { epoch, seq } = delivered.message;
  const known = { ...waiting, epoch, seq };
  switch (delivered.kind) {
    case "request":
      return { ...known, tickets: withTicket(waiting.tickets, delivered.message) };
    case "settled":
      return {
        ...known,
        tickets: waiting.tickets.filter((ticket) => ticket.approvalId !== delivered.message.approvalId),
      };
    case "event":
      return told(known, delivered.message.chatId, delivered.message.event);
  }
}

/** What is known after the server's answer to a subscription. */
export function subscribed(waiting: Waiting, answer: Subscribed): Waiting {
  const { epoch, seq, snapshot, events } = answer;
  const before =
    snapshot === null
      ? waiting
      : {
          epoch,
          seq,
          tickets: snapshot.tickets,
          agents: snapshot.agents,
          chats: snapshot.chats.map(openChat),
        };
  return { ...events.reduce(step, before), epoch, seq };
}

/** The agents that are not asked about. */
export function bypassed(waiting: Waiting): readonly AgentInfo[] {
  return waiting.agents.filter((agent) => agent.bypassed);
}

function withTicket(
  tickets: readonly ApprovalRequest[],
  ticket: ApprovalRequest,
): readonly ApprovalRequest[] {
  const at = tickets.findIndex((known) => known.approvalId === ticket.approvalId);
  return at < 0 ? [...tickets, ticket] : tickets.with(at, ticket);
}

function told(waiting: Waiting, chatId: string | null, event: Event): Waiting {
  switch (event.kind) {
    case "agents":
      return { ...waiting, agents: event.agents };
    case "chatOpened":
      return { ...waiting, chats: [...waiting.chats, openChat(event.chat)] };
    case "chatClosed":
      return { ...waiting, chats: waiting.chats.filter((chat) => chat.chatId !== chatId) };
    case "mode":
      return changed(waiting, chatId, { mode: event.mode });
    case "turnBegan":
      return changed(waiting, chatId, { running: true });
    case "turnEnded":
      return changed(waiting, chatId, { running: false });
    case "said":
    case "call":
    case "output":
    case "plan":
    case "notice":
    case "workspace":
      return waiting;
  }
}

function changed(waiting: Waiting, chatId: string | null, change: Partial<OpenChat>): Waiting {
  const chats = waiting.chats.map((chat) =>
    chat.chatId === chatId ? { ...chat, ...change } : chat,
  );
  return { ...waiting, chats };
}

function openChat(chat: Chat): OpenChat {
  const { chatId, agentName, title, mode, running } = chat;
  return { chatId, agentName, title, mode, running };
}
