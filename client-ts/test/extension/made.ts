/** Messages of the server, made for the tests. */

import type { Uri as EditorUri } from "vscode";
import type { Messages } from "../../src/shared/protocol";
import type {
  ApprovalRequest,
  ApprovalSettled,
  AgentEvent,
  Body,
  Card,
  CardOption,
  Delivered,
  Event,
  Span,
} from "../../src/shared/protocol";
import { Uri } from "./editor";

export const EPOCH = "one";

/** The extension's own folder; the person's settings are not beside it. */
export const STORAGE = Uri.file("/nowhere/User/globalStorage/assent.assent") as unknown as EditorUri;

export function span(text: string, kind: Span["kind"] = "plain", shown: string | null = null): Span {
  return { kind, text, shown };
}

export function option(kind: CardOption["kind"], label: string = kind): CardOption {
  return { id: `id-of-${kind}`, kind, label, detail: "", rules: [], scopes: [], inSandbox: false, choices: [] };
}

export function shell(command: string, spans: readonly Span[] = [span(command)]): Body {
  return { kind: "shell", command: spans, readable: true, parts: [], tail: "", cwd: [span("till")] };
}

export function card(change: Partial<Card> = {}): Card {
  return {
    agentId: "eliza",
    agentName: "Eliza",
    chatTitle: "About the till",
    mode: "Default",
    sandbox: null,
    title: [span("Run a command")],
    consequence: null,
    level: "low",
    body: shell("npm test"),
    members: [],
    touches: [],
    because: { text: "Commands ask in this mode", rule: null, source: null },
    primary: "allow",
    options: [
      option("allowOnce", "Allow once"),
      option("allowChat", "Exactly this, for this chat"),
      option("denyOnce", "Deny"),
      option("denyTell", "Deny and tell the agent…"),
    ],
    edits: null,
    says: null,
    ...change,
  };
}

export function ticket(
  approvalId: string,
  change: Partial<Omit<ApprovalRequest, "card">> & { readonly card?: Partial<Card> } = {},
): ApprovalRequest {
  const { card: ofCard, ...rest } = change;
  return {
    epoch: EPOCH,
    seq: 1,
    approvalId,
    chatId: "chat",
    callId: "call",
    revision: 1,
    digest: `digest of ${approvalId}`,
    askedAt: 0,
    now: 0,
    expiresAt: null,
    card: card(ofCard),
    call: null,
    ...rest,
  };
}

export function asked(seq: number, approvalId: string, change: Parameters<typeof ticket>[1] = {}): Delivered {
  return { kind: "request", message: ticket(approvalId, { ...change, seq }) };
}

export function settled(seq: number, approvalId: string): Delivered {
  const message: ApprovalSettled = {
    epoch: EPOCH,
    seq,
    approvalId,
    chatId: "chat",
    outcome: "refused",
    by: "user",
    because: "You denied it.",
    recordId: null,
  };
  return { kind: "settled", message };
}

export function happened(seq: number, event: Event, chatId: string | null = "chat"): Delivered {
  const message: AgentEvent = { epoch: EPOCH, seq, chatId, event };
  return { kind: "event", message };
}

export function snapshot(
  seq: number,
  change: Partial<NonNullable<Messages["agent/subscribe"]["result"]["snapshot"]>> = {},
  epoch = EPOCH,
): Messages["agent/subscribe"]["result"] {
  return {
    epoch,
    seq,
    snapshot: {
      agents: [],
      chats: [],
      tickets: [],
      more: [],
      trusted: true,
      defaultMode: "default",
      banners: [],
      ...change,
    },
    events: [],
  };
}

/** Let everything that is ready go on, without waiting for a clock. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await Promise.resolve();
  }
}
