/**
 * Answers that are given outside the view, and what is said of what became of them.
 *
 * An answer carries the revision and the digest of the card that the person saw.
 */

import { t } from "./l10n";
import type { ApprovalRequest, ApprovalResponse, CardOption, Receipt } from "./protocol";
import { said } from "./server-sentences";

/** What the person added to the choice of an option. */
export interface Manner {
  /** How long the card had been before their eyes. */
  readonly shownMs: number;
  /** Words for the agent, with a refusal. */
  readonly feedback?: string;
  /** With an answer for always. */
  readonly rules?: readonly string[];
  readonly scope?: NonNullable<ApprovalResponse["scope"]>;
}

/** The answer that chooses this option of this card. */
export function answerTo(ticket: ApprovalRequest, option: CardOption, { shownMs, ...added }: Manner): ApprovalResponse {
  const { approvalId, chatId, revision, digest } = ticket;
  return {
    approvalId,
    chatId,
    revision,
    digest,
    optionId: option.id,
    shownMs: Math.max(0, Math.round(shownMs)),
    ...added,
  };
}

/** The card's first option of these kinds, in the order of the kinds. */
export function optionOf(ticket: ApprovalRequest, ...kinds: readonly CardOption["kind"][]): CardOption | undefined {
  const { options } = ticket.card;
  return kinds.map((kind) => options.find((option) => option.kind === kind)).find(Boolean);
}

/** What the person has to hear of it; null where it went as they wished. */
export function newsOf(receipt: Receipt): string | null {
  switch (receipt.kind) {
    case "applied":
      return null;
    case "alreadyDecided":
      return t("This had been decided before: {0}. Your answer changed nothing.", WORDS[receipt.outcome]);
    case "stale":
      return t("This has changed since you saw it. Nothing was done; look again.");
    case "unknown":
    case "stillOpen":
      return said(receipt.because);
  }
}

const WORDS = {
  allowed: t("it was allowed"),
  refused: t("it was refused"),
  withdrawn: t("it was withdrawn"),
  answered: t("it was answered"),
} as const;
