/** Where the person writes: the text, the mode, the agent, Send and Stop. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { live } from "lit/directives/live.js";
import { MODES, type Mode } from "../modes";
import type { AgentInfo } from "../protocol";
import type { Hand } from "./hand";
import { arrow, square } from "./icons";
import { isRunning, type State } from "./model";
import { agentFor, modeFor, waitingHere } from "./talking";

/** The composer. Its height does not depend on what waits above it. */
export function composer(state: State, hand: Hand): TemplateResult {
  const agent = agentFor(state);
  return html`<form class="composer" aria-label="Message" @submit=${(event: Event) => event.preventDefault()}>
    <textarea
      data-testid="composer"
      rows="2"
      aria-label=${agent === null ? "Message" : `Message to ${agent.name}`}
      placeholder=${agent === null ? "Message…" : `Message ${agent.name}…`}
      .value=${live(state.draft)}
      @input=${(event: Event) => hand.act({ kind: "typed", text: (event.target as HTMLTextAreaElement).value })}
      @keydown=${(event: KeyboardEvent) => {
        if (!sends(event)) return;
        event.preventDefault();
        hand.act({ kind: "send" });
      }}
    ></textarea>
    <div class="foot">
      ${modes(state, hand)}${agents(state, agent, hand)}
      <span class="sp"></span>
      ${isRunning(state) ? stop(state, hand) : send(state, hand)}
    </div>
  </form>`;
}

/** What was tried last, or an agent that needs a chat of its own. Above the dock. */
export function notes(state: State, hand: Hand): TemplateResult | typeof nothing {
  const name = state.replica.agents.find(({ id }) => id === state.offer)?.name;
  if (state.offer !== null && name !== undefined) return offer(state.offer, name, hand);
  if (state.note === null) return nothing;
  return html`<div class="note" data-testid="note">
    <span>${state.note}</span><span class="sp"></span>
    <button type="button" class="quiet" aria-label="Dismiss" @click=${() => hand.act({ kind: "dropNote" })}>✕</button>
  </div>`;
}

function offer(agentId: string, name: string, hand: Hand): TemplateResult {
  return html`<div class="note" data-testid="agent-offer">
    <span>This chat belongs to another agent.</span><span class="sp"></span>
    <button class="second" data-testid="offer-new-chat" @click=${() => hand.act({ kind: "newChat", agentId })}>New chat with ${name}</button>
    <button class="quiet" @click=${() => hand.act({ kind: "dropOffer" })}>Stay</button>
  </div>`;
}

/** Enter alone sends; never while an input method composes, or while the key is held. */
function sends(event: KeyboardEvent): boolean {
  const alone = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
  // Some input methods end their composition with an Enter of this old code.
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else tells of them
  const composes = event.isComposing || event.keyCode === 229;
  return event.key === "Enter" && alone && !composes && !event.repeat;
}

function modes(state: State, hand: Hand): TemplateResult {
  const mode = modeFor(state);
  const picked = (event: Event): void => {
    hand.act({ kind: "pickMode", mode: (event.target as HTMLSelectElement).value as Mode });
  };
  const detail = MODES.find((each) => each.mode === mode)?.detail ?? "";
  return html`<select class="picker" data-testid="mode-select" aria-label="Mode" title=${detail} .value=${live(mode)} @change=${picked}>
    ${MODES.map((each) => html`<option value=${each.mode} title=${each.detail} ?selected=${each.mode === mode}>${each.label}</option>`)}
  </select>`;
}

function agents(state: State, agent: AgentInfo | null, hand: Hand): TemplateResult {
  const picked = (event: Event): void => {
    hand.act({ kind: "pickAgent", agentId: (event.target as HTMLSelectElement).value });
  };
  const mark = (each: AgentInfo): string => (each.state === "failed" ? " (failed)" : "");
  return html`<select class="picker" data-testid="agent-select" aria-label="Agent" .value=${live(agent?.id ?? "")} @change=${picked}>
    ${state.replica.agents.map((each) => html`<option value=${each.id} ?selected=${each === agent}>${each.name}${mark(each)}</option>`)}
  </select>`;
}

function send(state: State, hand: Hand): TemplateResult {
  const isOff = state.draft.trim() === "" || state.server.state !== "ready";
  return html`<button type="button" class="icon-button send" data-testid="send" aria-label="Send" title="Send (Enter)" ?disabled=${isOff} @click=${() => hand.act({ kind: "send" })}>${arrow()}</button>`;
}

function stop(state: State, hand: Hand): TemplateResult {
  const count = waitingHere(state);
  const label = count === 0 ? "Stop" : `Stop denies ${count === 1 ? "1" : `all ${count}`}`;
  return html`<button type="button" class="stop" data-testid="stop" @click=${() => hand.act({ kind: "stop" })}>${square()}${label}</button>`;
}
