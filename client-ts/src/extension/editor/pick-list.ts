/**
 * A list to choose from, which takes no answer in the first moments.
 *
 * A key that was meant for something else may still be on its way when the list appears.
 */

import type { QuickPickItem } from "vscode";
import { STILL_MS } from "../../shared/card";
import { QuickPickItemKind, window } from "./vscode";

export interface Choice<T> extends QuickPickItem {
  /** Absent where the line is only there to be read. */
  readonly value?: T;
}

export interface Question {
  readonly title: string;
  readonly placeholder: string;
  /** Ends the question from outside: what it asks has been settled. */
  readonly gone?: AbortSignal;
}

/** What was chosen, and how long the list had been there. */
export interface Chosen<T> {
  readonly value: T;
  readonly shownMs: number;
}

/** Ask; null where the person drew back or the question is gone. */
export function pick<T>(choices: readonly Choice<T>[], question: Question): Promise<Chosen<T> | null> {
  const list = window.createQuickPick<Choice<T>>();
  const since = Date.now();
  list.title = question.title;
  list.placeholder = question.placeholder;
  list.items = choices;
  list.matchOnDetail = true;
  list.ignoreFocusOut = true;
  return new Promise((resolve) => {
    const end = (chosen: Chosen<T> | null): void => {
      resolve(chosen);
      list.dispose();
    };
    list.onDidAccept(() => {
      const [item] = list.selectedItems;
      const shownMs = Date.now() - since;
      if (item?.value !== undefined && shownMs >= STILL_MS) {
        end({ value: item.value, shownMs });
        return;
      }
      // A line that stays chosen would hear no second click.
      list.selectedItems = [];
    });
    list.onDidHide(() => end(null));
    question.gone?.addEventListener("abort", () => end(null), { once: true });
    list.show();
  });
}

/** A line between parts of a list. */
export function heading<T>(label: string): Choice<T> {
  return { label, kind: QuickPickItemKind.Separator };
}
