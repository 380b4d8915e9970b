/** The view's own words: the gates, and how a record is told in one line. */

import type { CallRecord, Chat, ShellInfo } from "../protocol";

/** The built-in agent that needs no model. */
export const ELIZA = "eliza";

/** Our own agent, for the models that a person has. */
export const OWN = "assent";

/** The built-in agents, all of whose calls are ours. */
export const BUILT_IN: readonly string[] = [ELIZA, OWN];

/** How surely an agent's calls pass the gate, in a word and in a sentence. */
export const GATES: { readonly [gate in Chat["gate"]]: readonly [string, string] } = {
  verified: ["Gate verified", "This agent runs Assent's hook, which has each of its calls ruled on before it runs."],
  advisory: ["Asks by itself", "This agent asks by itself; Assent cannot make it."],
  unverified: ["Not verified", "Nothing shows yet that this agent's calls are ruled on."],
};

/** How many of the tools that an agent has called pass the gate; nothing where it has called none. */
export function toolsSeen({ passed, tools }: Pick<Chat, "passed" | "tools">): string {
  if (tools === 0) return "";
  return `Of the ${tools === 1 ? "one tool" : `${tools} tools`} that it has called here, ${passed} pass${passed === 1 ? "es" : ""} the gate.`;
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
      return { sign: "…", tone: "wait", head: "Being ruled on" };
    case "waiting":
      return { sign: "?", tone: "warn", head: "Waiting for you" };
    case "running":
      return { sign: "▸", tone: "wait", head: "Running" };
    case "refused":
      return refused(call.by);
    case "answered":
      return { sign: "↩", tone: "ok", head: "Asked" };
    case "succeeded":
      return { sign: "✓", tone: "ok", head: allowed(call.by) };
    case "failed":
      return { sign: "!", tone: "no", head: `${allowed(call.by)}, failed` };
    case "killed":
      return { sign: "■", tone: "no", head: `${allowed(call.by)}, ended` };
    case "backgrounded":
      return { sign: "⇣", tone: "wait", head: `${allowed(call.by)}, ${shell?.state === "running" ? "runs" : "ran"} in the background` };
  }
}

function allowed(by: CallRecord["by"]): string {
  switch (by) {
    case "rule":
      return "Allowed by a rule";
    case "mode":
      return "Allowed by the mode";
    case "hook":
      return "Allowed by a hook";
    case "user":
    case "timeout":
    case "stop":
    case "agentGone":
    case "error":
    case null:
      return "Allowed";
  }
}

function refused(by: CallRecord["by"]): Sign {
  switch (by) {
    case "timeout":
      return { sign: "time", tone: "no", head: "Nobody answered" };
    case "stop":
      return { sign: "■", tone: "no", head: "Stopped" };
    case "agentGone":
      return { sign: "✕", tone: "no", head: "The agent left" };
    case "rule":
      return { sign: "✕", tone: "no", head: "Denied by a rule" };
    case "mode":
      return { sign: "✕", tone: "no", head: "Denied by the mode" };
    case "hook":
      return { sign: "✕", tone: "no", head: "Denied by a hook" };
    case "user":
    case "error":
    case null:
      return { sign: "✕", tone: "no", head: "Denied" };
  }
}
