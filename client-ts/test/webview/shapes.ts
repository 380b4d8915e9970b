/** Messages of the server, for tests. */

import type {
  AgentEvent,
  ApprovalRequest,
  ApprovalSettled,
  Card,
  CardOption,
  Chat,
  Event,
  Snapshot,
  Span,
} from "../../src/shared/protocol";

import { shown, type State } from "../../src/webview/state/model";

export const EPOCH = "run-1";

export function plain(text: string): readonly Span[] {
  return [{ kind: "plain", text, shown: null }];
}

export function optionOf(id: string, kind: CardOption["kind"], label: string, more: Partial<CardOption> = {}): CardOption {
  return { id, kind, label, detail: "", rules: [], scopes: [], inSandbox: false, choices: [], ...more };
}

export function cardOf(more: Partial<Card> = {}): Card {
  return {
    agentId: "eliza",
    agentName: "Eliza",
    chatTitle: "New chat",
    mode: "Default",
    sandbox: null,
    title: plain("Run ls"),
    consequence: null,
    level: "low",
    body: {
      kind: "shell",
      command: plain("ls"),
      readable: true,
      parts: [{ operator: "", text: plain("ls"), verdict: "ask", because: "", rule: null, source: null, grave: false }],
      tail: "",
      cwd: plain("/w"),
    },
    members: [],
    touches: [],
    because: { text: "The mode asks.", rule: null, source: null },
    primary: "allow",
    options: [
      optionOf("once", "allowOnce", "Allow once"),
      optionOf("chat", "allowChat", "Allow for this chat"),
      optionOf("deny", "denyOnce", "Deny"),
      optionOf("tell", "denyTell", "Deny and tell"),
    ],
    edits: null,
    says: null,
    ...more,
  };
}

export function requestOf(approvalId: string, more: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    epoch: EPOCH,
    seq: 0,
    approvalId,
    chatId: "chat-1",
    callId: `call-${approvalId}`,
    revision: 0,
    digest: approvalId.padEnd(64, "0"),
    card: cardOf(),
    call: null,
    askedAt: 1_000_000,
    now: 1_000_000,
    expiresAt: null,
    ...more,
  };
}

export function settledOf(approvalId: string, seq: number, epoch = EPOCH): ApprovalSettled {
  return {
    epoch,
    seq,
    approvalId,
    chatId: "chat-1",
    outcome: "allowed",
    by: "user",
    because: "You allowed it once",
    recordId: null,
  };
}

export function chatOf(chatId: string, more: Partial<Chat> = {}): Chat {
  return {
    chatId,
    agentId: "eliza",
    agentName: "Eliza",
    title: "New chat",
    mode: "default",
    running: false,
    gate: "advisory",
    passed: 0,
    tools: 0,
    model: "",
    plan: [],
    agentTitle: "",
    commands: [],
    settings: [],
    loose: "",
    leftOut: "",
    logIn: null,
    shells: [],
    effort: null,
    efforts: [],
    usage: null,
    limit: "",
    waiting: null,
    drafted: [],
    changes: [],
    undone: null,
    elsewhere: false,
    first: 0,
    items: [],
    ...more,
  };
}

export function eventOf(seq: number, chatId: string | null, event: Event, epoch = EPOCH): AgentEvent {
  return { epoch, seq, chatId, event };
}

export function snapshotOf(more: Partial<Snapshot> = {}): Snapshot {
  return {
    agents: [{ id: "eliza", name: "Eliza", state: "ready", because: "", bypassed: false, models: [] }],
    chats: [],
    tickets: [],
    more: [],
    trusted: true,
    defaultMode: "default",
    banners: [],
    ...more,
  };
}

/** The state in which a person has the whole of the open card before their eyes. */
export function beheld(state: State): State {
  const request = shown(state)?.request;
  if (request === undefined) return state;
  const { approvalId, digest } = request;
  return { ...state, sight: { approvalId, digest, answers: true, unseen: 0 } };
}

/** Numbers that look random and are the same in each run. */
export function chance(seed: number): () => number {
  let now = seed >>> 0;
  return () => {
    now = (now + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(now ^ (now >>> 15), now | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(next: () => number, all: readonly T[]): T {
  const chosen = all[Math.floor(next() * all.length)];
  if (chosen === undefined) throw new Error("there is nothing to pick from");
  return chosen;
}
