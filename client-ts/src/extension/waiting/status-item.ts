/**
 * The item in the status bar, which is always in sight, and the count at the view's tab.
 *
 * A bypass, and a chat in Auto, stay visible, in red, for as long as they are in force.
 */

import type { Disposable, StatusBarItem, ViewBadge } from "vscode";
import { many, t } from "../../shared/l10n";
import type { MethodName } from "../../shared/protocol";
import { CollectionsItem } from "../catalogue/collections";
import { inert } from "../editor/inert-text";
import type { State } from "../server/server";
import { StatusBarAlignment, ThemeColor, window } from "../editor/vscode";
import { bypassed, inAuto, type Waiting } from "./waiting";

/** What the item in the status bar shows. */
export interface Status {
  readonly text: string;
  /** Spelled out, for a screen reader and for the pointer. */
  readonly words: string;
  readonly background: "error" | "warning";
  readonly command: `assent.${string}`;
}

/** What the item shows; null where there is nothing to say. */
export function statusOf(waiting: Waiting, state: State, text: string): Status | null {
  const { length } = waiting.tickets;
  const agents = listOf(bypassed(waiting).map(({ name }) => name));
  const chats = listOf(inAuto(waiting).map(({ agentName }) => agentName));
  if (state === "dead") {
    return {
      text: `$(shield) ${t("Assent stopped")}`,
      words: `${text} ${t("Click to start it again.")}`,
      background: "error",
      command: "assent.restartServer",
    };
  }
  if (agents !== "" || chats !== "") {
    const which = [agents && `Bypass: ${agents}`, chats && `Auto: ${chats}`].filter(Boolean).join(" · ");
    const more = length === 0 ? "" : ` · ${t("{0} waiting", length)}`;
    return {
      text: `$(shield) ${which}${more}`,
      words: [agents && t("Assent does not ask for {0}.", agents), autoWords(waiting, chats), waiting.trouble, t("Click to ask again.")]
        .filter(Boolean)
        .join(" "),
      background: "error",
      command: "assent.askAgain",
    };
  }
  if (waiting.trouble !== "") {
    return {
      text: `$(shield) ${t("{0} waiting, maybe more", length)}`,
      words: `${length === 0 ? "" : `${wordsFor(length)} `}${waiting.trouble} ${t("Click to review.")}`,
      background: "error",
      command: "assent.reviewNext",
    };
  }
  if (length > 0) {
    return {
      text: `$(shield) ${t("{0} waiting", length)}`,
      words: `${wordsFor(length)} ${t("Click to review.")}`,
      background: "warning",
      command: "assent.reviewNext",
    };
  }
  return null;
}

/** The count at the view's icon. */
export function badgeOf(waiting: Waiting): ViewBadge | undefined {
  const { length } = waiting.tickets;
  return length === 0 ? undefined : { value: length, tooltip: wordsFor(length) };
}

/** Who hears what the server tells. */
export interface Hearer {
  take(method: MethodName, params: unknown): void;
}

export class StatusItem implements Disposable {
  readonly collections = new CollectionsItem();
  readonly #item: StatusBarItem;

  constructor() {
    this.#item = window.createStatusBarItem("assent.status", StatusBarAlignment.Left, 100);
    this.#item.name = "Assent";
  }

  show(status: Status | null): void {
    if (status === null) {
      this.#item.hide();
      return;
    }
    this.#item.text = status.text;
    this.#item.tooltip = status.words;
    this.#item.accessibilityInformation = { label: status.words, role: "button" };
    this.#item.backgroundColor = new ThemeColor(`statusBarItem.${status.background}Background`);
    this.#item.command = status.command;
    this.#item.show();
  }

  dispose(): void {
    this.collections.dispose();
    this.#item.dispose();
  }
}

function listOf(names: readonly string[]): string {
  return inert([...new Set(names)].join(", "));
}

/** Auto is of a chat, not of its agent, and asks about some things. */
function autoWords(waiting: Waiting, names: string): string {
  const { length } = inAuto(waiting);
  return length === 0
    ? ""
    : many(length, "1 chat is in Auto ({1}), where little is asked.", "{0} chats are in Auto ({1}), where little is asked.", names);
}

function wordsFor(count: number): string {
  return many(count, "1 card waits for your answer.", "{0} cards wait for your answer.");
}
