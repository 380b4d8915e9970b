/**
 * What a replica has to ask the server for, and when it asks again after a question failed.
 *
 * The view and the extension both catch up by this. A question that failed is asked again by
 * itself, after a longer while each time; it holds up no other one, and a person is told of it.
 */

import { many, t } from "./l10n";
import { cardsMissing, type Replica } from "./replica";

/** Everything that was missed, or the card of an open ticket. */
export type Question = { readonly kind: "subscribe" } | { readonly kind: "card"; readonly approvalId: string };

/** A question that failed: how often in a row, and when to ask it again. */
export interface Failure {
  readonly question: Question;
  readonly times: number;
  readonly retryAt: number;
}

/** How long to wait after the first failure; after each further one it is twice as long. */
export const FIRST_RETRY_DELAY_MS = 2_000;
/** No wait is longer. */
export const MAX_RETRY_DELAY_MS = 60_000;

/** The next question of a replica; null where it misses nothing that is to be asked for now. */
export function nextQuestion(replica: Replica, failures: readonly Failure[], now: number): Question | null {
  const waits = (question: Question): boolean => failures.some((failure) => isSame(failure.question, question) && failure.retryAt > now);
  return missing(replica).find((question) => !waits(question)) ?? null;
}

/** The failures of what a replica still misses. */
export function stillFailing(replica: Replica, failures: readonly Failure[]): readonly Failure[] {
  // While it awaits what it missed, nobody knows which cards will be missing then.
  if (replica.phase !== "live") return failures;
  const still = missing(replica);
  const kept = failures.filter(({ question }) => still.some((each) => isSame(each, question)));
  return kept.length === failures.length ? failures : kept;
}

/** The failures with one more. */
export function afterFailure(failures: readonly Failure[], question: Question, now: number): readonly Failure[] {
  const before = failures.find((failure) => isSame(failure.question, question));
  const times = (before?.times ?? 0) + 1;
  const retryAt = now + Math.min(FIRST_RETRY_DELAY_MS * 2 ** (times - 1), MAX_RETRY_DELAY_MS);
  return [...failures.filter((failure) => failure !== before), { question, times, retryAt }];
}

/** When the next question is to be asked again; null where none waits for its time. */
export function nextRetry(failures: readonly Failure[], now: number): number | null {
  const times = failures.map(({ retryAt }) => retryAt).filter((retryAt) => retryAt > now);
  return times.length === 0 ? null : Math.min(...times);
}

/** What a person is told of the failures; empty where there are none. */
export function toldOf(failures: readonly Failure[]): string {
  if (failures.length === 0) return "";
  if (failures.some(({ question }) => question.kind === "subscribe")) {
    return t("The server did not say what waits for you. It is asked again by itself.");
  }
  return many(
    failures.length,
    "1 card that waits could not be fetched. The server is asked again by itself.",
    "{0} cards that wait could not be fetched. The server is asked again by itself.",
  );
}

function missing(replica: Replica): readonly Question[] {
  if (replica.phase === "lost") return [{ kind: "subscribe" }];
  return cardsMissing(replica).map((approvalId) => ({ kind: "card", approvalId }));
}

function isSame(one: Question, other: Question): boolean {
  if (one.kind === "subscribe" || other.kind === "subscribe") return one.kind === other.kind;
  return one.approvalId === other.approvalId;
}
