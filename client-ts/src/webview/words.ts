/** The view's own words: the gates, and how a record is told in one line. */

import { many, t } from "../l10n";
import type { CallRecord, Chat, ShellInfo } from "../protocol";

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
  if (tools === 0) return "";
  if (tools === 1) return many(passed, "Of the one tool that it has called here, 1 passes the gate.", "Of the one tool that it has called here, {0} pass the gate.");
  return many(passed, "Of the {1} tools that it has called here, 1 passes the gate.", "Of the {1} tools that it has called here, {0} pass the gate.", tools);
}

/** A record's sign (`time` is a clock), the colour of the sign, and the word that says the same. */
export interface Sign {
  readonly sign: string;
  readonly tone: "ok" | "no" | "wait" | "warn";
  readonly head: string;
}

/** How this call stands; of what is in the background its shell tells, and one that is over may be gone. */
export function signOf(call: Pick<CallRecord, "state" | "by">, shell: ShellInfo | null = null): Sign {
  switch (call.state) {
    case "proposed":
      return { sign: "…", tone: "wait", head: t("Being ruled on") };
    case "waiting":
      return { sign: "?", tone: "warn", head: t("Waiting for you") };
    case "running":
      return { sign: "▸", tone: "wait", head: t("Running") };
    case "refused":
      return refused(call.by);
    case "answered":
      return { sign: "↩", tone: "ok", head: t("Asked") };
    case "succeeded":
      return { sign: "✓", tone: "ok", head: allowed(call.by) };
    case "failed":
      return { sign: "!", tone: "no", head: t("{0}, failed", allowed(call.by)) };
    case "killed":
      return { sign: "■", tone: "no", head: t("{0}, ended", allowed(call.by)) };
    case "backgrounded":
      return { sign: "⇣", tone: "wait", head: t(shell?.state === "running" ? "{0}, runs in the background" : "{0}, ran in the background", allowed(call.by)) };
  }
}

function allowed(by: CallRecord["by"]): string {
  switch (by) {
    case "rule":
      return t("Allowed by a rule");
    case "mode":
      return t("Allowed by the mode");
    case "hook":
      return t("Allowed by a hook");
    case "user":
    case "timeout":
    case "stop":
    case "agentGone":
    case "error":
    case null:
      return t("Allowed");
  }
}

function refused(by: CallRecord["by"]): Sign {
  switch (by) {
    case "timeout":
      return { sign: "time", tone: "no", head: t("Nobody answered") };
    case "stop":
      return { sign: "■", tone: "no", head: t("Stopped") };
    case "agentGone":
      return { sign: "✕", tone: "no", head: t("The agent left") };
    case "rule":
      return { sign: "✕", tone: "no", head: t("Denied by a rule") };
    case "mode":
      return { sign: "✕", tone: "no", head: t("Denied by the mode") };
    case "hook":
      return { sign: "✕", tone: "no", head: t("Denied by a hook") };
    case "user":
    case "error":
    case null:
      return { sign: "✕", tone: "no", head: t("Denied") };
  }
}
