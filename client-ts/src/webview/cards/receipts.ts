/** What comes back of an answer: what the server said of it, or that it said nothing. */

import { t } from "../../shared/l10n";
import type { Receipt } from "../../shared/protocol";
import { lose, withTicket } from "../../shared/replica";
import { changed } from "./answers";
import { without, type State } from "../state/model";
import { said } from "../../shared/server-sentences";

/** After so long without a receipt the card can be answered again. */
export const SILENCE_MS = 10_000;

/** What the server said of an answer. */
export function received(state: State, approvalId: string, receipt: Receipt): State {
  switch (receipt.kind) {
    case "applied":
      return applied(state, approvalId, receipt.because);
    case "alreadyDecided":
      return remarked(lost(state, false), approvalId, t("This had already been decided."));
    case "unknown":
      return remarked(lost(state, true), approvalId, said(receipt.because));
    case "stillOpen":
      return remarked(state, approvalId, said(receipt.because));
    case "stale": {
      const replica = withTicket(state.replica, receipt.current, state.now);
      return remarked({ ...state, replica }, approvalId, t("The call has changed. Look again."));
    }
  }
}

/** What came of an answer; what its record does not say, such as a rule that was not written, is drawn. */
function applied(state: State, approvalId: string, because: string): State {
  const { lastSettled } = state;
  const isMore = lastSettled?.approvalId === approvalId && lastSettled.because !== because;
  const words = said(because);
  return { ...state, live: words, note: isMore ? words : state.note };
}

/** Nothing came of an answer: the card can be answered again, and says why. */
export function remarked(state: State, approvalId: string, remark: string): State {
  const remarks = { ...state.remarks, [approvalId]: remark };
  const sending = without(state.sending, approvalId);
  return changed({ ...state, remarks, sending, live: remark }, {});
}

/** Answers that nobody has confirmed for too long are given back. */
export function silenced(state: State): State {
  const late = Object.entries(state.sending).filter(([, { at }]) => state.now - at >= SILENCE_MS);
  const remark = t("The server has not confirmed this yet. You can answer again.");
  return late.reduce((now, [approvalId]) => remarked(now, approvalId, remark), state);
}

function lost(state: State, forget: boolean): State {
  return { ...state, replica: lose(state.replica, forget) };
}
