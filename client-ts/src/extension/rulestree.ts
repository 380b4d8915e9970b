/**
 * The rules in reach, by where they are written, beside what waits.
 *
 * The server is asked whenever the view is shown or something may have changed; nothing is kept.
 */

import type { Disposable, TreeDataProvider, TreeView } from "vscode";
import { counted } from "../card";
import type { AgentEvent, ListedRule, MethodName, RuleList } from "../protocol";
import type { Request } from "./bridge";
import { inert } from "./plain";
import { EventEmitter, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState, window } from "./vscode";

/** The rules of one scope. */
export interface Group {
  readonly scope: string;
  readonly rules: readonly ListedRule[];
}

export type Node = Group | ListedRule;

/** The scopes in the order of the view, and what they are called there. */
const SCOPES: { readonly [scope: string]: string } = {
  managed: "Your organisation",
  user: "All my workspaces",
  workspace: "This workspace",
  folder: "Its folders",
  chat: "Chats",
};

/** Where the editor can take a rule out again. */
const REMOVABLE: readonly string[] = ["user", "workspace", "chat"];

const SOON_MS = 300;

export class RulesTree implements TreeDataProvider<Node>, Disposable {
  readonly #request: Request;
  readonly #changed = new EventEmitter<undefined>();
  readonly #view: TreeView<Node>;
  #soon: NodeJS.Timeout | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(request: Request) {
    this.#request = request;
    this.#view = window.createTreeView<Node>("assent.rules", { treeDataProvider: this });
  }

  /** Something may have changed. */
  refresh(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    this.#changed.fire(undefined);
  }

  /** The same, where many such moments may follow each other: the list is asked for once. */
  refreshSoon(): void {
    this.#soon ??= setTimeout(() => this.refresh(), SOON_MS);
  }

  /** Something was told by the server: an answer may have written rules, and settings have. */
  take(method: MethodName, params: unknown): void {
    if (method === "tool/approvalSettled" || isOfWorkspace(method, params)) {
      this.refreshSoon();
    }
  }

  async getChildren(parent?: Node): Promise<Node[]> {
    if (parent !== undefined) {
      return isGroup(parent) ? [...parent.rules] : [];
    }
    try {
      const { rules } = (await this.#request("policy/rules", {})) as RuleList;
      delete this.#view.message;
      return [...groupsOf(rules)];
    } catch (error) {
      this.#view.message = inert(error instanceof Error ? error.message : String(error));
      return [];
    }
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

function groupItem({ scope, rules }: Group): TreeItem {
  const item = new TreeItem(SCOPES[scope] ?? scope, TreeItemCollapsibleState.Expanded);
  item.id = scope;
  item.description = `${rules.length}`;
  item.contextValue = "assentRules";
  return item;
}

function ruleItem(rule: ListedRule): TreeItem {
  const item = new TreeItem(inert(rule.rule), TreeItemCollapsibleState.None);
  item.description = [VERBS[rule.verdict], usesOf(rule)].join(" · ");
  item.tooltip = tooltipOf(rule);
  item.iconPath = rule.problem === null ? ICONS[rule.verdict]() : FAULTY;
  item.contextValue = REMOVABLE.includes(rule.scope) && rule.id !== "" ? "assentRule" : "assentRuleFixed";
  item.command = { command: "assent.rules.open", title: "Open", arguments: [rule] };
  item.accessibilityInformation = { label: [rule.rule, item.description, rule.problem].filter(Boolean).join(", ") };
  return item;
}

function usesOf({ uses, problem }: ListedRule): string {
  if (problem !== null) {
    return "has a problem";
  }
  return uses === 0 ? "not used yet" : `used ${counted(uses, "time")}`;
}

function tooltipOf({ why, where, problem, lastUsed }: ListedRule): string {
  const last = lastUsed === null ? "" : `Last used ${new Date(lastUsed).toLocaleString()}.`;
  return [problem ?? "", why, where, last].filter((line) => line !== "").map(inert).join("\n");
}

const VERBS = { allow: "allows", ask: "asks", deny: "denies" } as const;
const FAULTY = new ThemeIcon("warning", new ThemeColor("list.warningForeground"));
const ICONS = {
  allow: () => new ThemeIcon("check"),
  ask: () => new ThemeIcon("question"),
  deny: () => new ThemeIcon("circle-slash"),
} as const;

/** Whether the server has read the settings anew, and with them the rules. */
function isOfWorkspace(method: MethodName, params: unknown): boolean {
  return method === "agent/event" && (params as AgentEvent).event.kind === "workspace";
}
