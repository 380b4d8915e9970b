/**
 * What of the open card has come before a person's eyes.
 *
 * Nothing is guessed from sizes: the boxes of what must be seen are held against the part of the
 * page in which their scrollers let them show. What has been seen stays so while its text does.
 */

import type { Sight } from "../state/model";

/**
 * What must have been seen of a card before it is allowed: what is marked, what asks, its end; of a
 * list the name of each call in it, and each line of a change.
 */
const MARKED = ".hot, .boxed, [data-must], .batch li:not(.gone) [data-sign]";

const TOLERANCE_PX = 1;

/** About the height of a line. */
const LINE_HEIGHT_PX = 14;

interface Beheld {
  readonly text: string;
  readonly first: boolean;
  readonly last: boolean;
}

interface Box {
  readonly top: number;
  readonly bottom: number;
}

export class Eyes {
  readonly #beheld = new WeakMap<Element, Beheld>();

  /** Look at the card as it stands now; null where there is none. */
  look(card: HTMLElement | null): Sight | null {
    if (card === null) return null;
    const { approvalId = "", digest = "" } = card.dataset;
    const answers = card.querySelector("[data-acts]");
    if (document.visibilityState !== "visible" || answers === null) {
      return { approvalId, digest, answers: false, unseen: this.unseen(card).length };
    }
    const parts = this.unseen(card);
    const bare = withoutSign(card);
    // What shows whole without the sign has no need of one: it goes before anybody sees it.
    const clips = bare !== null && parts.every((part) => isBefore(part, bare)) ? bare : new Map<Element, Box>();
    for (const part of parts) this.#behold(part, clips);
    return { approvalId, digest, answers: isInside(answers), unseen: this.unseen(card).length };
  }

  /** What must still be seen, in the order in which it stands. */
  unseen(card: Element): readonly Element[] {
    const parts = [...card.querySelectorAll(MARKED)];
    // What is folded away is said again where it is not.
    return parts.filter((part) => part.closest("details:not([open])") === null && !this.#isBeheld(part));
  }

  /** Scroll the card, and nothing around it, to the next part that must be looked at. */
  lead(card: Element | null): void {
    const part = card === null ? undefined : this.unseen(card)[0];
    for (const scroller of card?.querySelectorAll(SCROLLERS) ?? []) {
      if (part !== undefined && scroller.contains(part)) scroller.scrollTop += wayTo(part, scroller);
    }
  }

  #isBeheld(part: Element): boolean {
    const before = this.#beheld.get(part);
    return before !== undefined && before.text === part.textContent && before.first && before.last;
  }

  /** A part that wraps counts once its first and its last line were seen. */
  #behold(part: Element, clips: Map<Element, Box>): void {
    const boxes = [...part.getClientRects()];
    const [first, last] = [boxes[0], boxes.at(-1)];
    if (first === undefined || last === undefined) return;
    const text = part.textContent;
    const before = this.#beheld.get(part);
    const known = before?.text === text ? before : { first: false, last: false };
    const clip = clipOf(part, clips);
    this.#beheld.set(part, {
      text,
      first: known.first || shows({ top: first.top, bottom: Math.min(first.bottom, first.top + LINE_HEIGHT_PX) }, clip),
      last: known.last || shows({ top: Math.max(last.top, last.bottom - LINE_HEIGHT_PX), bottom: last.bottom }, clip),
    });
  }
}

/** How far a scroller must go so that a part comes to stand inside it. */
function wayTo(part: Element, scroller: Element): number {
  const [box, frame] = [part.getBoundingClientRect(), scroller.getBoundingClientRect()];
  const middle = frame.top + (frame.height - Math.min(box.height, frame.height)) / 2;
  return box.top - middle;
}

/** What scrolls in a card, the outer one first. */
const SCROLLERS = ".content, .body";

/** Where parts of a card could show if its sign left them the room; null where that is not so. */
function withoutSign(card: Element): Map<Element, Box> | null {
  const room = card.querySelector(".edge")?.getBoundingClientRect().height ?? 0;
  const scrollers = [...card.querySelectorAll(SCROLLERS)];
  // What was scrolled would move with the room, so that its boxes tell nothing of it.
  if (room === 0 || scrollers.some(({ scrollTop }) => scrollTop > 0)) return null;
  const clips = new Map<Element, Box>();
  for (const scroller of scrollers) {
    const [outer, box] = [clipOf(scroller, clips), scroller.getBoundingClientRect()];
    clips.set(scroller, { top: Math.max(outer.top, box.top), bottom: Math.min(outer.bottom, box.bottom + room) });
  }
  return clips;
}

function isBefore(part: Element, clips: Map<Element, Box>): boolean {
  const clip = clipOf(part, clips);
  return [...part.getClientRects()].every((box) => shows(box, clip));
}

function isInside(element: Element): boolean {
  const box = element.getBoundingClientRect();
  return box.height > 0 && shows(box, clipOf(element, new Map())) && box.left >= -TOLERANCE_PX && box.right <= innerWidth + TOLERANCE_PX;
}

/** With less of what is asked on the screen nobody can read it. */
const MIN_CONTENT_HEIGHT_PX = 48;

/** Whether a card has no room: its answers are cut off, or next to nothing shows of what they answer. */
export function isCramped(card: Element): boolean {
  const [answers, content] = [card.querySelector("[data-acts]"), card.querySelector(".content")];
  if (answers === null || content === null) return false;
  // What a person has opened above the answers takes room because they want it.
  const isOpened = card.querySelector(".ways, .words, .rule") !== null;
  return !isInside(answers) || (!isOpened && content.clientHeight < Math.min(MIN_CONTENT_HEIGHT_PX, content.scrollHeight));
}

/** Whether a box shows whole. */
function shows(box: Box, clip: Box): boolean {
  return box.top >= clip.top - TOLERANCE_PX && box.bottom <= clip.bottom + TOLERANCE_PX;
}

/** The part of the page in which an element can show: that of all that cuts off around it. */
function clipOf(element: Element, known: Map<Element, Box>): Box {
  const around = element.parentElement;
  if (around === null) return { top: 0, bottom: innerHeight };
  const before = known.get(around);
  if (before !== undefined) return before;
  const outer = clipOf(around, known);
  const box = getComputedStyle(around).overflowY === "visible" ? null : around.getBoundingClientRect();
  const clip = box === null ? outer : { top: Math.max(outer.top, box.top), bottom: Math.min(outer.bottom, box.bottom) };
  known.set(around, clip);
  return clip;
}

/** Whether the same is said of the same card. */
export function isSame(one: Sight | null, other: Sight | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
