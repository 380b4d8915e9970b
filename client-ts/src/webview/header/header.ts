/** What stands above the transcript: which chat, and what holds for the whole workspace. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";
import { toldOf } from "../../shared/catch-up";
import { many, mixed, t } from "../../shared/l10n";
import { ALWAYS_ASKED } from "../../shared/modes";
import type { AgentInfo, Chat } from "../../shared/protocol";
import { leftOut, loose, ownSettings } from "./agent-settings";
import { background } from "./background-commands";
import type { Hand } from "../state/hand";
import { cross, shield, warning } from "../dom/icons";
import { chatOf, isRunning, type State } from "../state/model";
import { sentence } from "../dom/spans";
import { changesBar } from "../changes/changes-bar";
import { isStarting } from "../start/start";
import { agentFor, isLastNotice, titleOf, waitingHere } from "../chats/conversation";
import { BUILT_IN, ELIZA, GATES, OWN, toolsSeen } from "../chats/built-in-agents";

type Line = TemplateResult | typeof nothing;
type Placed = ReadonlyMap<string, Line>;

/** Where lines are while a card is open: those that were there when it opened, and those that came since, each as it was last drawn. */
export interface Stood {
  readonly above: Placed;
  readonly late: Placed;
}

/** What is drawn of them. */
export interface Lines {
  readonly above: TemplateResult;
  /** Drawn right above the card, where they push nothing; the newest first. */
  readonly late: TemplateResult | typeof nothing;
  readonly stood: Stood;
}

/** The changes are drawn below all lines, outside the header. */
const BAR = "changes";

/** All lines above the transcript; `stood` says where they were last drawn, while a card is open. */
export function header(state: State, hand: Hand, stood: Stood | null): Lines {
  const chat = chatOf(state);
  const { agents, banners } = state.replica;
  const all: readonly (readonly [string, Line])[] = [
    ["alarms", alarms(state.alarms, hand)],
    ["auto", auto(chat, hand)],
    ...agents.filter(({ bypassed }) => bypassed).map((agent) => [`bypass ${agent.id}`, bypass(agent, hand)] as const),
    ["window", elsewhere(chat, hand)],
    ["server", server(state, hand)],
    ["missing", missing(state)],
    ["untrusted", untrusted(state)],
    ...banners.map((text) => [`banner ${text}`, banner(text)] as const),
    ["trouble", trouble(agentFor(state), state, hand)],
    ["loose", loose(chat)],
    ["settings", ownSettings(chat, hand)],
    ["left", leftOut(chat)],
    ["plan", plan(chat)],
    ["shells", background(chat, hand)],
    [BAR, changesBar(state, hand)],
  ];
  const current = new Map(all.filter(([, line]) => line !== nothing));
  const above = new Map(stood?.above ?? current);
  const late = new Map(stood?.late);
  current.forEach((line, name) => (above.has(name) ? above : late).set(name, line));
  // A line that has ended leaves an empty space, so that nothing moves.
  const drawn = (names: readonly string[], placed: Placed): unknown =>
    repeat(
      names,
      (name) => name,
      (name) => html`<div class="stood ${current.has(name) ? "" : "ended"}">${placed.get(name)}</div>`,
    );
  const names = [...above.keys()].filter((name) => name !== BAR);
  return {
    above: html`<header class="top">${chats(state, hand)}${drawn(names, above)}</header>${drawn(above.has(BAR) ? [BAR] : [], above)}`,
    late: late.size === 0 ? nothing : html`<div class="late">${drawn([...late.keys()].toReversed(), late)}</div>`,
    stood: { above, late },
  };
}

function banner(text: string): TemplateResult {
  return html`<p class="strip" data-testid="banner" data-level="warning">${warning()}<span>${sentence(text)}</span></p>`;
}

/** The chat by its title, which the editor's own row has no room for in the secondary side bar. */
function chats(state: State, hand: Hand): TemplateResult | typeof nothing {
  const { chats: all } = state.replica;
  const chat = chatOf(state);
  if (chat === null) return nothing;
  const picked = (event: Event): void => {
    hand.act({ kind: "pickChat", chatId: (event.target as HTMLSelectElement).value });
  };
  const choice = html`<select data-testid="chat-select" aria-label=${t("Chat")} @change=${picked}>
    ${all.map((each) => html`<option value=${each.chatId} .selected=${live(each === chat)}>${titleOf(each)}${each.running ? " …" : ""}</option>`)}
  </select>`;
  return html`<div class="chats">
    ${all.length > 1 ? choice : html`<bdi class="name" title=${titleOf(chat)}>${titleOf(chat)}</bdi>`}
    <span class="sp"></span>
    ${gate(chat)}${close(chat, state, hand)}
  </div>`;
}

