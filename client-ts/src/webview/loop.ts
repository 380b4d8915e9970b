/**
 * Runs the fold: takes moments in, does the errands, draws once per frame.
 *
 * Moments are taken one after another, in the order in which they came.
 */

import type { ToHost, ToView } from "../pipe";
import { STILL_MS } from "./arming";
import { SILENCE_MS } from "./answering";
import { secondsLeft } from "./countdown";
import { shown, START, type Errand, type Input, type State } from "./model";
import { step } from "./state";
import { Surface, type Place } from "./surface";

/** What the view keeps over a reload. */
export interface Kept {
  readonly draft: string;
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

/** What the world tells the loop. */
export interface Loop {
  readonly hear: (message: ToView) => void;
  readonly regained: () => void;
  readonly looked: () => void;
  readonly save: () => void;
}

/** Start with what was kept, and say that the view is there. */
export function start(root: HTMLElement, port: Port, viewId: string, kept: Kept): Loop {
  let state = START;
  let timer: number | null = null;
  let isDrawing = false;
  let { place } = kept;
  let saved = kept;
  const moments: Input[] = [];
  const afterwards: Errand[] = [];
  const surface = new Surface(root, act);

  function act(input: Input): void {
    moments.push(input);
    if (moments.length > 1) return;
    while (moments[0] !== undefined) {
      take(moments[0]);
      moments.shift();
    }
    if (isDrawing) return;
    isDrawing = true;
    port.frame(draw);
  }

  function take(input: Input): void {
    const at = port.now();
    const where = input.kind === "where" ? state.where : surface.where;
    if (where !== state.where) state = step(state, { kind: "where", where, regained: false, at });
    state = step(state, { ...input, at });
    const { errands } = state;
    state = { ...state, errands: [] };
    for (const errand of errands) {
      if (errand.kind === "post") port.post(errand.message);
      else afterwards.push(errand);
    }
  }

  function draw(): void {
    isDrawing = false;
    surface.draw(state);
    if (place !== null && state.replica.phase === "live") {
      surface.place = place;
      place = null;
    }
    for (const errand of afterwards.splice(0)) {
      if (errand.kind === "focus") surface.focus(errand.on);
      else surface.toEnd();
    }
    save();
    wake();
  }

  function save(): void {
    const now = { draft: state.draft, chatId: state.chatId, place: place ?? surface.place };
    if (JSON.stringify(now) === JSON.stringify(saved)) return;
    saved = now;
    port.keep(now);
  }

  function wake(): void {
    if (timer !== null) port.cancel(timer);
    const next = nextTick(state, port.now());
    timer = next === null ? null : port.later(next, () => act({ kind: "tick" }));
  }

  const look = (regained: boolean): void => act({ kind: "where", where: surface.where, regained });
  act({ kind: "opened", viewId, draft: kept.draft, chatId: kept.chatId });
  return {
    hear: (message) => act({ kind: "fromHost", message }),
    // A click from elsewhere in the editor brings the focus along, and is meant for this page. A
    // click that brings the whole window to the front comes after the focus, and is not.
    regained: () => look(!surface.isPressed(port.now())),
    looked: () => look(false),
    save,
  };
}

/** How long until something changes by itself, or null if nothing will. */
export function nextTick(state: State, at: number): number | null {
  const due = [...Object.values(state.sending).map((each) => each.at + SILENCE_MS)];
  if (state.retryAt !== null) due.push(state.retryAt);
  if (state.open !== null) {
    const still = state.open.since + STILL_MS;
    if (still > state.now) due.push(still);
  }
  const ticket = shown(state);
  if (ticket !== null && (secondsLeft(ticket, at) ?? 0) > 0) {
    const left = (ticket.request.expiresAt ?? 0) - ticket.ahead - at;
    due.push(at + (left % 1000) + 1);
  }
  return due.length === 0 ? null : Math.max(0, Math.ceil(Math.min(...due) - at));
}
