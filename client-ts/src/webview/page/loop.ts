/**
 * Runs the fold: takes moments in, does the errands, draws once per frame.
 *
 * Moments are taken one after another, in the order in which they came.
 */

import { STILL_MS } from "../../shared/card";
import { nextRetry } from "../../shared/catch-up";
import { soonest } from "../cards/batch";
import type { ToHost, ToView } from "../../shared/host-messages";
import type { Offered } from "../../shared/protocol";
import { secondsLeft } from "../cards/countdown";
import { pauseOf, START, type Errand, type State } from "../state/model";
import type { Input } from "../state/moments";
import { SILENCE_MS } from "../cards/receipts";
import { step } from "./fold";
import type { Place } from "./scroll-position";
import { Surface } from "./surface";
import { unsent } from "../chats/message-queue";

/** What the view keeps over a reload. */
export interface Kept {
  readonly draft: string;
  readonly references: readonly Offered[];
  readonly queued: State["queued"];
  readonly chatId: string | null;
  /** What stood at the top of the transcript; null where it followed its end. */
  readonly place: Place | null;
}

/** The world, as far as the loop needs it. */
export interface Port {
  readonly now: () => number;
  readonly post: (message: ToHost) => void;
  readonly later: (ms: number, then: () => void) => number;
  readonly cancel: (timer: number) => void;
  readonly frame: (then: () => void) => void;
  readonly keep: (kept: Kept) => void;
}

/** The view as it runs. What the world tells it comes in by the public methods. */
export class Loop {
  readonly #port: Port;
  readonly #surface: Surface;
  readonly #moments: Input[] = [];
  readonly #afterwards: Errand[] = [];
  #state = START;
  #timer: number | null = null;
  #isDrawing = false;
  #place: Place | null;
  #saved: Kept;

  /** Start with what was kept, and say that the view is there. */
  constructor(root: HTMLElement, port: Port, viewId: string, kept: Kept) {
    this.#port = port;
    this.#place = kept.place;
    this.#saved = kept;
    this.#surface = new Surface(root, (input) => this.#act(input));
    this.#act({ kind: "opened", viewId, draft: kept.draft, references: kept.references, queued: kept.queued, chatId: kept.chatId });
  }

  /** The extension said something. */
  hear(message: ToView): void {
    this.#act({ kind: "fromHost", message });
  }

  /** The page has the focus again. */
  regained(): void {
    // A click from elsewhere in the editor brings the focus along, and is meant for this page. A
    // click that brings the whole window to the front comes after the focus, and is not.
    this.#look(!this.#surface.isPressed(this.#port.now()));
  }

  /** The focus moved, or is gone. */
  looked(): void {
    this.#look(false);
  }

  /** Keep what is to outlive the page. */
  save(): void {
    const { chatId, returning } = this.#state;
    // Until the chat of before is there again another is shown, which nobody has chosen.
    const now = { ...unsent(this.#state), chatId: returning ?? chatId, place: this.#place ?? this.#surface.place };
    if (JSON.stringify(now) === JSON.stringify(this.#saved)) return;
    this.#saved = now;
    this.#port.keep(now);
  }

  #look(regained: boolean): void {
    this.#act({ kind: "where", where: this.#surface.where, regained });
  }

  #act(input: Input): void {
    this.#moments.push(input);
    if (this.#moments.length > 1) return;
    while (this.#moments[0] !== undefined) {
      this.#take(this.#moments[0]);
      this.#moments.shift();
    }
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    this.#port.frame(() => this.#draw());
  }

  #take(input: Input): void {
    const at = this.#port.now();
    const sight = answers(input) ? this.#surface.sight : this.#state.sight;
    const where = input.kind === "where" ? this.#state.where : this.#surface.where;
    const moved = { kind: "where", where, regained: false, at } as const;
    const before = where === this.#state.where ? this.#state : step(this.#state, moved);
    const after = step({ ...before, sight }, { ...input, at });
    this.#state = { ...after, errands: [] };
    for (const errand of after.errands) {
      if (errand.kind === "post") this.#port.post(errand.message);
      else this.#afterwards.push(errand);
    }
  }

  #draw(): void {
    this.#isDrawing = false;
    const { sight } = this.#state;
    this.#surface.draw(this.#state);
    // What the card says before it was looked at is put right before anybody can see it; where
    // something of it is out of sight, what was looked at is first drawn as it was.
    if (this.#state.sight !== sight && this.#state.sight?.unseen === 0) this.#surface.draw(this.#state);
    if (this.#place !== null && this.#state.replica.phase === "live") {
      this.#surface.place = this.#place;
      this.#place = null;
    }
    for (const errand of this.#afterwards.splice(0)) {
      if (errand.kind === "focus") this.#surface.focus(errand.on);
      else this.#surface.toEnd();
    }
    this.save();
    this.#wake();
  }

  #wake(): void {
    if (this.#timer !== null) this.#port.cancel(this.#timer);
    const next = nextTick(this.#state, this.#port.now());
    const tick = (): void => this.#act({ kind: "tick" });
    this.#timer = next === null ? null : this.#port.later(next, tick);
  }
}

/** Whether this may answer a card: then what counts is what can be seen now. */
function answers(input: Input): boolean {
  return input.kind === "press" || input.kind === "batchPress" || (input.kind === "fromHost" && input.message.kind === "command");
}

/** How long until something changes by itself, or null if nothing will. */
export function nextTick(state: State, at: number): number | null {
  const due = [...Object.values(state.sending).map((each) => each.at + SILENCE_MS)];
  const retryAt = nextRetry(state.failures, state.now);
  if (retryAt !== null) due.push(retryAt);
  if (state.open !== null) {
    const still = state.open.since + STILL_MS;
    if (still > state.now) due.push(still);
  }
  const askAt = state.open?.step?.askAt ?? null;
  if (askAt !== null) due.push(askAt);
  const pause = pauseOf(state);
  if (pause !== null && pause.until > at) due.push(at + ((pause.until - at) % 1000) + 1);
  const ticket = soonest(state);
  if (ticket !== null && (secondsLeft(ticket, at) ?? 0) > 0) {
    const left = (ticket.request.expiresAt ?? 0) - ticket.ahead - at;
    due.push(at + (left % 1000) + 1);
  }
  return due.length === 0 ? null : Math.max(0, Math.ceil(Math.min(...due) - at));
}
