/**
 * Keeps `Waiting` in step with the server, whether or not a view was ever opened.
 *
 * The fold is the view's own. Whatever was missed is asked for again, by one question at a time;
 * a question that failed is asked again after a while.
 */

import type { CardShown, Chat, MethodName, Subscribe, Subscribed, WantCard } from "../protocol";
import {
  cardCame,
  cardMissing,
  deliveredOf,
  EMPTY,
  haveOf,
  heard,
  lose,
  subscribed,
  type Replica,
} from "../replica";
import { NOTHING_KNOWN, waitingOf, type Waiting } from "./waiting";

/** Asks the server for what was missed. */
export type Ask = (params: Subscribe) => Promise<Subscribed>;

/** Asks the server for the card of an open ticket. */
export type AskCard = (params: WantCard) => Promise<CardShown>;

export const RETRY_MS = 2_000;

const VIEW_ID = "editor";
/** No countdown is drawn from this replica, so it needs no clock. */
const NO_CLOCK = 0;

export class Follower {
  readonly #ask: Ask;
  readonly #askCard: AskCard;
  readonly #changed: (waiting: Waiting) => void;
  readonly #failed: (error: unknown) => void;
  #replica = EMPTY;
  #waiting = NOTHING_KNOWN;
  #retry: NodeJS.Timeout | null = null;
  /** Counts servers, so that the answer of a dead one is not taken for the living one's. */
  #life = 0;
  /** The card that is being asked for. */
  #fetching: string | null = null;

  constructor(
    ask: Ask,
    askCard: AskCard,
    changed: (waiting: Waiting) => void,
    failed: (error: unknown) => void = () => undefined,
  ) {
    this.#ask = ask;
    this.#askCard = askCard;
    this.#changed = changed;
    this.#failed = failed;
  }

  get waiting(): Waiting {
    return this.#waiting;
  }

  /** The chats with all that is in them. */
  get chats(): readonly Chat[] {
    return this.#replica.chats;
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
    const delivered = deliveredOf(method, params);
    if (delivered !== null) {
      this.#set(heard(this.#replica, delivered, NO_CLOCK));
    }
  }

  async #subscribe(): Promise<void> {
    const life = this.#life;
    this.#replica = { ...this.#replica, phase: "asking" };
    try {
      const answer = await this.#ask({ viewId: VIEW_ID, have: haveOf(this.#replica) });
      if (life === this.#life) {
        this.#set(subscribed(this.#replica, answer, NO_CLOCK));
      }
    } catch (error) {
      if (life === this.#life) {
        this.#failed(error);
        this.#replica = lose(this.#replica);
        this.#retry = setTimeout(() => void this.#again(), RETRY_MS);
      }
    }
  }

  async #again(): Promise<void> {
    this.#retry = null;
    await this.#subscribe();
  }

  /** Take a new state; where it shows that something was missed, ask for that. */
  #set(replica: Replica): void {
    this.#replica = replica;
    const waiting = waitingOf(replica, this.#waiting);
    if (waiting !== this.#waiting) {
      this.#waiting = waiting;
      this.#changed(waiting);
    }
    if (replica.phase === "lost" && this.#retry === null) {
      void this.#subscribe();
    }
    const missing = cardMissing(replica);
    if (missing !== null && this.#fetching === null) {
      void this.#fetch(missing);
    }
  }

  async #fetch(approvalId: string): Promise<void> {
    const life = this.#life;
    this.#fetching = approvalId;
    let came: Replica | null = null;
    try {
      const shown = await this.#askCard({ approvalId });
      came = cardCame(this.#replica, approvalId, shown, NO_CLOCK);
    } catch (error) {
      this.#failed(error);
    }
    if (life !== this.#life) return;
    this.#fetching = null;
    if (came !== null) this.#set(came);
  }

  #forget(): void {
    this.#life += 1;
    this.#replica = EMPTY;
    this.#fetching = null;
    this.#waiting = NOTHING_KNOWN;
    if (this.#retry !== null) {
      clearTimeout(this.#retry);
      this.#retry = null;
    }
  }
}
