/**
 * The commands of agents that run now, each with what it printed and with a way to end it.
 *
 * It is read off what the server told already, so it is there as soon as it is opened. Nothing
 * shows it but a command, and it then stays.
 */

import type { Disposable, TreeDataProvider, TreeView } from "vscode";
import { plain } from "../../shared/card";
import { locale, t } from "../../shared/l10n";
import type { ShellRef } from "../../shared/protocol";
import { inert } from "../editor/inert-text";
import { EventEmitter, ThemeIcon, TreeItem, window } from "../editor/vscode";
import type { RunningShell, Waiting } from "../waiting/waiting";

export class ShellsTree implements TreeDataProvider<RunningShell>, Disposable {
  readonly #changed = new EventEmitter<undefined>();
  readonly #view: TreeView<RunningShell>;
  #shells: readonly RunningShell[] = [];

  readonly onDidChangeTreeData = this.#changed.event;

  constructor() {
    this.#view = window.createTreeView("assent.shells", { treeDataProvider: this });
  }

  show({ shells }: Waiting): void {
    if (shells === this.#shells) {
      return;
    }
    this.#shells = shells;
    this.#changed.fire(undefined);
  }

  getChildren(parent?: RunningShell): RunningShell[] {
    return parent === undefined ? [...this.#shells] : [];
  }

  getTreeItem(running: RunningShell): TreeItem {
    const { agentName, title, chatId, shell } = running;
    const item = new TreeItem(inert(plain(shell.command)));
    item.id = `${chatId} ${shell.shellId}`;
    item.description = inert([agentName, title, shell.inBackground ? t("in the background") : t("its turn waits for it")].join(" · "));
    item.tooltip = inert(`${plain(shell.command)}\n${t("Since {0}.", new Date(shell.at).toLocaleTimeString(locale()))}`);
    item.iconPath = new ThemeIcon("terminal");
    item.contextValue = "assentShell";
    item.command = { command: "assent.shells.output", title: t("Show its output"), arguments: [running] };
    return item;
  }

  dispose(): void {
    this.#view.dispose();
    this.#changed.dispose();
  }
}

/** Only a row of the list is a shell; from a key or the palette nothing comes. */
export function shellIn(argument: unknown): ShellRef | null {
  const isOne = typeof argument === "object" && argument !== null && "shell" in argument && "chatId" in argument;
  if (!isOne) {
    return null;
  }
  const { chatId, shell } = argument as RunningShell;
  return { chatId, shellId: shell.shellId };
}
