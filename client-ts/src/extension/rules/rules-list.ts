/**
 * The rules in reach, by where they are written.
 *
 * The server is asked whenever something may have changed, and what it said last is kept, so that
 * the list is there at once when it is opened. Nothing shows it but a command, and it then stays.
 */

import type { Disposable, TreeCheckboxChangeEvent, TreeDataProvider, TreeView } from "vscode";
import { locale, many, t } from "../../shared/l10n";
import type { AgentEvent, ListedRule, MethodName, RuleList } from "../../shared/protocol";
import type { Request } from "../server/bridge";
import { inert } from "../editor/inert-text";
import { isSwitchable } from "./rule-commands";
import {
  commands,
  EventEmitter,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCheckboxState,
  TreeItemCollapsibleState,
  window,
} from "../editor/vscode";
import { reasonOf } from "../editor/error-text";
import { said } from "../../shared/server-sentences";

/** The rules of one scope. */
export interface Group {
  readonly scope: string;
  readonly rules: readonly ListedRule[];
}

export type Node = Group | ListedRule;

/** The scopes in the order of the view, and what they are called there. */
const SCOPES: { readonly [scope: string]: string } = {
  managed: t("Your organisation"),
  user: t("All my workspaces"),
  workspace: t("This workspace"),
  folder: t("Its folders"),
  chat: t("Chats"),
};

/** Where the editor can take a rule out again. */
const REMOVABLE: readonly string[] = ["user", "workspace", "chat"];

const REFRESH_DELAY_MS = 300;

