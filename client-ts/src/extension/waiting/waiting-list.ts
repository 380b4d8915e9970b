/**
 * The list of waiting cards, which only a command shows.
 *
 * It exists from the start, so that the count at the view's tab is there before the chat was ever
 * opened.
 */

import type { Disposable, TreeDataProvider, TreeView } from "vscode";
import { t } from "../../shared/l10n";
import type { ApprovalRequest } from "../../shared/protocol";
import { badgeOf } from "./status-item";
import { sectionsOf, titleOf } from "../../shared/card-text";
import { EventEmitter, ThemeColor, ThemeIcon, TreeItem, window } from "../editor/vscode";
import type { Waiting } from "./waiting";

export class WaitingTree implements TreeDataProvider<ApprovalRequest>, Disposable {
  readonly #changed = new EventEmitter<undefined>();
  readonly #view: TreeView<ApprovalRequest>;
  #tickets: readonly ApprovalRequest[] = [];

  readonly onDidChangeTreeData = this.#changed.event;

  constructor() {
    this.#view = window.createTreeView("assent.waiting", { treeDataProvider: this });
  }

  show(waiting: Waiting): void {
    if (waiting.tickets === this.#tickets) {
      return;
    }
    this.#tickets = waiting.tickets;
    this.#view.badge = badgeOf(waiting);
    this.#changed.fire(undefined);
  }

  getChildren(parent?: ApprovalRequest): ApprovalRequest[] {
    return parent === undefined ? [...this.#tickets] : [];
  }

  getTreeItem(ticket: ApprovalRequest): TreeItem {
    const { card, approvalId } = ticket;
    const item = new TreeItem(titleOf(ticket));
    item.id = approvalId;
    item.description = `${card.agentName} · ${card.chatTitle}`;
    item.tooltip = sectionsOf(ticket)
      .map(({ title, lines }) => [`${title}:`, ...lines].join("\n"))
      .join("\n\n");
    item.iconPath = ICONS[card.level]();
    item.contextValue = "assentTicket";
    item.command = { command: "assent.reviewTicket", title: t("Review"), arguments: [approvalId] };
    return item;
  }

  dispose(): void {
    this.#view.dispose();
    this.#changed.dispose();
  }
}

const ICONS = {
  low: () => new ThemeIcon("question"),
  medium: () => new ThemeIcon("warning", new ThemeColor("list.warningForeground")),
  high: () => new ThemeIcon("error", new ThemeColor("list.errorForeground")),
} as const;
