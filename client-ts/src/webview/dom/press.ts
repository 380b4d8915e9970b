/**
 * Which presses count: as an answer to a card, and on whatever else acts at one click (`click-guard.ts`).
 *
 * A press counts only if a person made it, by itself, on something that had stood still for a
 * while: what is typed or clicked into what has just come was meant for something else.
 */

import { STILL_MS } from "../../shared/card";

/** Commands that come closer upon each other than this are one key held down. */
export const KEY_REPEAT_MS = 700;

/** The facts about a click. */
export interface Press {
  /** Whether the browser itself made the event. */
  readonly trusted: boolean;
  /** The how-manieth click of a series this is; 0 for a key. */
  readonly detail: number;
  /** Whether the key was being held down. */
  readonly repeat: boolean;
  /** When the button or the key went down. */
  readonly downAt: number;
}

/** Whether a card or a button that last moved at `since` takes a press at `at`. */
export function isArmed(since: number, at: number): boolean {
  return at - since >= STILL_MS;
}

/** Whether this press counts on what last moved at `since`. */
export function counts(press: Press, since: number): boolean {
  return press.trusted && !press.repeat && press.detail <= 1 && isArmed(since, press.downAt);
}