/** What an agent ran though nobody let it, until a person has looked. */
function alarms(count: number, hand: Hand): TemplateResult | typeof nothing {
  if (count === 0) return nothing;
  const look = (): void => hand.act({ kind: "post", message: { kind: "runCommand", command: "showAlarms" } });
  return html`<div class="strip unasked" data-testid="alarms" data-level="error">${warning()}<b>${many(count, "1 alarm", "{0} alarms")}</b><span class="sp"></span><button class="second" data-testid="look" @click=${look}>${t("Show")}</button></div>`;
}

/** Another window has this chat: it can be read, and gone on with once that has closed it. */
function elsewhere(chat: Chat | null, hand: Hand): TemplateResult | typeof nothing {
  if (chat === null || !chat.elsewhere) return nothing;
  return html`<div class="strip" data-testid="elsewhere" data-level="info">
    <span>${t("This chat is open in another window; here it can be read.")}</span>
    <span class="sp"></span>
    <button class="second" data-testid="continue" @click=${() => hand.act({ kind: "goOnHere" })}>${t("Continue here")}</button>
  </div>`;
}

/** Asks nothing; while the agent works, its name says what closing would stop. */
function close(chat: Chat, state: State, hand: Hand): TemplateResult {
  const count = waitingHere(state);
  const stops =
    count === 0
      ? t("Close this chat: stops {0}", chat.agentName)
      : many(count, "Close this chat: stops {1} and denies 1 call", "Close this chat: stops {1} and denies {0} calls", chat.agentName);
  const label = isRunning(state) ? stops : t("Close this chat");
  return html`<button class="icon-button" data-testid="close-chat" data-still=${chat.chatId} title=${label} aria-label=${label} @click=${() => hand.act({ kind: "closeChat" })}>${cross()}</button>`;
}

/** Of a built-in agent there is nothing to say: its calls are all ours. */
function gate(chat: Chat): TemplateResult | typeof nothing {
  const { gate: how, agentId } = chat;
  if (BUILT_IN.includes(agentId) && how === "advisory") return nothing;
  const [word, sentence] = GATES[how];
  const seen = toolsSeen(chat);
  return html`<span class="gate" data-gate=${how} title=${[sentence, seen].join(" ").trim()}>${how === "advisory" ? nothing : shield()}<span>${word}${seen === "" ? nothing : ` · ${t("{0} of {1}", chat.passed, chat.tools)}`}</span></span>`;
}

function server({ server: { state, text } }: State, hand: Hand): TemplateResult | typeof nothing {
  const run = (command: "restartServer" | "showLog") => () => hand.act({ kind: "post", message: { kind: "runCommand", command } });
  switch (state) {
    case "ready":
      return nothing;
    case "starting":
      return html`<p class="strip" data-testid="server-state" data-state=${state}><span>${text || t("The server is starting…")}</span></p>`;
    case "restarting":
      return html`<p class="strip" data-testid="server-state" data-state=${state} data-level="warning">${warning()}<span>${text || t("The server is starting again. Nothing runs meanwhile.")}</span></p>`;
    case "dead":
      return html`<div class="strip" data-testid="server-state" data-state=${state} data-level="error">
        ${warning()}<span>${text || t("The server has stopped. Nothing that was waiting will run.")}</span>
        <span class="sp"></span>
        <button class="second" data-testid="restart" @click=${run("restartServer")}>${t("Restart")}</button>
        <button class="quiet" @click=${run("showLog")}>${t("Show log")}</button>
      </div>`;
  }
}

/** Something could not be asked for: what waits may be more than what can be seen. */
function missing({ failures }: State): TemplateResult | typeof nothing {
  const text = toldOf(failures);
  if (text === "") return nothing;
  return html`<p class="strip" data-testid="missing" data-level="warning">${warning()}<span>${text}</span></p>`;
}

function untrusted({ replica }: State): TemplateResult | typeof nothing {
  if (replica.trusted) return nothing;
  return html`<p class="strip" data-testid="untrusted" data-level="warning">
    ${warning()}<span>${t("You have not trusted this workspace: only built-in agents are started, and nothing can be widened.")}</span>
  </p>`;
}

