/** What keeps a card from being allowed, whatever is pressed. */

import type { ApprovalRequest } from "../protocol";
import { hiddenSize } from "./card/fold";
import type { Open, State } from "./model";

/** What keeps a card from being allowed: a middle to open, parts to look at, or answers out of sight. */
export type Lock = "folded" | "unseen" | "away";

/** The first of these; null where it can be allowed. */
export function lockOf({ sight }: State, request: ApprovalRequest, open: Open): Lock | null {
  if (!open.opened && hiddenSize(request.card) > 0) return "folded";
  // What was seen of another card, or of this one before it changed, says nothing of it.
  const isOfIt = sight?.approvalId === request.approvalId && sight.digest === request.digest;
  if (!isOfIt || !sight.answers) return "away";
  return request.card.level === "high" && sight.unseen > 0 ? "unseen" : null;
}
