/**
 * Keeps `Waiting` in step with the server, whether or not a view was ever opened.
 *
 * A message is taken once and in its order. Whatever was missed is asked for again, by one
 * question at a time; until it is answered, what arrives is held back.
 */

import type { Delivered, Messages, MethodName, Subscribe, Subscribed } from "../protocol";
import { NOTHING_KNOWN, placeOf, step, subscribed, type Waiting } from "./waiting";

/** Asks the server for what was missed. */
export type Ask = (params: Subscribe) => Promise<Subscribed>;

const VIEW_ID = "editor";

export class Follower {
  readonly #ask: Ask;
  readonly #changed: (waiting: Waiting) => void;
  readonly #failed: (error: unknown) => void;
  #waiting = NOTHING_KNOWN;
  /** What arrived while a subscription is on its way; null while none is. */
  #held: Delivered[] | null = null;
  /** Counts servers, so that the answer of a dead one is not taken for the living one's. */
  #life = 0;

  constructor(
    ask: Ask,
    changed: (waiting: Waiting) => void,
    failed: (error: unknown) => void = () => undefined,
  ) {
    this.#ask = ask;
    this.#changed = changed;
    this.#failed = failed;
  }

  get waiting(): Waiting {
    return this.#waiting;
  }

  /** A server is there. */
  begin(): void {
    this.#forget();
    void this.#subscribe();
  }

  /** The server is gone: with it went all that it held open. */
  end(): void {
    this.#forget();
    this.#changed(this.#waiting);
  }

  /** A message of the server arrived. */
  take(method: MethodName, params: unknown): void {
    const delivered = deliveredBy(method, params);
    if (delivered === null) {
      return;
    }
    if (this.#held !== null) {
      this.#held.push(delivered);
      return;
    }
    switch (placeOf(this.#waiting, delivered)) {
      case "old":
        return;
      case "next":
        this.#set(step(this.#waiting, delivered));
        return;
      case "missed":
        void this.#subscribe();
    }
  }

  async #subscribe(): Promise<void> {
    const life = this.#life;
    const { epoch, seq } = this.#waiting;
    this.#held = [];
    try {
      const answer = await this.#ask({
        viewId: VIEW_ID,
        have: epoch === null ? null : { epoch, seq },
      });
      if (life === this.#life) {
        this.#catchUp(answer);
      }
    } catch (error) {
      // The next message shows the gap again, and it is asked for again.
      if (life === this.#life) {
        this.#held = null;
        this.#failed(error);
      }
    }
  }

  #catchUp(answer: Subscribed): void {
    const held = this.#held ?? [];
    this.#held = null;
    this.#set(subscribed(this.#waiting, answer));
    for (const delivered of held) {
      // What the answer itself told is known; what came of an older server is no longer true.
      if (placeOf(this.#waiting, delivered) === "next") {
        this.#set(step(this.#waiting, delivered));
      }
    }
  }

  #set(waiting: Waiting): void {
    this.#waiting = waiting;
    this.#changed(waiting);
  }

  #forget(): void {
    this.#life += 1;
    this.#held = null;
    this.#waiting = NOTHING_KNOWN;
  }
}

function deliveredBy(method: MethodName, params: unknown): Delivered | null {
  // The server is our own process and of our version: its messages have the shapes of the table.
  switch (method) {
    case "tool/approvalRequest":
      return { kind: "request", message: params as Messages["tool/approvalRequest"]["params"] };
    case "tool/approvalSettled":
      return { kind: "settled", message: params as Messages["tool/approvalSettled"]["params"] };
    case "agent/event":
      return { kind: "event", message: params as Messages["agent/event"]["params"] };
    default:
      return null;
  }
}
