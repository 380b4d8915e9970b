/** What stands above the transcript: which chat, and what holds for the whole workspace. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { live } from "lit/directives/live.js";
import { counted } from "../card";
import { toldOf } from "../catchup";
import { ALWAYS_ASKED } from "../modes";
import type { AgentInfo, Chat } from "../protocol";
import { loose, ownSettings } from "./agentown";
import { background } from "./background";
import type { Hand } from "./hand";
import { clock, cross, plus, shield, warning } from "./icons";
import { chatOf, isRunning, type State } from "./model";
import { sentence } from "./spans";
import { isStarting } from "./start";
import { agentFor, isLastNotice, waitingHere } from "./talking";
import { UNNAMED } from "../transcript";
import { BUILT_IN, ELIZA, GATES, OWN, toolsSeen } from "./words";

/** The chats, and the lines that must be seen. */
export function header(state: State, hand: Hand): TemplateResult {
  return html`<header class="top">
    ${chats(state, hand)}${auto(chatOf(state), hand)}${state.replica.agents.filter(({ bypassed }) => bypassed).map((agent) => bypass(agent, hand))}
    ${elsewhere(chatOf(state), hand)}${server(state, hand)}${missing(state)}${untrusted(state)}
    ${state.replica.banners.map((text) => html`<p class="strip" data-testid="banner" data-level="warning">${warning()}<span>${sentence(text)}</span></p>`)}
    ${trouble(agentFor(state), state, hand)}${loose(chatOf(state))}${ownSettings(chatOf(state), hand)}${plan(chatOf(state))}${background(chatOf(state), hand)}
  </header>`;
}

function chats(state: State, hand: Hand): TemplateResult {
  const { chats: all } = state.replica;
  const chat = chatOf(state);
  const picked = (event: Event): void => {
    hand.act({ kind: "pickChat", chatId: (event.target as HTMLSelectElement).value });
  };
  const choice = html`<select data-testid="chat-select" aria-label="Chat" @change=${picked}>
    ${all.map((each) => html`<option value=${each.chatId} .selected=${live(each === chat)}>${titleOf(each)}</option>`)}
  </select>`;
  return html`<div class="chats">
    ${all.length === 0 ? html`<span class="name">New chat</span>` : choice}
    <span class="sp"></span>
    ${chat === null ? nothing : gate(chat)}
    ${chat === null ? nothing : close(chat, state, hand)}
    <button class="icon-button" data-testid="earlier-chats" title="Earlier chats" aria-label="Earlier chats" @click=${() => hand.act({ kind: "post", message: { kind: "runCommand", command: "earlierChats" } })}>${clock()}</button>
    <button class="icon-button" data-testid="new-chat" title="New chat" aria-label="New chat" @click=${() => hand.act({ kind: "newChat", partner: null })}>${plus()}</button>
  </div>`;
}

/** Another window has this chat: it can be read, and gone on with once that has closed it. */
function elsewhere(chat: Chat | null, hand: Hand): TemplateResult | typeof nothing {
  if (chat === null || !chat.elsewhere) return nothing;
  return html`<div class="strip" data-testid="elsewhere" data-level="info">
    <span>This chat is open in another window; here it can be read.</span>
    <span class="sp"></span>
    <button class="second" data-testid="continue" @click=${() => hand.act({ kind: "goOnHere" })}>Continue here</button>
  </div>`;
}

/** Cards call it by what the person said; here the agent's own title may stand. */
function titleOf({ title, agentTitle, agentName, running }: Chat): string {
  const isNamed = title !== "" && title !== UNNAMED;
  return `${agentTitle || (isNamed ? title : `New chat with ${agentName}`)}${running ? " …" : ""}`;
}

/** Asks nothing; while the agent works, its name says what closing would stop. */
function close(chat: Chat, state: State, hand: Hand): TemplateResult {
  const count = waitingHere(state);
  const denies = count === 0 ? "" : ` and denies ${counted(count, "call")}`;
  const label = isRunning(state) ? `Close this chat: stops ${chat.agentName}${denies}` : "Close this chat";
  return html`<button class="icon-button" data-testid="close-chat" title=${label} aria-label=${label} @click=${() => hand.act({ kind: "closeChat" })}>${cross()}</button>`;
}

/** Of a built-in agent there is nothing to say: its calls are all ours. */
function gate(chat: Chat): TemplateResult | typeof nothing {
  const { gate: how, agentId } = chat;
  if (BUILT_IN.includes(agentId) && how === "advisory") return nothing;
  const [word, sentence] = GATES[how];
  const seen = toolsSeen(chat);
  return html`<span class="gate" data-gate=${how} title=${[sentence, seen].join(" ").trim()}>${how === "advisory" ? nothing : shield()}<span>${word}${seen === "" ? nothing : ` · ${chat.passed} of ${chat.tools}`}</span></span>`;
}

