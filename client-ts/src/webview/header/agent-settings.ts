/** The settings that an agent keeps itself, and how they let it ask less. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { live } from "lit/directives/live.js";
import { mixed } from "../../shared/l10n";
import type { AgentSetting, Chat } from "../../shared/protocol";
import type { Hand } from "../state/hand";
import { warning } from "../dom/icons";
import { sentence } from "../dom/spans";

/** Stays for as long as the agent's own settings let it ask less. */
export function loose(chat: Chat | null): TemplateResult | typeof nothing {
  if (chat === null || chat.loose === "") return nothing;
  return html`<p class="strip" data-testid="agent-loose" data-level="warning">${warning()}<span>${sentence(chat.loose)}</span></p>`;
}

/** What the agent does not get of the configuration that it has where a person runs it. */
export function leftOut(chat: Chat | null): TemplateResult | typeof nothing {
  return chat?.leftOut ? html`<p class="strip" data-testid="left-out"><span>${sentence(chat.leftOut)}</span></p>` : nothing;
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
