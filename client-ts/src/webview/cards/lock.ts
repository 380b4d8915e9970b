/** What keeps a card from being allowed, whatever is pressed. */

import type { ApprovalRequest } from "../../shared/protocol";
import { hiddenSize } from "./folds";
import type { Open, State, Sight } from "../state/model";

/** What keeps a card from being allowed: a middle to open, parts to look at, or answers out of sight. */
export type Lock = "folded" | "unseen" | "away";

/** The first of these; null where it can be allowed. */
export function lockOf(state: State, request: ApprovalRequest, open: Open): Lock | null {
  if (open.batch === null && !open.opened && hiddenSize(request.card) > 0) return "folded";
  if (sightOf(state, request)?.answers !== true) return "away";
  return unseenOf(state, request) === 0 ? null : "unseen";
}

/** How many parts must still be looked at; null where nobody has looked at the card yet. */
export function unseenOf(state: State, request: ApprovalRequest): number | null {
  return request.card.level === "high" || state.open?.batch ? (sightOf(state, request)?.unseen ?? null) : 0;
}

/** What was seen of another card, or of this one before it changed, says nothing of it. */
function sightOf({ sight }: State, { approvalId, digest }: ApprovalRequest): Sight | null {
  return sight?.approvalId === approvalId && sight.digest === digest ? sight : null;
}