function server({ server: { state, text } }: State, hand: Hand): TemplateResult | typeof nothing {
  const run = (command: "restartServer" | "showLog") => () =>
    hand.act({ kind: "post", message: { kind: "runCommand", command } });
  switch (state) {
    case "ready":
      return nothing;
    case "starting":
      return html`<p class="strip" data-testid="server-state" data-state=${state}><span>${text || "The server is starting…"}</span></p>`;
    case "restarting":
      return html`<p class="strip" data-testid="server-state" data-state=${state} data-level="warning">${warning()}<span>${text || "The server is starting again. Nothing runs meanwhile."}</span></p>`;
    case "dead":
      return html`<div class="strip" data-testid="server-state" data-state=${state} data-level="error">
        ${warning()}<span>${text || "The server has stopped. Nothing that was waiting will run."}</span>
        <span class="sp"></span>
        <button class="second" data-testid="restart" @click=${run("restartServer")}>Restart</button>
        <button class="quiet" @click=${run("showLog")}>Show log</button>
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
    ${warning()}<span>You have not trusted this workspace: only built-in agents are started, and nothing can be widened.</span>
  </p>`;
}

const STILL_ASKED = `Still asked: ${ALWAYS_ASKED}.`;

/** Stays for as long as the agent is not asked for. */
function bypass({ id, name }: AgentInfo, hand: Hand): TemplateResult {
  return html`<div class="strip unasked" data-testid="bypass-strip" data-level="error">
    ${warning()}<span title=${STILL_ASKED}>You are not asked about <b>${name}</b><span class="sr">, except for ${ALWAYS_ASKED}</span>.</span>
    <span class="sp"></span>
    <button class="second" data-testid="ask-again" @click=${() => hand.act({ kind: "askAgain", agentId: id })}>Ask again</button>
  </div>`;
}

/** Stays for as long as the chat is in Auto. */
function auto(chat: Chat | null, hand: Hand): TemplateResult | typeof nothing {
  if (chat?.mode !== "auto") return nothing;
  return html`<div class="strip unasked" data-testid="auto-strip" data-level="error">
    ${warning()}<span title=${STILL_ASKED}><b>Auto</b>: <b><bdi>${chat.agentName}</bdi></b> runs everything here unasked<span class="sr">, except for ${ALWAYS_ASKED}</span>.</span>
    <span class="sp"></span>
    <button class="second" data-testid="leave-auto" @click=${() => hand.act({ kind: "pickMode", mode: "default" })}>Ask again</button>
  </div>`;
}

function trouble(agent: AgentInfo | null, state: State, hand: Hand): TemplateResult | typeof nothing {
  if (state.replica.phase !== "live") return nothing;
  const settings = (): void => hand.act({ kind: "post", message: { kind: "runCommand", command: "openSettings" } });
  if (agent === null) {
    return html`<div class="strip" data-testid="agent-state" data-level="warning">
      ${warning()}<span>No agent is set up.</span><span class="sp"></span>
      <button class="second" @click=${settings}>Open settings</button>
    </div>`;
  }
  // What is said where one chooses is not said here.
  if (isStarting(state)) return nothing;
  switch (agent.state) {
    case "ready":
    case "running":
      return nothing;
    case "starting":
      return html`<p class="strip" data-testid="agent-state" data-state="starting"><span>${agent.name} is starting…</span></p>`;
    case "failed":
    case "needsAnswer":
      // What the transcript has just said is not said again.
      if (isLastNotice(chatOf(state), agent.because)) return nothing;
      return html`<p class="strip" data-testid="agent-state" data-state=${agent.state} data-level=${agent.state === "failed" ? "error" : "warning"}>
        ${warning()}<span><b>${agent.name}</b>: ${sentence(agent.because || "it waits for your answer.")}</span>
        ${agent.state === "failed" ? remedy(agent, hand) : nothing}
      </p>`;
  }
}

/** What can be done about an agent that is not there: a model for ours, another of other people's. */
function remedy({ id }: AgentInfo, hand: Hand): TemplateResult | typeof nothing {
  if (id === ELIZA) return nothing;
  const command = id === OWN ? "addModel" : "addAgent";
  const add = (): void => hand.act({ kind: "post", message: { kind: "runCommand", command } });
  return html`<button class="second" data-testid="remedy" @click=${add}>${id === OWN ? "Add a model…" : "Add an agent…"}</button>`;
}

function plan(chat: Chat | null): TemplateResult | typeof nothing {
  if (chat === null || chat.plan.length === 0) return nothing;
  const done = chat.plan.filter(({ state }) => state === "done").length;
  const now = chat.plan.find(({ state }) => state === "inProgress");
  return html`<details class="plan" data-testid="plan">
    <summary>Plan: ${done} of ${chat.plan.length} done${now === undefined ? "" : ` · ${now.text}`}</summary>
    <ol>
      ${chat.plan.map(({ text, state }) => html`<li data-state=${state}><span class="sr">${PLAN[state]}: </span>${text}</li>`)}
    </ol>
  </details>`;
}

const PLAN = { pending: "to do", inProgress: "doing", done: "done" } as const;
