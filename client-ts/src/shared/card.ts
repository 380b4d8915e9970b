/**
 * What both halves know of a card: its words, its answers, and how long it must have stood still.
 */

import type { ApprovalResponse, CardOption, Span } from "./protocol";

/** What stands in a form, by the names of its fields. */
export type Values = NonNullable<ApprovalResponse["values"]>;

/** How long a card, or a list that stands for it, takes no answer after it came or moved. */
export const STILL_MS = 500;

/** What a person reads of these spans: hidden characters are drawn by their names. */
export function plain(spans: readonly Span[]): string {
  return spans.map((span) => span.shown ?? span.text).join("");
}

/** Whether an option of this kind lets something happen. */
export function allows(kind: CardOption["kind"]): boolean {
  switch (kind) {
    case "allowOnce":
    case "allowChat":
    case "allowAlways":
    case "allowBackground":
    case "try":
    case "allowBoxed":
    case "allowSome":
    case "agentAlways":
    case "bypassAgent":
    case "grantWish":
    case "approvePlan":
    case "answerForm":
    case "openPage":
      return true;
    case "denyOnce":
    case "denyTell":
    case "denyChat":
    case "denyAlways":
    case "keepAsking":
    case "keepOff":
    case "answer":
    case "answerWords":
    case "skip":
    case "decline":
    case "cancel":
      return false;
  }
}

/** Whether a person adds words of their own to an option of this kind. */
export function takesWords(kind: CardOption["kind"]): boolean {
  return kind === "denyTell" || kind === "answerWords";
}
