/** The commands of the agent and of every chat, offered above what is written. */

import type { AgentCommand } from "../../shared/protocol";
import { commandsIn } from "../chats/built-in-commands";
import { chatOf, shown, type State } from "../state/model";
import { html, nothing, type TemplateResult } from "lit/html.js";
import { t } from "../../shared/l10n";
import { said } from "../../shared/server-sentences";
import type { Hand } from "../state/hand";

/** So many commands are listed at once; writing on leaves fewer of them. */
const MAX_COMMANDS_LISTED = 8;

/** The commands that what is written may become; none while a card is open. */
export function commandsFor(state: State): readonly AgentCommand[] {
  const begun = /^\/(?<name>\S*)$/u.exec(state.draft)?.groups?.["name"];
  if (begun === undefined || shown(state) !== null) return [];
  return commandsIn(chatOf(state))
    .filter(({ name }) => name.toLowerCase().startsWith(begun.toLowerCase()))
    .slice(0, MAX_COMMANDS_LISTED);
}

/** The commands, above what is written. */
export function commands(state: State, hand: Hand): TemplateResult | typeof nothing {
  const found = commandsFor(state);
  if (found.length === 0) return nothing;
  return html`<div class="commands" data-testid="commands" role="group" aria-label=${t("Commands")}>
    ${found.map(
      (each) => html`<button type="button" class="quiet" @click=${() => filled(each, hand)}>
      <code>/${each.name}</code>${each.hint === "" ? nothing : html` <i><bdi>${each.hint}</bdi></i>`} <span class="muted"><bdi>${said(each.says)}</bdi></span>
    </button>`,
    )}
  </div>`;
}

/** Whether what is written is the beginning of a command, and no command itself. */
export function isUnfinished(state: State): boolean {
  return state.draft.length > 1 && commandsFor(state).length > 0 && exact(state) === undefined;
}

/** Tab writes the command out, or the first that it may become; whether there was one. */
export function completed(state: State, hand: Hand): boolean {
  const found = exact(state) ?? commandsFor(state)[0];
  if (found === undefined || state.draft === `/${found.name}`) return false;
  filled(found, hand);
  return true;
}

function exact(state: State): AgentCommand | undefined {
  return commandsFor(state).find(({ name }) => state.draft.toLowerCase() === `/${name.toLowerCase()}`);
}

function filled({ name }: AgentCommand, hand: Hand): void {
  hand.act({ kind: "filled", text: `/${name} ` });
}
