/** The transcript of the chat that is shown. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import { many, mixed, t } from "../../shared/l10n";
import { MODES } from "../../shared/modes";
import type { AgentInfo, Chat, Item, Notice, RecordKept, Said, ShellInfo, SoundKept } from "../../shared/protocol";
import type { Offer } from "../../shared/chat-events";
import { draft } from "./call-draft";
import type { Hand } from "../state/hand";
import { chatOf, isRunning, type State, type Older, type RewindAsked } from "../state/model";
import { isLook, lookedAt, runsOf, type Run } from "./look-runs";
import { namedIn } from "../composer/mention-list";
import { hasEarlier, olderOf } from "../chats/older-entries";
import { heardOf, keptOf } from "./open-records";
import { record, settledRecord } from "./call-record";
import { rewindSign } from "./rewind-sign";
import { isBeginning, takenBack } from "../chats/rewind";
import { sentence } from "../dom/spans";
import { isStarting } from "../start/start";
import { agentFor, isOffered } from "../chats/conversation";
import { ELIZA, OWN } from "../chats/built-in-agents";
import { start } from "../start/start-page";

/** A tooltip shows no more. */
const MAX_TITLE_LETTERS = 1_000;

/** What to try with the built-in agents. */
const TRY: { readonly [agentId: string]: { readonly lead: string; readonly words: readonly string[] } } = {
  [ELIZA]: {
    lead: t("needs no model and knows a few words. Try:"),
    words: ["read README.md", "write notes.txt hello", "run ls -la", "two calls", "help"],
  },
  [OWN]: {
    lead: t("reads, edits and runs things here. Try:"),
    words: [t("What is this project?"), t("Fix the failing test")],
  },
};

/** The transcript, or what a newcomer can do. */
export function log(state: State, hand: Hand): TemplateResult {
  const chat = chatOf(state);
  const isEmpty = chat === null || chat.items.length === 0;
  return html`<main class="log-frame">
    <h1 class="sr">${t("Chat with agents")}</h1>
    <div class="log" role="log" aria-live="off" aria-label=${t("Conversation")} tabindex="0" data-log>
      <div class="talk" data-first=${chat === null ? 0 : olderOf(state.older, chat).first}>
        ${isEmpty ? welcome(state, hand) : items(state, chat, olderOf(state.older, chat), hand)}
        ${state.settled.map(settledRecord)}
      </div>
    </div>
  </main>`;
}

function items(state: State, chat: Chat, older: Older, hand: Hand): TemplateResult {
  const running = isRunning(state);
  const all = [...older.items, ...chat.items];
  const last = older.first + all.length - 1;
  const taken = takenBack(all);
  const entry = (item: Item, at: number): unknown => {
    const done = at < last || !running;
    const offer = item.kind === "notice" && item.offer !== null && isOffered(chat, item.offer);
    const kept = item.kind === "call" ? keptOf(state, chat.chatId, item) : undefined;
    const heard = item.kind === "call" ? heardOf(state, item) : null;
    const asked = item.kind === "user" && state.rewind?.messageId === item.messageId ? state.rewind : null;
    const isTaken = taken.has(item);
    const marks = asked === null ? null : chat.changes;
    return guard([item, done, chat.agentName, chat.elsewhere, shellOf(item, chat), offer, kept, heard, asked, marks, isTaken], () => {
      const one = drawn(item, at, kept, heard, done, chat, asked, hand);
      return isTaken ? html`<div class="taken" data-testid="taken-back"><span class="sr">${t("Taken back:")} </span>${one}</div>` : one;
    });
  };
  return html`${earlier(older, hand)}
    ${repeat(
      runsOf(all, older.first),
      // Entries are only ever added at the end.
      ({ at }) => `${chat.chatId} ${at}`,
      (run) => together(run, last, running, entry),
    )}
    ${draft(chat)}
    ${running ? html`<p class="working" aria-hidden="true"><i></i><i></i><i></i></p>` : nothing}`;
}

/** One entry; or several that only looked at something, which fold once something else begins. */
function together({ at, items: some }: Run, last: number, running: boolean, entry: (item: Item, at: number) => unknown): unknown {
  const [first] = some;
  if (first === undefined || !isLook(first)) return first === undefined ? nothing : entry(first, at);
  const isOver = some.length > 1 && (at + some.length - 1 < last || !running);
  return html`<details class="looks" data-testid="looks" ?open=${!isOver} data-alone=${some.length === 1 ? "true" : nothing}>
    <summary>${some.length === 1 ? nothing : lookedAt(some.filter(isLook))}</summary>
    ${some.map((item, index) => entry(item, at + index))}
  </details>`;
}

/** What is not shown of the beginning, and how to see it. */
function earlier(older: Older, hand: Hand): TemplateResult | typeof nothing {
  const { first } = older;
  if (first === 0) return nothing;
  const count = many(first, "1 earlier entry", "{0} earlier entries");
  if (!hasEarlier(older))
    return html`<p class="earlier muted" data-testid="earlier-gone">${mixed("{0}, no longer kept. What was decided is in the journal.", count)}</p>`;
  const show = (): void => hand.act({ kind: "earlier" });
  return html`<p class="earlier muted">
    <button class="second" data-testid="earlier" @click=${show}>${t("Show earlier")}</button> <bdi>${count}</bdi>
  </p>`;
}

