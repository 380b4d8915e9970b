/** A list to choose from, for tests that answer it. */

import type { FakeItem } from "./parts";

/** A list that a test answers. */
export class FakeQuickPick {
  title = "";
  placeholder = "";
  items: readonly FakeItem[] = [];
  selectedItems: readonly FakeItem[] = [];
  matchOnDetail = false;
  ignoreFocusOut = false;
  isOpen = false;
  readonly #shown: (pick: FakeQuickPick) => void;
  #accept: (() => void) | undefined;
  #hide: (() => void) | undefined;
  #changed: ((value: string) => void) | undefined;
  #triggered: ((event: { item: FakeItem; button: { tooltip: string } }) => void) | undefined;

  constructor(shown: (pick: FakeQuickPick) => void) {
    this.#shown = shown;
  }

  onDidAccept(listener: () => void): void {
    this.#accept = listener;
  }
  onDidHide(listener: () => void): void {
    this.#hide = listener;
  }
  onDidChangeValue(listener: (value: string) => void): void {
    this.#changed = listener;
  }
  onDidTriggerItemButton(listener: (event: { item: FakeItem; button: { tooltip: string } }) => void): void {
    this.#triggered = listener;
  }
  show(): void {
    this.isOpen = true;
    this.#shown(this);
  }
  dispose(): void {
    this.isOpen = false;
  }

  /** Press Enter on the line with this label. */
  choose(label: string): void {
    const item = this.items.find((one) => one.label === label);
    if (item === undefined) {
      throw new Error(`There is no line ${label} among ${this.labels().join(", ")}`);
    }
    this.selectedItems = [item];
    this.#accept?.();
  }
  /** Press the button of this name on the line with this label. */
  press(label: string, tooltip: string): void {
    const item = this.items.find((one) => one.label === label);
    if (item !== undefined) {
      this.#triggered?.({ item, button: { tooltip } });
    }
  }
  type(value: string): void {
    this.#changed?.(value);
  }
  escape(): void {
    this.#hide?.();
  }
  labels(): readonly string[] {
    return this.items.map(({ label }) => label);
  }
}
