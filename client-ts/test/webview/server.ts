/** A server as the schedules need it: a log, a ring of its last messages, a desk, older entries. */

import assert from "node:assert/strict";
import type {
  ApprovalResponse,
  CardShown,
  Chat,
  Delivered,
  Event,
  Receipt,
  Subscribe,
  Subscribed,
  Turns,
  WantCard,
  WantTurns,
} from "../../src/shared/protocol";
import { chatAfter } from "../../src/shared/chat-events";
import { chatOf, eventOf, requestOf, settledOf, snapshotOf } from "./shapes";

const RING = 6;
/** So many cards fit into a snapshot. */
const FITTING = 2;

export class Server {
  epoch = "run-1";
  seq = 0;
  chats: readonly Chat[] = [chatOf("chat-1")];
  /** The chat as it were if nothing of it were ever put away. */
  whole: Chat = chatOf("chat-1");
  tickets: string[] = [];
  readonly executed: string[] = [];
  readonly opened: string[] = [];
  #settled = new Set<string>();
  #ring: Delivered[] = [];
  readonly #send: (delivered: Delivered) => void;

  constructor(send: (delivered: Delivered) => void) {
    this.#send = send;
  }

  happen(chatId: string, event: Event): void {
    if (event.kind !== "archived") this.whole = chatAfter(this.whole, event);
    this.chats = this.chats.map((chat) => (chat.chatId === chatId ? chatAfter(chat, event) : chat));
    this.#tell({ kind: "event", message: eventOf(++this.seq, chatId, event, this.epoch) });
  }

  ask(approvalId: string): void {
    this.tickets.push(approvalId);
    this.opened.push(approvalId);
    this.#tell({ kind: "request", message: this.#request(approvalId, ++this.seq) });
  }

  settle(approvalId: string): void {
    this.tickets = this.tickets.filter((each) => each !== approvalId);
    this.#settled.add(approvalId);
    this.#tell({ kind: "settled", message: settledOf(approvalId, ++this.seq, this.epoch) });
  }

  answer({ approvalId, digest }: ApprovalResponse): Receipt {
    if (this.#settled.has(approvalId)) {
      return { kind: "alreadyDecided", outcome: "allowed", by: "user" };
    }
    if (!this.tickets.includes(approvalId)) return { kind: "unknown", because: "There is none." };
    assert.equal(digest, requestOf(approvalId).digest);
    this.executed.push(approvalId);
    this.settle(approvalId);
    return { kind: "applied", outcome: "allowed", by: "user", because: "You allowed it once" };
  }

  subscribe({ have }: Subscribe): Subscribed {
    const { epoch, seq } = this;
    const missing = have?.epoch === epoch ? seq - have.seq : Infinity;
    if (missing >= 0 && missing <= this.#ring.length) {
      return { epoch, seq, snapshot: null, events: this.#ring.slice(this.#ring.length - missing) };
    }
    return { epoch, seq, snapshot: this.#snapshot(), events: [] };
  }

  /** Some of the older entries are put away. */
  archive(count: number): void {
    const { first, items } = this.chats[0] ?? chatOf("chat-1");
    const gone = Math.min(count, items.length - 1);
    if (gone > 0) this.happen("chat-1", { kind: "archived", first: first + gone });
  }

  turns({ before, limit = 2 }: WantTurns): Turns {
    const first = Math.max(0, before - Math.min(limit, 2));
    return { first, items: this.whole.items.slice(first, before), keptFrom: 0 };
  }

  card({ approvalId }: WantCard): CardShown {
    const isOpen = this.tickets.includes(approvalId);
    return { request: isOpen ? this.#request(approvalId, this.seq) : null };
  }

  restart(): void {
    this.epoch = `run-${Number(this.epoch.slice(4)) + 1}`;
    this.seq = 0;
    this.tickets = [];
    this.#ring = [];
    this.chats = [chatOf("chat-1")];
    this.whole = chatOf("chat-1");
  }

  #snapshot(): Subscribed["snapshot"] {
    const shown = this.tickets.slice(0, FITTING);
    const tickets = shown.map((approvalId) => this.#request(approvalId, this.seq));
    return snapshotOf({ chats: this.chats, tickets, more: this.tickets.slice(FITTING) });
  }

  #request(approvalId: string, seq: number): ReturnType<typeof requestOf> {
    return requestOf(approvalId, { epoch: this.epoch, seq });
  }

  #tell(delivered: Delivered): void {
    this.#ring = [...this.#ring, delivered].slice(-RING);
    this.#send(delivered);
  }
}
