/**
 * The time that a ticket still has, in numbers and in words.
 *
 * The server's clock decides. Ours only measures how much of it has passed.
 */

import { many, t } from "../../shared/l10n";
import type { Ticket } from "../../shared/replica";

/** From here on the countdown is drawn boldly. */
export const BOLD_FROM_S = 60;

/** What a screen reader is told, and nothing between. */
const ANNOUNCED_AT_S: readonly number[] = [60, 15];

/** The seconds left, or null where the ticket waits without limit. */
export function secondsLeft({ request, ahead }: Ticket, at: number): number | null {
  if (request.expiresAt === null) return null;
  return Math.max(0, Math.ceil((request.expiresAt - ahead - at) / 1000));
}

/** `4:05`. */
export function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** `4 minutes 5 seconds`. */
export function spoken(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  const parts = [
    ...(minutes > 0 ? [many(minutes, "1 minute", "{0} minutes")] : []),
    ...(rest > 0 || minutes === 0 ? [many(rest, "1 second", "{0} seconds")] : []),
  ];
  return parts.join(" ");
}

/** What to announce between two moments, if one of the marks was passed. */
export function announcement(ticket: Ticket, before: number, at: number): string | null {
  const [then, now] = [secondsLeft(ticket, before), secondsLeft(ticket, at)];
  if (then === null || now === null) return null;
  const mark = ANNOUNCED_AT_S.find((told) => then > told && now <= told);
  return mark === undefined ? null : t("Denies in {0}.", spoken(now));
}
