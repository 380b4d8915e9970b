/**
 * What can be done with a rule in the list: look at where it is written, switch it, take it out.
 *
 * Taking out a rule that asks or denies widens what agents may do, so it is asked once more.
 */

import { isDeepStrictEqual } from "node:util";
import type { Uri as EditorUri } from "vscode";
import { t } from "../../shared/l10n";
import type { ListedRule, RemoveRule, SwitchRule } from "../../shared/protocol";
import type { Request } from "../server/bridge";
import { inert } from "../editor/inert-text";
import { SECTION, TARGETS } from "../settings/settings";
import { complain } from "../server/failure-messages";
import { commands, Position, Range, Uri, window, workspace } from "../editor/vscode";

/** What the commands below work with. */
interface Around {
  readonly request: Request;
  /** Ask for the list anew. */
  readonly refresh: () => void;
  readonly shownAs: (uri: EditorUri) => EditorUri;
  readonly showChat: (chatId: string) => Promise<unknown>;
}

/** The commands about the rules in the list, by their names without the section's. */
export function ruleCommands({ request, refresh, shownAs, showChat }: Around): Readonly<Record<string, (rule?: unknown) => Promise<void>>> {
  return {
    "rules.open": (rule) => openRule(rule, shownAs, showChat),
    "rules.remove": async (rule) => {
      if (await removeRule(rule, request)) {
        refresh();
      }
    },
    // The box goes back to what holds where a person drew back.
    "rules.switch": (rule) => switchRule(rule, request).finally(refresh),
    "rules.refresh": () => {
      refresh();
      return Promise.resolve();
    },
  };
}

/** Show the rule in the file that it is written in; a chat's rules stand in no file. */
export async function openRule(
  argument: unknown,
  shownAs: (uri: EditorUri) => EditorUri,
  showChat: (chatId: string) => Promise<unknown>,
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
  const before = scope === "chat" ? null : listedIn(scope, verdict);
  await request("policy/remove", params);
  if (before !== null && scope !== "chat") {
    void offerBack(rule, scope, before).catch(complain);
  }
  return true;
}

/** Whether the rule stands in settings that the editor writes, and would hold there if it were on. */
export function isSwitchable({ id, scope, on }: ListedRule): boolean {
  return id !== "" && on !== null && Object.hasOwn(TARGETS, scope);
}

/** Switch the rule off, or on again; the server asks once more where less would be asked or refused then. */
export async function switchRule(argument: unknown, request: Request): Promise<void> {
  const rule = ruleIn(argument);
  const scope = SETTINGS.find((each) => each === rule?.scope);
  if (rule === null || scope === undefined || !isSwitchable(rule)) {
    return;
  }
  const params: SwitchRule = { verdict: rule.verdict, scope, id: rule.id, on: rule.on === false };
  await request("policy/switch", params);
}

const UNDO = t("Undo");

/** A rule that went from the settings can come back to its place; a chat's rules stand in none. */
async function offerBack({ rule, verdict }: ListedRule, scope: keyof typeof TARGETS, before: readonly unknown[]): Promise<void> {
  if ((await window.showInformationMessage(inert(t("The rule {0} was taken out.", rule)), UNDO)) !== UNDO) {
    return;
  }
  const now = listedIn(scope, verdict);
  const at = before.findIndex((each) => !now.some((other) => isDeepStrictEqual(other, each)));
  if (at < 0) {
    return;
  }
  const rules = { ...rulesIn(scope), [verdict]: now.toSpliced(at, 0, before[at]) };
  await workspace.getConfiguration(SECTION).update("rules", rules, TARGETS[scope]);
}

/** What stands in the settings of this scope, as it was written. */
function rulesIn(scope: keyof typeof TARGETS): Readonly<Record<string, unknown>> {
  const found = workspace.getConfiguration(SECTION).inspect<Readonly<Record<string, unknown>>>("rules");
  return (scope === "user" ? found?.globalValue : found?.workspaceValue) ?? {};
}

function listedIn(scope: keyof typeof TARGETS, verdict: ListedRule["verdict"]): readonly unknown[] {
  const listed = rulesIn(scope)[verdict];
  return Array.isArray(listed) ? (listed as readonly unknown[]) : [];
}

const SETTINGS = ["workspace", "user"] as const;
const SCOPES = ["chat", ...SETTINGS] as const;
const REMOVE = t("Take It Out");

async function isMeant({ verdict, rule, where }: ListedRule): Promise<boolean> {
  if (verdict === "allow") {
    return true;
  }
  const what = verdict === "deny" ? t("It denies now, and would deny no more.") : t("It asks now, and would ask no more.");
  const options = { modal: true, detail: inert(`${what} ${t("It stands in {0}.", where)}`) };
  return (await window.showWarningMessage(inert(t("Take out the rule {0}?", rule)), options, REMOVE)) === REMOVE;
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
