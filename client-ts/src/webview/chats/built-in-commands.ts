/** What a word behind a `/` does in every chat, where the agent has no command of that name. */

import { t } from "../../shared/l10n";
import type { ToHost } from "../../shared/host-messages";
import type { AgentCommand, Chat } from "../../shared/protocol";
import { withErrand, type State } from "../state/model";

interface BuiltIn extends AgentCommand {
  /** A list of this view, a command of the editor, or a new chat. */
  readonly opens: "partner" | "mode" | "chat" | Extract<ToHost, { readonly kind: "runCommand" }>["command"];
}

const COMMANDS: readonly BuiltIn[] = [
  { name: "clear", says: t("Begin a new chat"), hint: "", opens: "chat" },
  { name: "model", says: t("Choose the agent and its model"), hint: "", opens: "partner" },
  { name: "mode", says: t("Choose the mode"), hint: "", opens: "mode" },
  { name: "history", says: t("Show what was decided"), hint: "", opens: "showHistory" },
  { name: "rules", says: t("Show the rules"), hint: "", opens: "showRules" },
  { name: "settings", says: t("Open Assent's settings"), hint: "", opens: "openSettings" },
  { name: "help", says: t("Show the help"), hint: "", opens: "help" },
];

/** Those that mean something in a chat, the agent's own first; without one it is not known which those are. */
export function commandsIn(chat: Chat | null): readonly AgentCommand[] {
  if (chat === null) return [];
  const own = chat.commands;
  return [...own, ...COMMANDS.filter(({ name }) => !own.some((each) => each.name === name))];
}

/** The command of ours that a message is, if it is one. */
export function builtIn(chat: Chat | null, text: string): BuiltIn | null {
  const found = commandsIn(chat).find(({ name }) => text.toLowerCase() === `/${name.toLowerCase()}`);
  return COMMANDS.find((each) => each === found) ?? null;
}

/** The state after it opened something but a chat. */
export function opened(state: State, opens: Exclude<BuiltIn["opens"], "chat">): State {
  const after = { ...state, draft: "" };
  if (opens === "partner" || opens === "mode") return withErrand(after, { kind: "focus", on: opens });
  return withErrand(after, { kind: "post", message: { kind: "runCommand", command: opens } });
}