const STILL_ASKED = t("Still asked: {0}.", ALWAYS_ASKED);
const EXCEPT = html`<span class="sr">${t(", except for {0}", ALWAYS_ASKED)}</span>`;

/** Stays for as long as the agent is not asked for. */
function bypass({ id, name }: AgentInfo, hand: Hand): TemplateResult {
  return html`<div class="strip unasked" data-testid="bypass-strip" data-level="error">
    ${warning()}<span title=${STILL_ASKED}>${mixed("You are not asked about {0}{1}.", html`<b>${name}</b>`, EXCEPT)}</span>
    <span class="sp"></span>
    <button class="second" data-testid="ask-again" @click=${() => hand.act({ kind: "askAgain", agentId: id })}>${t("Ask again")}</button>
  </div>`;
}

/** Stays for as long as the chat is in Auto. */
function auto(chat: Chat | null, hand: Hand): TemplateResult | typeof nothing {
  if (chat?.mode !== "auto") return nothing;
  return html`<div class="strip unasked" data-testid="auto-strip" data-level="error">
    ${warning()}<span title=${STILL_ASKED}>${mixed("{0}: {1} runs most things here unasked{2}.", html`<b>${t("Auto")}</b>`, html`<b><bdi>${chat.agentName}</bdi></b>`, EXCEPT)}</span>
    <span class="sp"></span>
    <button class="second" data-testid="leave-auto" @click=${() => hand.act({ kind: "pickMode", mode: "default" })}>${t("Ask again")}</button>
  </div>`;
}

function trouble(agent: AgentInfo | null, state: State, hand: Hand): TemplateResult | typeof nothing {
  if (state.replica.phase !== "live") return nothing;
  const settings = (): void => hand.act({ kind: "post", message: { kind: "runCommand", command: "openSettings" } });
  if (agent === null) {
    return html`<div class="strip" data-testid="agent-state" data-level="warning">
      ${warning()}<span>${t("No agent is set up.")}</span><span class="sp"></span>
      <button class="second" @click=${settings}>${t("Open settings")}</button>
    </div>`;
  }
  // What is said where one chooses is not said here.
  if (isStarting(state)) return nothing;
  switch (agent.state) {
    case "ready":
    case "running":
      return nothing;
    case "starting":
      return html`<p class="strip" data-testid="agent-state" data-state="starting"><span>${mixed("{0} is starting…", agent.name)}</span></p>`;
    case "failed":
    case "needsAnswer":
      // What the transcript has just said is not said again.
      if (isLastNotice(chatOf(state), agent.because)) return nothing;
      return html`<p class="strip" data-testid="agent-state" data-state=${agent.state} data-level=${agent.state === "failed" ? "error" : "warning"}>
        ${warning()}<span><b>${agent.name}</b>: ${agent.because === "" ? t("it waits for your answer.") : sentence(agent.because)}</span>
        ${agent.state === "failed" ? remedy(agent, hand) : nothing}
      </p>`;
  }
}

/** What can be done about an agent that is not there: a model for ours, another of other people's. */
function remedy({ id }: AgentInfo, hand: Hand): TemplateResult | typeof nothing {
  if (id === ELIZA) return nothing;
  const command = id === OWN ? "addModel" : "addAgent";
  const add = (): void => hand.act({ kind: "post", message: { kind: "runCommand", command } });
  return html`<button class="second" data-testid="remedy" @click=${add}>${id === OWN ? t("Add a model…") : t("Add an agent…")}</button>`;
}

function plan(chat: Chat | null): TemplateResult | typeof nothing {
  if (chat === null || chat.plan.length === 0) return nothing;
  const done = chat.plan.filter(({ state }) => state === "done").length;
  const now = chat.plan.find(({ state }) => state === "inProgress");
  return html`<details class="plan" data-testid="plan">
    <summary>${t("Plan: {0} of {1} done", done, chat.plan.length)}${now === undefined ? "" : ` · ${now.text}`}</summary>
    <ol>
      ${chat.plan.map(({ text, state }) => html`<li data-state=${state}><span class="sr">${PLAN[state]}: </span>${text}</li>`)}
    </ol>
  </details>`;
}

const PLAN = { pending: t("to do"), inProgress: t("doing"), done: t("done") } as const;
