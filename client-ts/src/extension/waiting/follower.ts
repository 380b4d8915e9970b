/**
 * Keeps `Waiting` in step with the server, whether or not a view was ever opened.
 *
 * The fold is the view's own, and so is the way to catch up. Whatever was missed is asked for
 * again, by one question at a time.
 */

import { afterFailure, nextQuestion, nextRetry, stillFailing, toldOf, type Failure, type Question } from "../../shared/catch-up";
import type { CardShown, Chat, MethodName, Subscribe, Subscribed, WantCard } from "../../shared/protocol";
import { cardCame, deliveredOf, EMPTY, haveOf, heard, lose, subscribed, type Replica } from "../../shared/replica";
import { NOTHING_KNOWN, waitingOf, type Waiting } from "./waiting";

/** Asks the server for what was missed. */
export type Ask = (params: Subscribe) => Promise<Subscribed>;

/** Asks the server for the card of an open ticket. */
export type AskCard = (params: WantCard) => Promise<CardShown>;

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
  #failures: readonly Failure[] = [];
  #retry: NodeJS.Timeout | null = null;
  /** Counts servers, so that the answer of a dead one is not taken for the living one's. */
  #life = 0;
  #isFetching = false;

  constructor(ask: Ask, askCard: AskCard, changed: (waiting: Waiting) => void, failed: (error: unknown) => void = () => undefined) {
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
    this.#set(this.#replica);
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

  /** Take a new state; where it shows that something was missed, ask for that. */
  #set(replica: Replica): void {
    this.#replica = replica;
    this.#failures = stillFailing(replica, this.#failures);
    const waiting = waitingOf(replica, this.#waiting, toldOf(this.#failures));
    if (waiting !== this.#waiting) {
      this.#waiting = waiting;
      this.#changed(waiting);
    }
    this.#catchUp();
  }

  #catchUp(): void {
    this.#stopWaiting();
    const now = Date.now();
    const question = nextQuestion(this.#replica, this.#failures, now);
    if (question !== null) {
      if (question.kind === "subscribe" || !this.#isFetching) void this.#put(question);
      return;
    }
    const retryAt = nextRetry(this.#failures, now);
    if (retryAt !== null) this.#retry = setTimeout(() => this.#catchUp(), retryAt - now);
  }

  async #put(question: Question): Promise<void> {
    const life = this.#life;
    try {
      const after = await this.#answered(question);
      if (life === this.#life) this.#set(after());
    } catch (error) {
      if (life !== this.#life) return;
      this.#failed(error);
      this.#failures = afterFailure(this.#failures, question, Date.now());
      this.#set(question.kind === "subscribe" ? lose(this.#replica) : this.#replica);
    }
  }

  /** What the answer to a question makes of the replica that is there by then. */
  async #answered(question: Question): Promise<() => Replica> {
    if (question.kind === "card") {
      const { approvalId } = question;
      const life = this.#life;
      this.#isFetching = true;
      const shown = await this.#askCard({ approvalId }).finally(() => {
        if (life === this.#life) this.#isFetching = false;
      });
      return () => cardCame(this.#replica, approvalId, shown, NO_CLOCK);
    }
    const have = haveOf(this.#replica);
    this.#replica = { ...this.#replica, phase: "asking" };
    const answer = await this.#ask({ viewId: VIEW_ID, have });
    return () => subscribed(this.#replica, answer, NO_CLOCK);
  }

  #forget(): void {
    this.#life += 1;
    this.#replica = EMPTY;
    this.#failures = [];
    this.#isFetching = false;
    this.#waiting = NOTHING_KNOWN;
    this.#stopWaiting();
  }

  #stopWaiting(): void {
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
  }
}
