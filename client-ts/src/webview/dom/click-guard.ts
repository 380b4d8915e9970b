/**
 * Keeps a click from what comes or moves under a pointer that rests.
 *
 * A button that acts at one click is marked `data-still`, with what it acts on. It takes a click
 * once it has stood in its place, meaning the same, for as long as a card has to (`press.ts`).
 * Whoever uses the keyboard is on the button itself, which may move: for them the meaning counts.
 * A button that ends what runs is marked `data-ends`, too: it must come late for nobody, so only
 * the moment in which it appears is guarded.
 */

import { STILL_MS } from "../../shared/card";
import { t } from "../../shared/l10n";
import { counts, isArmed, type Press } from "./press";

/** What a screen reader is told of a click that came too soon. */
export const TOO_SOON = t("Nothing was done: this had only just come here. Press it again.");

/** How a button stands, and since when. */
interface Stood {
  readonly means: string;
  readonly meantSince: number;
  readonly box: string;
  readonly since: number;
}

export class Still {
  readonly #root: HTMLElement;
  readonly #stood = new WeakMap<Element, Stood>();
  #downAt = -Infinity;
  #timer = 0;

  /** Guard all such buttons of this part of the page; `tooSoon` hears of a click that did nothing. */
  constructor(root: HTMLElement, tooSoon: () => void) {
    this.#root = root;
    root.addEventListener("pointerdown", () => this.#down(), true);
    root.addEventListener("keydown", (event) => this.#key(event), true);
    root.addEventListener("click", (event) => this.#click(event, tooSoon), true);
    for (const moving of ["scroll", "toggle"]) document.addEventListener(moving, () => this.look(), true);
    new ResizeObserver(() => this.look()).observe(root);
    new MutationObserver(() => this.look()).observe(root, { childList: true, characterData: true, subtree: true });
  }

  /** When a button or a key of a person last went down. */
  get downAt(): number {
    return this.#downAt;
  }

  /** The facts about a click or a key that came just now. */
  press(event: Event): Press {
    return {
      trusted: event.isTrusted,
      detail: event instanceof MouseEvent ? event.detail : 0,
      repeat: event instanceof KeyboardEvent && event.repeat,
      downAt: this.#downAt,
    };
  }

  /** See where the buttons stand now; what is drawn, resized or scrolled needs nobody to say so. */
  look(): void {
    const now = performance.now();
    let isMoving = false;
    for (const button of this.#root.querySelectorAll<HTMLElement>("[data-still]")) {
      const since = this.#see(button, now);
      const isStill = since !== null && isArmed(since, now);
      isMoving ||= since !== null && !isStill;
      const armed = String(isStill);
      if (button.dataset["armed"] !== armed) button.dataset["armed"] = armed;
    }
    window.clearTimeout(this.#timer);
    if (isMoving) this.#timer = window.setTimeout(() => this.look(), STILL_MS);
  }

  /** Since when a button has stood as it does; null where it is not there to be seen. */
  #see(button: HTMLElement, now: number): number | null {
    // What is folded away, or far from the screen and not laid out, comes once it is.
    if (!button.checkVisibility({ contentVisibilityAuto: true })) {
      this.#stood.delete(button);
      return null;
    }
    const means = button.dataset["still"] ?? "";
    const box = boxOf(button);
    const before = this.#stood.get(button);
    const isSame = before?.means === means;
    const meantSince = isSame ? before.meantSince : now;
    const since = isSame && before.box === box ? before.since : now;
    this.#stood.set(button, { means, meantSince, box, since });
    return since;
  }

  #down(): void {
    // What has moved unseen until now has moved now.
    this.look();
    this.#downAt = performance.now();
  }

  #key(event: KeyboardEvent): void {
    if (!event.repeat) this.#downAt = performance.now();
    // A key that is held down presses a button once.
    else if (buttonAt(event) !== null) event.preventDefault();
  }

  #click(event: MouseEvent, tooSoon: () => void): void {
    const button = buttonAt(event);
    if (button === null) return;
    const stood = this.#stood.get(button);
    const since = event.detail === 0 ? stood?.meantSince : stood?.since;
    const press = this.press(event);
    if (since !== undefined && counts(press, since)) return;
    event.preventDefault();
    event.stopPropagation();
    if (press.trusted && press.detail <= 1) tooSoon();
  }
}

function buttonAt({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-still]") : null;
}

function boxOf(button: HTMLElement): string {
  if (button.dataset["ends"] !== undefined) return "";
  const { left, top, width, height } = button.getBoundingClientRect();
  return `${left} ${top} ${width} ${height}`;
}
