/**
 * What can be done with a rule in the list: look at where it is written, and take it out.
 *
 * Taking out a rule that asks or denies widens what agents may do, so it is asked once more.
 */

import type { Uri as EditorUri } from "vscode";
import type { ListedRule, RemoveRule } from "../protocol";
import type { Request } from "./bridge";
import { inert } from "./plain";
import { commands, Position, Range, Uri, window } from "./vscode";

/** Show the rule in the file that it is written in; a chat's rules stand in no file. */
export async function openRule(
  argument: unknown,
  shownAs: (uri: EditorUri) => EditorUri,
  showChat: (chatId: string) => Promise<void>,
): Promise<void> {
  const rule = ruleIn(argument);
  if (rule === null) {
    return;
  }
  if (rule.uri === null) {
    await (rule.chatId === null ? openSettings(rule) : showChat(rule.chatId));
    return;
  }
  const line = Math.max(0, (rule.line ?? 1) - 1);
  const selection = new Range(new Position(line, 0), new Position(line, 0));
  await window.showTextDocument(shownAs(Uri.parse(rule.uri)), { selection, preview: true });
}

/** Take the rule out of where it is written. True where it was asked to be. */
export async function removeRule(argument: unknown, request: Request): Promise<boolean> {
  const rule = ruleIn(argument);
  const scope = SCOPES.find((each) => each === rule?.scope);
  if (rule === null || rule.id === "" || scope === undefined || !(await isMeant(rule))) {
    return false;
  }
  const { rule: text, verdict, chatId, id } = rule;
  const params: RemoveRule = { rule: text, verdict, scope, id, ...(chatId === null ? {} : { chatId }) };
  await request("policy/remove", params);
  return true;
}

const SCOPES = ["chat", "workspace", "user"] as const;
const REMOVE = "Take It Out";

async function isMeant({ verdict, rule, where }: ListedRule): Promise<boolean> {
  if (verdict === "allow") {
    return true;
  }
  const what = verdict === "deny" ? "It denies now, and would deny no more." : "It asks now, and would ask no more.";
  const options = { modal: true, detail: inert(`${what} It stands in ${where}.`) };
  return (await window.showWarningMessage(inert(`Take out the rule ${rule}?`), options, REMOVE)) === REMOVE;
}

/** The editor does not tell where its settings are: it shows them itself. */
async function openSettings({ scope }: ListedRule): Promise<void> {
  const whose = scope === "user" ? "openSettingsJson" : "openWorkspaceSettingsFile";
  await commands.executeCommand(`workbench.action.${whose}`);
}

/** Only a row of the list is a rule; from a key or the palette nothing comes. */
function ruleIn(argument: unknown): ListedRule | null {
  const isOne = typeof argument === "object" && argument !== null && "verdict" in argument;
  return isOne ? (argument as ListedRule) : null;
}
