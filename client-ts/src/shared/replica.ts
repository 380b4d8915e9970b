/**
 * The copy that the view, and the extension beside it, keep of what the server knows.
 *
 * Nothing enters but in the order in which the server numbered it. A message of another run of
 * the server, or one that was heard before, changes nothing; where one is missing, the replica
 * is `lost` until it has subscribed again. A ticket leaves only when the server settled it.
 */

import type {
  AgentEvent,
  AgentInfo,
  ApprovalRequest,
  ApprovalSettled,
  CardShown,
  Chat,
  Delivered,
  Have,
  MethodName,
  Snapshot,
  Subscribed,
  Waiting,
} from "./protocol";
import { chatAfter } from "./chat-events";

/** A ticket, with what turns the server's clock into ours. */
export interface Ticket {
  readonly request: ApprovalRequest;
  /** The server's clock less ours, when the request came. */
  readonly ahead: number;
}

/** `lost`: must subscribe. `asking`: has asked. `live`: hears everything in order. */
export type Phase = "lost" | "asking" | "live";

/** What is known of the server's state. */
export interface Replica {
  readonly phase: Phase;
  readonly epoch: string | null;
  readonly seq: number;
  readonly agents: readonly AgentInfo[];
  readonly chats: readonly Chat[];
  readonly tickets: readonly Ticket[];
  /** The ids of all open tickets in order, also of those whose cards are not known yet. */
  readonly order: readonly string[];
  readonly trusted: boolean;
  readonly defaultMode: Snapshot["defaultMode"];
  readonly banners: readonly string[];
  /** What came while the answer to a subscription was on its way. */
  readonly held: readonly Delivered[];
}

/** A replica that knows nothing yet. */
export const EMPTY: Replica = {
  phase: "lost",
  epoch: null,
  seq: 0,
  agents: [],
  chats: [],
  tickets: [],
  order: [],
  trusted: true,
  defaultMode: "default",
  banners: [],
  held: [],
};

/** A numbered message of the server; null for any other. */
export function deliveredOf(method: MethodName, params: unknown): Delivered | null {
  // The server is our own process and of our version: its messages have the shapes of the table.
  switch (method) {
    case "agent/event":
      return { kind: "event", message: params } as Delivered;
    case "tool/approvalRequest":
      return { kind: "request", message: params } as Delivered;
    case "tool/approvalSettled":
      return { kind: "settled", message: params } as Delivered;
    default:
      return null;
  }
}

/** How far this replica has read, for a subscription. */
export function haveOf(replica: Replica): Have | null {
  return replica.epoch === null ? null : { epoch: replica.epoch, seq: replica.seq };
}

/** The replica must ask anew; `forget` asks for everything instead of what is missing. */
export function lose(replica: Replica, forget = false): Replica {
  return { ...replica, phase: "lost", ...(forget ? { epoch: null, seq: 0 } : {}) };
}

/** The replica after a numbered message. */
export function heard(replica: Replica, delivered: Delivered, at: number): Replica {
  const { epoch, seq } = delivered.message;
  if (replica.phase !== "live") return { ...replica, held: [...replica.held, delivered] };
  if (epoch !== replica.epoch) return lose(replica);
  if (seq <= replica.seq) return replica;
  if (seq > replica.seq + 1) return lose(replica);
  return { ...taken(replica, delivered, at), seq };
}

/** The replica after the answer to a subscription. */
export function subscribed(replica: Replica, answer: Subscribed, at: number): Replica {
  const start: Replica = { ...replica, phase: "live", epoch: answer.epoch, held: [] };
  const caughtUp =
    answer.snapshot === null
      ? answer.events.reduce((now, event) => heard(now, event, at), start)
      : { ...start, ...replaced(answer.snapshot, at), seq: answer.seq };
  if (caughtUp.phase !== "live" || caughtUp.seq < answer.seq) return lose(caughtUp, true);
  const late = replica.held.filter(({ message }) => message.epoch === answer.epoch);
  return late.reduce((now, event) => heard(now, event, at), caughtUp);
}

