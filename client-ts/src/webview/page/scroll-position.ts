/**
 * Where a reader stands in the transcript: at its end, which is followed, or at an entry, which
 * stays where it is whatever comes, goes or turns out to be of another height before it. While
 * something is asked, the end is not followed either: what can be pressed stays where it is.
 */

/** Which of all entries stands at the top of the transcript, and how much of it is above the edge. */
export interface Place {
  readonly entry: number;
  readonly above: number;
}

/** So near to its end, the transcript stays at its end. */
const NEAR_END_PX = 40;

/** What stays where it is, so far below the top of the page. */
export interface Held {
  readonly entry: Element;
  readonly at: number;
}

/** The transcript as it is drawn now; it is another element after some drawings. */
export type Log = () => HTMLElement | null;

export class Reader {
  readonly #log: Log;
  #follows = true;
  /** Whether something is asked. */
  isHeld = false;
  /** Where the transcript stood, and how long it was, when that was last looked at. */
  #seen = { top: 0, height: 0 };
  #place: Place | null = null;
  #held: Held | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  /** What stood at the top of the transcript when that last moved, while it does not follow its end. */
  get top(): Held | null {
    const log = this.#follows && !this.isHeld ? null : this.#log();
    if (log === null) return null;
    if (this.#held !== null && log.scrollTop === this.#seen.top && log.contains(this.#held.entry)) return this.#held;
    const entry = entriesOf(log).find((each) => isBelow(each, log));
    return entry === undefined ? null : { entry, at: topOf(entry) };
  }

  /** It stays where it is when entries come or go before it. */
  hold(top: Held | null): void {
    const log = this.#log();
    this.#held = top;
    if (top === null || log === null || !log.contains(top.entry)) return;
    const by = topOf(top.entry) - top.at;
    if (Math.abs(by) >= 1) log.scrollTop += by;
    this.#seen = seen(log);
  }

  /** Nothing moves under a pointer that is on a button; what a newcomer chooses from begins at its top. */
  stick(): void {
    if (this.#follows && !this.isHeld && this.#log()?.querySelector("button:hover, .start") === null) this.toEnd();
  }

  toEnd(): void {
    const log = this.#log();
    this.#follows = true;
    this.#held = null;
    if (log === null) return;
    log.scrollTop = log.scrollHeight;
    this.#seen = seen(log);
  }

  /** What stands at the top of the transcript; null while it follows its end. */
  get place(): Place | null {
    return this.#follows ? null : this.#place;
  }

  set place(place: Place | null) {
    const log = this.#log();
    if (place === null || log === null) return;
    const entry = entriesOf(log)[Math.max(0, place.entry - firstOf(log))];
    if (entry === undefined) return;
    this.#follows = false;
    this.#place = place;
    this.hold({ entry, at: edgeOf(log) - place.above });
  }

  scrolled(): void {
    const log = this.#log();
    if (log === null) return;
    const { top, height } = this.#seen;
    if (log.scrollTop !== top) this.#held = null;
    this.#seen = seen(log);
    const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END_PX;
    // This comes a frame late, and the transcript may have grown since: only who goes up leaves.
    const wentUp = log.scrollTop < top && log.scrollHeight >= height;
    this.#follows = isAtEnd || (this.#follows && !wentUp);
    this.#held = this.top;
    const entries = entriesOf(log);
    const at = entries.findIndex((each) => isBelow(each, log));
    const entry = entries[at];
    this.#place = entry === undefined ? null : { entry: firstOf(log) + at, above: edgeOf(log) - topOf(entry) };
  }
}

function seen(log: Element): { readonly top: number; readonly height: number } {
  return { top: log.scrollTop, height: log.scrollHeight };
}

function entriesOf(log: Element): readonly Element[] {
  return [...log.querySelectorAll(".turn")];
}

/** The number of the first entry that is drawn. */
function firstOf(log: Element): number {
  return Number(log.querySelector<HTMLElement>(".talk")?.dataset["first"] ?? 0);
}

function isBelow(entry: Element, log: Element): boolean {
  return entry.getBoundingClientRect().bottom > edgeOf(log);
}

function edgeOf(log: Element): number {
  return log.getBoundingClientRect().top;
}

/** How far an entry begins below the top of the page; one that is folded away, its run. */
function topOf(entry: Element): number {
  const seen = entry.closest(".looks:not([open])") ?? entry;
  return seen.getBoundingClientRect().top;
}