export class RulesTree implements TreeDataProvider<Node>, Disposable {
  readonly #request: Request;
  readonly #changed = new EventEmitter<undefined>();
  readonly #view: TreeView<Node>;
  #soon: NodeJS.Timeout | undefined;
  /** What the server said last; null before it has said anything. */
  #known: readonly ListedRule[] | null = null;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(request: Request) {
    this.#request = request;
    // A box says what the server said last: a person may draw back from what it stands for.
    const options = { treeDataProvider: this, manageCheckboxStateManually: true };
    this.#view = window.createTreeView<Node>("assent.rules", options);
    this.#view.onDidChangeCheckboxState(switchAll);
  }

  /** Something may have changed. */
  refresh(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    void this.#ask();
  }

  /** The same, where many such moments may follow each other: the list is asked for once. */
  refreshSoon(): void {
    this.#soon ??= setTimeout(() => this.refresh(), REFRESH_DELAY_MS);
  }

  /** Something was told by the server: an answer may have written rules, and settings have. */
  take(method: MethodName, params: unknown): void {
    if (method === "tool/approvalSettled" || isOfWorkspace(method, params)) {
      this.refreshSoon();
    }
  }

  /** Show the list; where there is none, say how one comes to be. */
  async show(): Promise<void> {
    await this.#ask();
    if (this.#known?.length === 0) {
      await window.showInformationMessage(t("There are no rules yet. “Always allow…” on a card writes one."));
      return;
    }
    await commands.executeCommand("assent.rules.focus");
  }

  async getChildren(parent?: Node): Promise<Node[]> {
    if (parent !== undefined) {
      return isGroup(parent) ? [...parent.rules] : [];
    }
    if (this.#known === null) {
      await this.#ask();
    }
    return [...groupsOf(this.#known ?? [])];
  }

  /** What is listed stays while nobody can be asked, and is said to be what was listed last. */
  async #ask(): Promise<void> {
    try {
      this.#known = ((await this.#request("policy/rules", {})) as RuleList).rules;
      // Only what is set is heard of: a property that is deleted leaves the old sentence standing.
      this.#view.message = "";
    } catch (error) {
      this.#view.message = inert(reasonOf(error));
    }
    this.#changed.fire(undefined);
  }

  getTreeItem(node: Node): TreeItem {
    return isGroup(node) ? groupItem(node) : ruleItem(node);
  }

  dispose(): void {
    clearTimeout(this.#soon);
    this.#view.dispose();
    this.#changed.dispose();
  }
}

/** The rules by scope; a scope that nobody has heard of comes last, under its own name. */
export function groupsOf(rules: readonly ListedRule[]): readonly Group[] {
  const scopes = [...Object.keys(SCOPES), ...rules.map(({ scope }) => scope)];
  return [...new Set(scopes)]
    .map((scope) => ({ scope, rules: rules.filter((rule) => rule.scope === scope) }))
    .filter((group) => group.rules.length > 0);
}

function isGroup(node: Node): node is Group {
  return "rules" in node;
}

/** The boxes that were ticked or cleared, one after the other: each may be asked about. */
async function switchAll({ items }: TreeCheckboxChangeEvent<Node>): Promise<void> {
  for (const [node] of items) {
    await commands.executeCommand("assent.rules.switch", node);
  }
}

function groupItem({ scope, rules }: Group): TreeItem {
  const item = new TreeItem(SCOPES[scope] ?? scope, TreeItemCollapsibleState.Expanded);
  item.id = scope;
  item.description = `${rules.length}`;
  item.contextValue = "assentRules";
  return item;
}

function ruleItem(rule: ListedRule): TreeItem {
  const item = new TreeItem(inert(rule.rule), TreeItemCollapsibleState.None);
  const only = [
    ...(rule.folder === "" ? [] : [t("only in {0}", inert(rule.folder))]),
    ...(rule.inSandbox ? [t("only in the sandbox")] : []),
  ];
  item.description = [VERBS[rule.verdict], ...only, usesOf(rule), ...lastOf(rule)].join(" · ");
  item.tooltip = tooltipOf(rule);
  item.iconPath = rule.problem === null ? ICONS[rule.verdict](rule.on === false ? DISABLED : undefined) : FAULTY;
  if (isSwitchable(rule)) {
    item.checkboxState = boxOf(rule);
  }
  item.contextValue = kindOf(rule);
  item.command = { command: "assent.rules.open", title: t("Open"), arguments: [rule] };
  item.accessibilityInformation = { label: [rule.rule, item.description, said(rule.problem ?? "")].filter(Boolean).join(", ") };
  return item;
}

/** What can be done with it, as the menus of the list ask. */
function kindOf(rule: ListedRule): string {
  if (isSwitchable(rule)) {
    return "assentRuleSwitched";
  }
  return REMOVABLE.includes(rule.scope) && rule.id !== "" ? "assentRule" : "assentRuleFixed";
}

/** The box of a rule that can be switched; what it does is said, since it stands for no choice of a list. */
function boxOf({ rule, on }: ListedRule): NonNullable<TreeItem["checkboxState"]> {
  const label = inert(on === true ? t("The rule {0} is switched on", rule) : t("The rule {0} is switched off", rule));
  return {
    state: on === true ? TreeItemCheckboxState.Checked : TreeItemCheckboxState.Unchecked,
    tooltip: on === true ? t("Switch it off") : t("Switch it on"),
    accessibilityInformation: { label, role: "checkbox" },
  };
}

function usesOf({ uses, problem, on }: ListedRule): string {
  if (problem !== null) {
    return t("has a problem");
  }
  if (on === false) {
    return t("switched off");
  }
  return uses === 0 ? t("not used yet") : many(uses, "used once", "used {0} times");
}

/** The day of the last use; the tooltip has its time. */
function lastOf({ lastUsed, problem }: ListedRule): readonly string[] {
  return lastUsed === null || problem !== null ? [] : [t("last on {0}", new Date(lastUsed).toLocaleDateString(locale()))];
}

function tooltipOf({ why, where, problem, lastUsed }: ListedRule): string {
  const last = lastUsed === null ? "" : t("Last used {0}.", new Date(lastUsed).toLocaleString(locale()));
  return [said(problem ?? ""), why, said(where), last]
    .filter((line) => line !== "")
    .map(inert)
    .join("\n");
}

const VERBS = { allow: t("allows"), ask: t("asks"), deny: t("denies") } as const;
const FAULTY = new ThemeIcon("warning", new ThemeColor("list.warningForeground"));
const DISABLED = new ThemeColor("disabledForeground");
const ICONS = {
  allow: (colour?: ThemeColor) => new ThemeIcon("check", colour),
  ask: (colour?: ThemeColor) => new ThemeIcon("question", colour),
  deny: (colour?: ThemeColor) => new ThemeIcon("circle-slash", colour),
} as const;

/** Whether the server has read the settings anew, and with them the rules. */
function isOfWorkspace(method: MethodName, params: unknown): boolean {
  return method === "agent/event" && (params as AgentEvent).event.kind === "workspace";
}
