/**
 * Which calls are alike, so that they can be answered together.
 *
 * In a list stands only what its row says whole: whoever has read the rows has read the calls.
 */

import type { ApprovalRequest, Card, EditBody, HunkLine, Span } from "../../shared/protocol";
import type { Ticket } from "../../shared/replica";
import { lineSize, linesOf } from "./folds";
import { unsaidOf } from "./touches";
import { waiting, type State } from "../state/model";
import { saysAll } from "./full-title";

/** So many lines can be changed by a call in a list, and so many characters be drawn of it. */
const MAX_CHANGED_LINES = 6;
const MAX_LETTERS = 400;

/** The tickets that can be answered with this one, in their order; it alone where there is none. */
export function alike(state: State, ticket: Ticket): readonly Ticket[] {
  const { request } = ticket;
  if (!fits(request)) return [ticket];
  return waiting(state).filter(
    (each) => fits(each.request) && kindOf(each.request) === kindOf(request) && !(each.request.approvalId in state.sending),
  );
}

/** What calls of one list share: whose they are, what they do, and why they are asked about. */
function kindOf({ chatId, card: { agentId, body, because } }: ApprovalRequest): string {
  return JSON.stringify([chatId, agentId, body.kind, because.text, because.rule, because.source]);
}

/** Whether a call of no high level is told whole in a row: nothing of it folded, boxed or elsewhere. */
export function fits({ card }: ApprovalRequest): boolean {
  const { body, level, options, members, title } = card;
  if (level === "high" || members.length > 0 || !isBare(title)) return false;
  if (!["allowOnce", "denyOnce"].every((kind) => options.some((each) => each.kind === kind))) return false;
  if (unsaidOf(card).length > 0) return false;
  return body.kind === "edit" ? isSmall(card, body) : saysAll(card);
}

/** Whether this changes little in one file, and the card has each line of it. */
function isSmall({ touches }: Card, { rows, files }: EditBody): boolean {
  const [file] = files;
  if (rows.length > 0 || file === undefined || files.length > 1 || touches.length > 1 || !isBare(file.path)) return false;
  if (!file.hunks.every(({ heading }) => isBare(heading))) return false;
  const lines = linesOf(file.hunks);
  const changed = lines.filter(({ sign }) => sign !== " ").length;
  if (changed > MAX_CHANGED_LINES || changed !== file.added + file.removed) return false;
  return lines.every(isPlainLine) && lines.reduce((size, line) => size + lineSize(line), 0) <= MAX_LETTERS;
}

function isPlainLine({ text }: HunkLine): boolean {
  return isBare(text);
}

/** Whether every character is drawn as what it is. */
function isBare(text: readonly Span[]): boolean {
  return text.every(({ shown }) => shown === null);
}
