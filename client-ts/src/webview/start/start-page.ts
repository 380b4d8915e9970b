/** The page on which somebody chooses who works for them, in the place of the transcript. */

import type { ToHost } from "../../shared/host-messages";
import { html, nothing, type TemplateResult } from "lit/html.js";
import { t } from "../../shared/l10n";
import type { Hand } from "../state/hand";
import type { State } from "../state/model";
import type { Beginnings, FoundModels, AgentOffer } from "../../shared/protocol";
import { OWN, ELIZA } from "../chats/built-in-agents";

type Command = Extract<ToHost, { kind: "runCommand" }>;

/** The models, the agents and Eliza, each with a button. */
export function start(state: State, hand: Hand): TemplateResult {
  const { ways: beginnings } = state.start;
  const looks = beginnings === null;
  return html`<div class="start" data-testid="start" aria-busy=${looks ? "true" : "false"}>
    <h2 class="lead">${t("Choose who works for you")}</h2>
    <p class="muted">${t("You are asked before anything is changed or sent.")}</p>
    ${models(beginnings, hand)}
    ${agents(t("Agents on your PATH"), beginnings?.onPath ?? [], t("Start"), hand)}
    ${offered(beginnings, hand)}
    ${group(t("Without any"), [eliza(hand, state)])}
    ${state.start.isWanted ? html`<p><button class="quiet" data-testid="start-back" @click=${() => hand.act({ kind: "starting", what: "back" })}>${t("Back to the chat")}</button></p>` : nothing}
  </div>`;
}

function models(beginnings: Beginnings | null, hand: Hand): TemplateResult {
  const found = beginnings?.found ?? [];
  const rows = found.map((each, at) => ready(each, at === 0, hand));
  const lacking = beginnings === null ? t("Looking for models on this machine and in this editor…") : beginnings.lacking;
  return group(t("Models for the built-in agent"), [
    ...rows,
    lacking === ""
      ? nothing
      : row(
          "Ollama",
          lacking,
          beginnings === null
            ? nothing
            : press(t("Look again"), "second", () => hand.act({ kind: "starting", what: "look" }), t("Look again for Ollama")),
          "start-lacking",
        ),
    row(
      t("With a key or an address"),
      "Anthropic, OpenAI, compatible",
      command(
        t("Add…"),
        { kind: "runCommand", command: "addModel" },
        hand,
        found.length === 0 ? "first" : "second",
        t("Add a model with a key or an address"),
      ),
      "start-add-model",
    ),
  ]);
}

function ready({ name, says, models: all }: FoundModels, isFirst: boolean, hand: Hand): TemplateResult | typeof nothing {
  const [first] = all;
  if (first === undefined) return nothing;
  const use = (): void => hand.act({ kind: "begin", partner: { agentId: OWN, modelId: first.id } });
  return row(name, says, press(t("Use"), isFirst ? "first" : "second", use, t("Use {0}: {1}", name, first.name)), "start-found");
}

export function agents(title: string, all: readonly AgentOffer[], label: string, hand: Hand): TemplateResult | typeof nothing {
  const some = all.filter(({ added }) => !added);
  return some.length === 0
    ? nothing
    : group(
        title,
        some.map((each) => agent(each, label, hand)),
      );
}

function agent({ id, name, version, source }: AgentOffer, label: string, hand: Hand): TemplateResult {
  const [from = source] = source.split(": ");
  return row(
    name,
    `${from}, ${version}`,
    command(label, { kind: "runCommand", command: "addAgent", about: id }, hand, "second", `${label} ${name}`),
    "start-agent",
  );
}

function offered(beginnings: Beginnings | null, hand: Hand): TemplateResult | typeof nothing {
  const { offered: some = [], more = 0 } = beginnings ?? {};
  if (some.length === 0) return nothing;
  const every = command(t("Show"), { kind: "runCommand", command: "addAgent" }, hand, "second", t("Show all agents of the registry"));
  const rest = more === 0 ? nothing : row(t("{0} more", more), t("the newest list is asked for"), every, "start-all");
  return group(t("Registry"), [...some.map((each) => agent(each, t("Install"), hand)), rest]);
}

function eliza(hand: Hand, state: State): TemplateResult | typeof nothing {
  if (!state.replica.agents.some(({ id }) => id === ELIZA)) return nothing;
  const tries = (): void => hand.act({ kind: "begin", partner: { agentId: ELIZA, modelId: null } });
  return row("Eliza", t("needs no model; shows how cards work"), press(t("Try"), "second", tries, t("Try Eliza")), "start-eliza");
}

function group(title: string, rows: readonly (TemplateResult | typeof nothing)[]): TemplateResult {
  return html`<section aria-label=${title}><h3>${title}</h3><ul>${rows}</ul></section>`;
}

function row(name: string, says: string, button: TemplateResult | typeof nothing, id: string): TemplateResult {
  return html`<li data-testid=${id}><span><bdi class="name">${name}</bdi><bdi class="muted">${says}</bdi></span>${button}</li>`;
}

function press(label: string, look: "first" | "second", act: () => void, spoken: string): TemplateResult {
  return html`<button class=${look} aria-label=${spoken} @click=${act}>${label}</button>`;
}

function command(label: string, message: Command, hand: Hand, look: "first" | "second", spoken: string): TemplateResult {
  return press(label, look, () => hand.act({ kind: "post", message }), spoken);
}
