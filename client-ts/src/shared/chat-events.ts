/**
 * What one event makes of a chat.
 *
 * Pure: a chat in, a chat out. A chat that the event does not touch comes back as it was.
 */

import type { CallRecord, Chat, Event, Item, Notice, ShellInfo } from "./protocol";

/** What a person can do at once about a notice. */
export type Offer = NonNullable<Notice["offer"]>;

/** What a chat is called before anything was said in it. */
export const UNNAMED = "New chat";
const MAX_TITLE_LETTERS = 60;

/** So many shells that have ended stay listed, as the server lists them. */
const MAX_ENDED_SHELLS = 5;

/** The chat after an event of its own. */
export function chatAfter(chat: Chat, event: Event): Chat {
  switch (event.kind) {
    case "said":
      return { ...chat, title: titleAfter(chat, event), items: saidMore(chat.items, event) };
    case "call":
      return { ...chat, items: withEntry(chat.items, event.entry - chat.first, event.call) };
    case "archived":
      return withoutOlder(chat, event.first);
    case "output":
      return { ...chat, items: printed(chat.items, event) };
    case "notice":
    case "picture":
    case "sound":
      return { ...chat, items: [...chat.items, entryOf(event)] };
    case "plan":
      return { ...chat, plan: event.entries };
    case "shell":
      return { ...chat, shells: withShell(chat.shells, event.shell) };
    case "used":
      return { ...chat, usage: event.usage };
    case "title":
      return { ...chat, agentTitle: event.title };
    case "named":
      return { ...chat, title: event.title, agentTitle: "" };
    case "commands":
    case "settings":
    case "logIn":
    case "changes":
    case "drafted":
      return ofAgent(chat, event);
    case "waiting":
      return { ...chat, waiting: event.waiting };
    case "mode":
      return { ...chat, mode: event.mode };
    case "model":
      return { ...chat, model: event.model, effort: event.effort, efforts: event.efforts };
    case "gate":
      return { ...chat, gate: event.gate, passed: event.passed, tools: event.tools };
    case "turnBegan":
      return { ...chat, running: true, limit: "" };
    case "turnEnded":
      return { ...chat, running: false, limit: event.reason === "limit" ? event.because : "" };
    case "chatOpened":
      return event.chat;
    case "chatClosed":
    case "agents":
    case "workspace":
      return chat;
  }
}

/** The entry that an event brings whole. */
function entryOf(event: Extract<Event, { kind: "notice" | "picture" | "sound" }>): Item {
  if (event.kind === "notice") return event.notice;
  return event.kind === "picture" ? event.picture : event.sound;
}

type OfAgent = Extract<Event, { kind: "commands" | "settings" | "logIn" | "changes" | "drafted" }>;

/** What an agent tells of itself, is about to write, and has left in files. */
function ofAgent(chat: Chat, event: OfAgent): Chat {
  switch (event.kind) {
    case "commands":
      return { ...chat, commands: event.commands };
    case "settings":
      return { ...chat, settings: event.settings, loose: event.loose, leftOut: event.leftOut };
    case "logIn":
      return { ...chat, logIn: event.logIn };
    case "changes":
      return { ...chat, changes: event.files, undone: event.undone };
    case "drafted":
      return { ...chat, drafted: event.line };
  }
}

type SaidMore = Extract<Event, { kind: "said" }>;
type Printed = Extract<Event, { kind: "output" }>;

/** A message grows while it is the last thing that happened; after that it begins anew. */
function saidMore(items: readonly Item[], more: SaidMore): readonly Item[] {
  const last = items.at(-1);
  if (last !== undefined && "messageId" in last && last.messageId === more.messageId) {
    return items.with(-1, { ...last, text: last.text + more.append });
  }
  return [...items, { kind: more.who, messageId: more.messageId, text: more.append, references: more.references }];
}

/** A chat is named by the beginning of its first prompt, as the server names it. */
function titleAfter(chat: Chat, more: SaidMore): string {
  if (more.who !== "user" || chat.title !== UNNAMED) return chat.title;
  const words = more.append.split(/\s+/u).filter((word) => word !== "");
  return Array.from(words.join(" ")).slice(0, MAX_TITLE_LETTERS).join("") || UNNAMED;
}

/** The entries with one in its place, or behind them; one that stands before them is not there. */
export function withEntry(items: readonly Item[], at: number, call: CallRecord): readonly Item[] {
  if (at < 0) return items;
  return at < items.length ? items.with(at, call) : [...items, call];
}

/** The server has put the entries before this one away. */
function withoutOlder(chat: Chat, first: number): Chat {
  if (first <= chat.first) return chat;
  return { ...chat, first, items: chat.items.slice(first - chat.first) };
}

function printed(items: readonly Item[], { callId, append, errors }: Printed): readonly Item[] {
  const at = callIndex(items, callId);
  const item = items[at];
  if (item?.kind !== "call") return items;
  return items.with(at, { ...item, output: item.output + append, errors: withLines(item.errors, errors) });
}

/** Error lines that follow on each other are one pair. */
export function withLines(before: readonly number[], more: readonly number[]): readonly number[] {
  const [first, end] = more;
  const goesOn = first !== undefined && end !== undefined && (before.at(-1) ?? -1) >= first;
  return goesOn ? [...before.slice(0, -1), end] : [...before, ...more];
}

/** A shell that took a step is the last of them; of those that have ended the first ones go. */
function withShell(shells: readonly ShellInfo[], shell: ShellInfo): readonly ShellInfo[] {
  const all = [...shells.filter(({ shellId }) => shellId !== shell.shellId), shell];
  const ended = all.filter(({ state }) => state !== "running");
  const gone = ended.slice(0, Math.max(0, ended.length - MAX_ENDED_SHELLS));
  return all.filter((each) => !gone.includes(each));
}

function callIndex(items: readonly Item[], callId: string): number {
  return items.findLastIndex((item) => item.kind === "call" && item.callId === callId);
}
