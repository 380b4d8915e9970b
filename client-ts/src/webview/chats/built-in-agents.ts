/** The built-in agents, and how surely an agent's calls pass the gate. */

import { t } from "../../shared/l10n";
import type { Chat } from "../../shared/protocol";

/** The built-in agent that needs no model. */
export const ELIZA = "eliza";

/** Our own agent, for the models that a person has. */
export const OWN = "assent";

/** The built-in agents, all of whose calls are ours. */
export const BUILT_IN: readonly string[] = [ELIZA, OWN];

/** How surely an agent's calls pass the gate, in a word and in a sentence. */
export const GATES: { readonly [gate in Chat["gate"]]: readonly [string, string] } = {
  verified: [t("Gate verified"), t("This agent runs Assent's hook, which has each of its calls ruled on before it runs.")],
  advisory: [t("Asks by itself"), t("This agent asks by itself; Assent cannot make it.")],
  unverified: [t("Not verified"), t("Nothing shows yet that this agent's calls are ruled on.")],
};

/** How many of the tools that an agent has called pass the gate; nothing where it has called none. */
export function toolsSeen({ passed, tools }: Pick<Chat, "passed" | "tools">): string {
  return tools === 0 ? "" : t("Tools called here that pass the gate: {0} of {1}.", passed, tools);
}
