/** What a person asks of a card without answering it: more time, and what it is about in the editor. */

import { rowsOf } from "./batch";
import { shown, withErrand, withRequest, type State } from "../state/model";

/** Take the deadline from the ticket that is shown. */
export function keepWaiting(state: State): State {
  const ticket = shown(state);
  const all = state.open?.batch ? rowsOf(state) : ticket === null ? [] : [ticket];
  const limited = all.filter(({ request }) => request.expiresAt !== null);
  return limited.reduce(
    (now, { request: { approvalId } }) => withRequest(now, "agent/answerLater", { approvalId }, { kind: "later", approvalId }),
    state,
  );
}

/** Open the diff of a change, or the document of what may be edited. */
export function openDiff(state: State, file: number): State {
  const request = shown(state)?.request;
  if (request === undefined) return state;
  const { approvalId, card } = request;
  if (card.body.kind === "edit" && card.body.files.length === 0) return state;
  if (card.body.kind === "edit") return withRequest(state, "tool/openDiff", { approvalId, file });
  return card.edits === null ? state : withErrand(state, { kind: "post", message: { kind: "editText", approvalId } });
}
