/** What an agent keeps itself: its own settings, how they let it ask less, its commands. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { live } from "lit/directives/live.js";
import { mixed, t } from "../l10n";
import type { AgentCommand, AgentSetting, Chat } from "../protocol";
import type { Hand } from "./hand";
import { warning } from "./icons";
import { chatOf, shown, type State } from "./model";

/** So many commands are listed at once; writing on leaves fewer of them. */
const MOST = 8;

/** Stays for as long as the agent's own settings let it ask less. */
export function loose(chat: Chat | null): TemplateResult | typeof nothing {
  if (chat === null || chat.loose === "") return nothing;
  return html`<p class="strip" data-testid="agent-loose" data-level="warning">${warning()}<span>${chat.loose}</span></p>`;
}

/** The settings that the agent keeps itself, each as it stands. */
export function ownSettings(chat: Chat | null, hand: Hand): TemplateResult | typeof nothing {
  if (chat === null || chat.settings.length === 0) return nothing;
  const now = chat.settings.map(valueOf).filter((words) => words !== "");
  return html`<details class="plan own" data-testid="agent-settings">
    <summary>${mixed("{0}’s own settings: {1}", chat.agentName, now.join(" · "))}</summary>
    <ul>${chat.settings.map((setting) => html`<li><label><bdi>${setting.name}</bdi> ${choice(setting, hand)}</label></li>`)}</ul>
  </details>`;
}

function valueOf({ name, now, choices }: AgentSetting): string {
  const value = choices.find((each) => each.value === now)?.name ?? now;
  // *On* alone says nothing.
  return value === "On" || value === "Off" ? `${name} ${value.toLowerCase()}` : value;
}

function choice({ id, now, choices }: AgentSetting, hand: Hand): TemplateResult {
  const all = choices.some(({ value }) => value === now) ? choices : [{ value: now, name: now }, ...choices];
  const picked = (event: Event): void => {
    const select = event.target as HTMLSelectElement;
    hand.act({ kind: "pickOption", optionId: id, value: select.value });
    // It stands as it stood until the agent says otherwise.
    select.value = now;
  };
  return html`<select class="picker" data-testid="agent-setting" @change=${picked}>
    ${all.map(({ value, name }) => html`<option value=${value} .selected=${live(value === now)}>${name}</option>`)}
  </select>`;
}

/** The commands that what is written may become; none while a card is open. */
export function commandsFor(state: State): readonly AgentCommand[] {
  const begun = /^\/(?<name>\S*)$/u.exec(state.draft)?.groups?.["name"];
  if (begun === undefined || shown(state) !== null) return [];
  const all = chatOf(state)?.commands ?? [];
  return all.filter(({ name }) => name.toLowerCase().startsWith(begun.toLowerCase())).slice(0, MOST);
}

/** The agent's commands, above what is written. */
export function commands(state: State, hand: Hand): TemplateResult | typeof nothing {
  const found = commandsFor(state);
  if (found.length === 0) return nothing;
  const name = chatOf(state)?.agentName ?? "";
  return html`<div class="commands" data-testid="commands" role="group" aria-label=${t("Commands of {0}", name)}>
    ${found.map((each) => html`<button type="button" class="quiet" @click=${() => filled(each, hand)}>
      <code>/${each.name}</code>${each.hint === "" ? nothing : html` <i><bdi>${each.hint}</bdi></i>`} <span class="muted"><bdi>${each.says}</bdi></span>
    </button>`)}
  </div>`;
}

/** Tab writes the first command out; whether there was one. */
export function completed(state: State, hand: Hand): boolean {
  const [first] = commandsFor(state);
  if (first === undefined || state.draft === `/${first.name}`) return false;
  filled(first, hand);
  return true;
}

function filled({ name }: AgentCommand, hand: Hand): void {
  hand.act({ kind: "filled", text: `/${name} ` });
}
