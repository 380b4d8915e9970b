/** How one can log in to the chat's agent: what the agent says of it is marked as its own words. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import type { Chat, LogInWay } from "../protocol";
import type { Hand } from "./hand";
import { chatOf, type State } from "./model";

/** What each way does, in our words. */
const DOES: Readonly<Record<LogInWay["kind"], (way: LogInWay, agent: string) => string>> = {
  agent: (_, agent) => `${agent} does this itself, for example in your browser.`,
  env_var: ({ variables }, agent) =>
    `You are asked for ${variables.join(", ")}. The editor's secret storage keeps it, and ${agent} alone is given it.`,
  terminal: ({ args }, agent) =>
    `${agent}'s own program is run in a terminal${args.length === 0 ? "" : `, with ${args.join(" ")}`}. You see it first.`,
};

/** The card, while an agent wants it or the person asked for it. */
export function logIn(state: State, hand: Hand): TemplateResult | typeof nothing {
  const chat = chatOf(state);
  if (chat === null || chat.logIn === null) return nothing;
  const { ways, because, busy } = chat.logIn;
  const stop = (): void => hand.act({ kind: "stop" });
  return html`<section class="login" data-testid="log-in" aria-label="Log in to ${chat.agentName}">
    <p><b>Log in to ${chat.agentName}</b></p>
    <p class="muted">What stands in quotes are ${chat.agentName}’s own words, and nobody has checked them.</p>
    ${because === "" ? nothing : html`<p role="alert" data-testid="log-in-because">${because}</p>`}
    ${busy === "" ? nothing : html`<p role="status" data-testid="log-in-busy">Waiting until you are logged in … <button type="button" class="second" data-testid="log-in-cancel" @click=${stop}>Cancel</button></p>`}
    <ul>${ways.map((each) => way(each, chat, busy, hand))}</ul>
  </section>`;
}

function way(each: LogInWay, { agentName }: Chat, busy: string, hand: Hand): TemplateResult {
  const begin = (): void => hand.act({ kind: "logIn", way: each.id });
  return html`<li data-testid="log-in-way">
    <button type="button" class="second" data-testid="log-in-by" ?disabled=${busy !== ""} @click=${begin}>“<bdi>${each.name}</bdi>”</button>
    ${each.says === "" ? nothing : html`<q><bdi>${each.says}</bdi></q>`}
    <span class="muted">${DOES[each.kind](each, agentName)}</span>
  </li>`;
}
