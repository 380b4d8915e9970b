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
import { commands, StatusBarAlignment, ThemeColor, window } from "../editor/vscode";
import type { Hearer } from "./status-item";

/** What nobody has seen yet of one chat. */
export interface Unseen {
  readonly chatId: string;
  readonly count: number;
  /** What the last one says. */
  readonly text: string;
}

/** Where a person sees them. */
export interface Chats {
  readonly isOpen: (chatId: string) => boolean;
  /** Resolves with whether the chat is before a person's eyes. */
  readonly show: (chatId: string) => Promise<boolean>;
  /** There are now so many that nobody has seen. */
  readonly counted: (count: number) => void;
}

const KEY = "assent.alarms";
const MAX_CHATS_KEPT = 50;

export class Alarms implements Hearer, Disposable {
  readonly #kept: Memento;
  readonly #chats: Chats;
  readonly #item: StatusBarItem;
  /** In the order of their last alarms. */
  #unseen: readonly Unseen[];

  constructor(kept: Memento, chats: Chats) {
    this.#kept = kept;
    this.#chats = chats;
    this.#item = window.createStatusBarItem("assent.alarms", StatusBarAlignment.Left, 101);
    this.#item.name = t("Alarms");
    this.#item.backgroundColor = new ThemeColor("statusBarItem.errorBackground");
    this.#item.command = "assent.showAlarms";
    this.#unseen = kept.get<readonly Unseen[]>(KEY, []);
    this.#draw();
  }

  take(method: MethodName, params: unknown): void {
    if (method !== "agent/event") return;
    const { event, chatId } = params as AgentEvent;
    if (event.kind !== "notice" || !event.notice.alarm || chatId === null) return;
    const { text } = event.notice;
    const count = (this.#of(chatId)?.count ?? 0) + 1;
    const isFirst = this.#unseen.length === 0;
    this.#set([...this.#without(chatId), { chatId, count, text }].slice(-MAX_CHATS_KEPT));
    if (isFirst) void this.#notify(chatId, text);
  }

  /** How many nobody has seen. */
  get count(): number {
    return this.#unseen.reduce((sum, each) => sum + each.count, 0);
  }

  /** Show the chat with the last one, or another; what stands there is seen then. */
  async see(chatId = this.#unseen.at(-1)?.chatId ?? ""): Promise<void> {
    const unseen = this.#of(chatId);
    if (unseen === undefined) {
      await window.showInformationMessage(t("There is no alarm that you have not seen."));
    } else if (this.#chats.isOpen(chatId)) {
      if (await this.#chats.show(chatId)) this.#set(this.#without(chatId));
    } else {
      await this.#tellOfClosed(unseen);
    }
  }

  dispose(): void {
    this.#item.dispose();
  }

  async #notify(chatId: string, text: string): Promise<void> {
    const show = t("Show");
    const pressed = await window.showErrorMessage(inert(said(text)), show);
    if (pressed === show && this.#of(chatId) !== undefined) await this.see(chatId);
  }

  /** Its chat is closed, and the history has what ran. */
  async #tellOfClosed({ chatId, text }: Unseen): Promise<void> {
    this.#set(this.#without(chatId));
    const show = t("Show History");
    const pressed = await window.showErrorMessage(inert(said(text)), show);
    if (pressed === show) await commands.executeCommand("assent.showHistory");
  }

  #of(chatId: string): Unseen | undefined {
    return this.#unseen.find((each) => each.chatId === chatId);
  }

  #without(chatId: string): readonly Unseen[] {
    return this.#unseen.filter((each) => each.chatId !== chatId);
  }

  #set(unseen: readonly Unseen[]): void {
    this.#unseen = unseen;
    void this.#kept.update(KEY, unseen);
    this.#draw();
    this.#chats.counted(this.count);
  }

  #draw(): void {
    const last = this.#unseen.at(-1);
    if (last === undefined) {
      this.#item.hide();
      return;
    }
    const counted = many(this.count, "1 alarm", "{0} alarms");
    const words = `${counted}: ${inert(said(last.text))} ${t("Click to look.")}`;
    this.#item.text = `$(warning) ${counted}`;
    this.#item.tooltip = words;
    this.#item.accessibilityInformation = { label: words, role: "button" };
    this.#item.show();
  }
}
