/** How one can log in to the chat's agent: what the agent says of it is marked as its own words. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { mixed, t } from "../../shared/l10n";
import type { Chat, LogInWay } from "../../shared/protocol";
import type { Hand } from "../state/hand";
import { chatOf, type State } from "../state/model";
import { sentence } from "../dom/spans";

/** What each way does, in our words. */
const DOES: Readonly<Record<LogInWay["kind"], (way: LogInWay, agent: string) => string>> = {
  agent: (_, agent) => t("{0} does this itself, for example in your browser.", agent),
  env_var: ({ variables }, agent) =>
    t("You are asked for {0}. The editor's secret storage keeps it, and {1} alone is given it.", variables.join(", "), agent),
  terminal: ({ args }, agent) =>
    t(
      args.length === 0
        ? "{0}'s own program is run in a terminal. You see it first."
        : "{0}'s own program is run in a terminal, with {1}. You see it first.",
      agent,
      args.join(" "),
    ),
};

/** The card, while an agent wants it or the person asked for it. */
export function logIn(state: State, hand: Hand): TemplateResult | typeof nothing {
  const chat = chatOf(state);
  if (chat === null || chat.logIn === null) return nothing;
  const { ways, because, busy } = chat.logIn;
  const stop = (): void => hand.act({ kind: "stop" });
  return html`<section class="login" data-testid="log-in" aria-label=${t("Log in to {0}", chat.agentName)}>
    <p><b>${mixed("Log in to {0}", chat.agentName)}</b></p>
    <p class="muted">${mixed("What stands in quotes are {0}’s own words, and nobody has checked them.", chat.agentName)}</p>
    ${because === "" ? nothing : html`<p role="alert" data-testid="log-in-because">${sentence(because)}</p>`}
    ${busy === "" ? nothing : html`<p role="status" data-testid="log-in-busy">${t("Waiting until you are logged in …")} <button type="button" class="second" data-testid="log-in-cancel" @click=${stop}>${t("Cancel")}</button></p>`}
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