function replaced(snapshot: Snapshot, at: number): Partial<Replica> {
  const { more, ...whole } = { ...snapshot, chats: snapshot.chats.map((chat) => ({ ...chat, waiting: byOurs(chat.waiting, at) })) };
  const order = [...snapshot.tickets.map(({ approvalId }) => approvalId), ...more];
  return { ...whole, order, tickets: snapshot.tickets.map((request) => ticketOf(request, at)) };
}

function taken(replica: Replica, delivered: Delivered, at: number): Replica {
  switch (delivered.kind) {
    case "event":
      return happened(replica, delivered.message, at);
    case "request":
      return withTicket(replica, delivered.message, at);
    case "settled":
      return withoutTicket(replica, delivered.message);
  }
}

function happened(replica: Replica, { chatId, event }: AgentEvent, at: number): Replica {
  if (event.kind === "agents") return { ...replica, agents: event.agents };
  if (event.kind === "workspace") {
    const { trusted, defaultMode, banners } = event;
    return { ...replica, trusted, defaultMode, banners };
  }
  const here = event.kind === "waiting" ? { ...event, waiting: byOurs(event.waiting, at) } : event;
  return { ...replica, chats: chatsAfter(replica.chats, chatId, here) };
}

/** A pause by our own clock, which began as the server told it. */
function byOurs(waiting: Waiting | null, at: number): Waiting | null {
  return waiting === null ? null : { ...waiting, now: at, until: at + waiting.until - waiting.now };
}

function chatsAfter(chats: readonly Chat[], chatId: string | null, event: AgentEvent["event"]): readonly Chat[] {
  if (event.kind === "chatClosed") return chats.filter((chat) => chat.chatId !== chatId);
  const at = chats.findIndex((chat) => chat.chatId === chatId);
  const chat = chats[at];
  if (chat !== undefined) return chats.with(at, chatAfter(chat, event));
  return event.kind === "chatOpened" ? [...chats, event.chat] : chats;
}

/** The replica with this ticket new, or changed in its place. */
export function withTicket(replica: Replica, request: ApprovalRequest, at: number): Replica {
  const ticket = ticketOf(request, at);
  const { tickets } = replica;
  const id = request.approvalId;
  const where = tickets.findIndex((each) => each.request.approvalId === id);
  if (where >= 0) return { ...replica, tickets: tickets.with(where, ticket) };
  const place = replica.order.indexOf(id);
  if (place < 0) return { ...replica, order: [...replica.order, id], tickets: [...tickets, ticket] };
  const before = new Set(replica.order.slice(0, place));
  const next = tickets.filter((each) => before.has(each.request.approvalId)).length;
  return { ...replica, tickets: tickets.toSpliced(next, 0, ticket) };
}

/** The open tickets whose cards are not known yet. */
export function cardsMissing(replica: Replica): readonly string[] {
  if (replica.phase !== "live" || replica.order.length === replica.tickets.length) return [];
  const known = new Set(replica.tickets.map(({ request }) => request.approvalId));
  return replica.order.filter((id) => !known.has(id));
}

/** The replica after a card that it was missing came, or the news that its ticket is not open. */
export function cardCame(replica: Replica, id: string, { request }: CardShown, at: number): Replica {
  // What came while this replica was lost is in the snapshot, or in the messages, that it awaits.
  if (replica.phase !== "live" || !replica.order.includes(id)) return replica;
  return request === null ? without(replica, id) : withTicket(replica, request, at);
}

function withoutTicket(replica: Replica, { approvalId }: ApprovalSettled): Replica {
  return without(replica, approvalId);
}

function without(replica: Replica, id: string): Replica {
  const tickets = replica.tickets.filter((each) => each.request.approvalId !== id);
  return { ...replica, tickets, order: replica.order.filter((each) => each !== id) };
}

function ticketOf(request: ApprovalRequest, at: number): Ticket {
  return { request, ahead: request.now - at };
}
