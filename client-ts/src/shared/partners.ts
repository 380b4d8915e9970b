/** Whom a new chat can be opened with: an agent, and where it has models, one of them. */

import type { AgentInfo, Chat } from "./protocol";

/** How much a model is to think. */
export type Effort = Chat["efforts"][number];

/** An agent and its model; without one, the agent has its own, or begins with its first. */
export interface Partner {
  readonly agentId: string;
  readonly modelId: string | null;
}

/** A partner as a list shows it. */
export interface PartnerWords extends Partner {
  readonly agent: AgentInfo;
  readonly label: string;
}

/** All of them, in the order of the agents. */
export function partnersOf(agents: readonly AgentInfo[]): readonly PartnerWords[] {
  return agents.flatMap((agent) =>
    agent.models.length === 0 ? [partner(agent, null, "")] : agent.models.map(({ id, name }) => partner(agent, id, name)),
  );
}

/** This agent with a model of this name, whether or not it still offers one. */
export function partnerNamed(agent: AgentInfo, model: string): PartnerWords {
  const wanted = partner(agent, null, model);
  return partnersOf([agent]).find(({ label }) => label === wanted.label) ?? wanted;
}

function partner(agent: AgentInfo, modelId: string | null, model: string): PartnerWords {
  const label = model === "" ? agent.name : `${agent.name} · ${model}`;
  return { agent, agentId: agent.id, modelId, label };
}