/** The shell that a call has left in the background. */
function shellOf(item: Item, { shells }: Chat): ShellInfo | null {
  if (item.kind !== "call" || item.state !== "backgrounded") return null;
  return shells.find(({ callId }) => callId === item.callId) ?? null;
}

function drawn(
  item: Item,
  at: number,
  kept: RecordKept | null | undefined,
  heard: SoundKept | null,
  done: boolean,
  chat: Chat,
  asked: RewindAsked | null,
  hand: Hand,
): TemplateResult {
  const { agentName, chatId } = chat;
  switch (item.kind) {
    case "user":
      return html`<div class="turn mine">${isBeginning(item) && !chat.elsewhere ? rewindSign(item, asked, hand) : nothing}<div class="user" data-testid="message-user"><span class="sr">${t("You:")} </span>${item.text}${namedIn(item)}</div></div>
        ${asked === null ? nothing : html`<assent-rewind .drawn=${{ asked, changes: chat.changes, hand }}></assent-rewind>`}`;
    case "agent":
      return said(item, done, agentName);
    case "thought":
      return thought(item, done);
    case "call":
      return html`<div class="turn call">${record(item, shellOf(item, chat), { chatId, entry: at, callId: item.callId }, kept, heard, hand)}</div>`;
    case "notice":
      return notice(item, chat, hand);
    case "picture":
    case "sound":
      return html`<assent-media class="turn" .drawn=${{ item, agentName, hand }}></assent-media>`;
  }
}

function said({ text }: Said, done: boolean, agentName: string): TemplateResult {
  return html`<div class="turn agent" data-testid="message-agent">
    <span class="sr">${agentName}: </span><assent-prose .text=${text} .done=${done}></assent-prose>
  </div>`;
}

function thought({ text }: Said, done: boolean): TemplateResult {
  return html`<details class="turn thought" data-testid="message-thought">
    <summary>${done ? t("Thought") : t("Thinking…")}</summary>
    <assent-prose .text=${text} .done=${done}></assent-prose>
  </details>`;
}

function notice({ level, text, offer }: Notice, chat: Chat, hand: Hand): TemplateResult {
  return html`<div class="turn notice" data-testid="notice" data-level=${level}>
    <span class="sr">${LEVELS[level]}: </span>${sentence(text)}
    ${offer === null || !isOffered(chat, offer) ? nothing : taking(offer, hand)}
  </div>`;
}

/** The one press that a notice offers. */
function taking(offer: Offer, hand: Hand): TemplateResult {
  if (offer.kind === "retry") return retrying(offer, hand);
  const label =
    offer.kind === "mode" ? t("Back to {0}", MODES.find(({ mode }) => mode === offer.mode)?.label ?? offer.mode) : t("Ask again");
  const title = offer.kind === "mode" ? label : t("Say once more: {0}", offer.text.slice(0, MAX_TITLE_LETTERS));
  return html`<button class="second" data-testid="offer" data-still=${label} title=${title} @click=${() => hand.act({ kind: "takeOffer", offer })}>${label}</button>`;
}

/** The same is asked again, once there is a key where one is missing. */
function retrying(offer: Extract<Offer, { kind: "retry" }>, hand: Hand): TemplateResult {
  const key = (): void => hand.act({ kind: "post", message: { kind: "runCommand", command: "setModelKey" } });
  return html`${offer.wantsKey ? html`<button class="second" data-testid="set-key" @click=${key}>${t("Set key…")}</button>` : nothing}
    <button class="second" data-testid="retry" data-still title=${t("Ask the model the same again")} @click=${() => hand.act({ kind: "takeOffer", offer })}>${t("Retry")}</button>`;
}

function welcome(state: State, hand: Hand): TemplateResult {
  if (isStarting(state)) return start(state, hand);
  const agent = agentFor(state);
  return html`<div class="welcome" data-testid="welcome">
    <p class="lead">${t("Talk to an agent. You decide what it does.")}</p>
    <p class="muted">
      ${t("Your settings say what an agent may do. Assent asks about the rest in a card that shows what would happen.")}
    </p>
    ${agent === null || agent.state === "failed" ? nothing : tries(agent, hand)}
    <p><button class="link" data-testid="choose" @click=${() => hand.act({ kind: "starting", what: "choose" })}>${t("Add a model or an agent…")}</button></p>
  </div>`;
}

function tries({ id, name }: AgentInfo, hand: Hand): TemplateResult | typeof nothing {
  const what = TRY[id];
  if (what === undefined) return nothing;
  const use = (text: string) => () => hand.act({ kind: "filled", text });
  return html`<p>${name} ${what.lead}</p>
    <ul class="tries">
      ${what.words.map((text) => html`<li><button class="second" @click=${use(text)}>${id === ELIZA ? html`<code>${text}</code>` : text}</button></li>`)}
    </ul>`;
}

const LEVELS: { readonly [level in Notice["level"]]: string } = { info: t("info"), warning: t("warning"), error: t("error") };
