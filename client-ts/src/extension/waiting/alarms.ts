/**
 * Alarms: an agent ran what nobody let it run. They stay in sight until a person has seen them.
 *
 * The first is told in a notification, the others are counted. What is unseen outlives a reload of
 * the window.
 */

import type { Disposable, Memento, StatusBarItem } from "vscode";
import { many, t } from "../../shared/l10n";
import type { AgentEvent, MethodName } from "../../shared/protocol";
import { said } from "../../shared/server-sentences";
import { inert } from "../editor/inert-text";
import { StatusBarAlignment, ThemeColor, window } from "../editor/vscode";
import type { Hearer } from "./status-item";

/** What nobody has seen yet. */
export interface Unseen {
  readonly count: number;
  /** What the last one says, and the chat in which it stands. */
  readonly text: string;
  readonly chatId: string;
}

const NONE: Unseen = { count: 0, text: "", chatId: "" };
const KEY = "assent.alarms";

export class Alarms implements Hearer, Disposable {
  readonly #kept: Memento;
  readonly #show: (chatId: string) => Promise<void>;
  readonly #item: StatusBarItem;
  #unseen: Unseen;

  constructor(kept: Memento, show: (chatId: string) => Promise<void>) {
    this.#kept = kept;
    this.#show = show;
    this.#item = window.createStatusBarItem("assent.alarms", StatusBarAlignment.Left, 101);
    this.#item.name = t("Alarms");
    this.#item.backgroundColor = new ThemeColor("statusBarItem.errorBackground");
    this.#item.command = "assent.showAlarms";
    this.#unseen = kept.get<Unseen>(KEY, NONE);
    this.#draw();
  }

  take(method: MethodName, params: unknown): void {
    if (method !== "agent/event") return;
    const { event, chatId } = params as AgentEvent;
    if (event.kind !== "notice" || !event.notice.alarm || chatId === null) return;
    const count = this.#unseen.count + 1;
    this.#set({ count, text: event.notice.text, chatId });
    if (count === 1) void this.#notify(event.notice.text);
  }

  /** Show the chat of the last one; with that all are seen. */
  async see(): Promise<void> {
    const { count, chatId } = this.#unseen;
    if (count === 0) {
      await window.showInformationMessage(t("There is no alarm that you have not seen."));
      return;
    }
    this.#set(NONE);
    await this.#show(chatId);
  }

  dispose(): void {
    this.#item.dispose();
  }

  async #notify(text: string): Promise<void> {
    const show = t("Show");
    if ((await window.showErrorMessage(inert(said(text)), show)) === show && this.#unseen.count > 0) await this.see();
  }

  #set(unseen: Unseen): void {
    this.#unseen = unseen;
    void this.#kept.update(KEY, unseen);
    this.#draw();
  }

  #draw(): void {
    const { count, text } = this.#unseen;
    if (count === 0) {
      this.#item.hide();
      return;
    }
    const words = `${inert(said(text))} ${t("Click to see it.")}`;
    this.#item.text = `$(warning) ${many(count, "1 alarm", "{0} alarms")}`;
    this.#item.tooltip = words;
    this.#item.accessibilityInformation = { label: words, role: "button" };
    this.#item.show();
  }
}
