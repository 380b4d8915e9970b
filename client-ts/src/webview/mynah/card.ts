/**
 * A card for hosts that draw their chats with MynahUI: an approval as one of its chat items.
 *
 * MynahUI reads what it is given as Markdown with HTML in it, so every sign that could mean
 * something there is written as what it is. What must be seen whole before it may be allowed is
 * not allowed here, since nobody can tell what has come before a person's eyes.
 */

import { allows } from "../../shared/card";
import { answerTo, optionOf } from "../../shared/answer";
import { sectionsOf, titleOf, type Section } from "../../shared/card-text";
import type { ApprovalRequest, ApprovalResponse, CardOption } from "../../shared/protocol";

/** A button of MynahUI; the card stays until the server has settled it. */
export interface MynahButton {
  readonly id: string;
  readonly text: string;
  readonly status: "primary" | "clear";
  readonly keepCardAfterClick: true;
}

/** A chat item of MynahUI. */
export interface MynahCard {
  readonly type: "answer";
  readonly messageId: string;
  readonly body: string;
  readonly buttons: readonly MynahButton[];
  readonly canBeVoted: false;
}

/** The ticket as a chat item, whose id is the ticket's. */
export function mynahCardOf(ticket: ApprovalRequest): MynahCard {
  const lead = `**${inert(`${ticket.card.agentName} wants to: ${titleOf(ticket)}`)}**`;
  const parts = sectionsOf(ticket).map(partOf);
  const rest = mayAllow(ticket) ? [] : ["*Open Assent to allow this: it is to be seen whole first.*"];
  return {
    type: "answer",
    messageId: ticket.approvalId,
    body: [lead, ...parts, ...rest].join("\n\n"),
    buttons: answersOf(ticket).map((option) => buttonOf(ticket, option)),
    canBeVoted: false,
  };
}

/** The answer that a click on one of its buttons gives; null for a button that it does not have. */
export function mynahAnswer(ticket: ApprovalRequest, messageId: string, buttonId: string, shownMs: number): ApprovalResponse | null {
  const option = answersOf(ticket).find(({ id }) => id === buttonId);
  return option === undefined || messageId !== ticket.approvalId ? null : answerTo(ticket, option, { shownMs });
}

/** Allow, deny, and stop asking for the agent, as far as the ticket offers them. */
function answersOf(ticket: ApprovalRequest): readonly CardOption[] {
  const all = [
    optionOf(ticket, "allowOnce", "grantWish"),
    optionOf(ticket, "denyOnce", "keepAsking"),
    optionOf(ticket, "bypassAgent"),
  ].filter((option) => option !== undefined);
  return mayAllow(ticket) ? all : all.filter(({ kind }) => !allows(kind));
}

function mayAllow({ card: { level } }: ApprovalRequest): boolean {
  return level !== "high";
}

function buttonOf(ticket: ApprovalRequest, { id, kind, label }: CardOption): MynahButton {
  const isFirst = mayAllow(ticket) ? kind === "allowOnce" || kind === "grantWish" : !allows(kind);
  return { id, text: label, status: isFirst ? "primary" : "clear", keepCardAfterClick: true };
}

function partOf({ title, lines }: Section): string {
  return [`**${inert(title)}**`, ...lines.map(inert)].join("<br>");
}

/** A text that stays text in Markdown and in HTML, its blanks included. */
function inert(text: string): string {
  return Array.from(text, (sign, at) => {
    if (/[A-Za-z0-9]/u.test(sign)) return sign;
    if (sign === " ") return at === 0 || text[at - 1] === " " ? "&#160;" : " ";
    return `&#${sign.codePointAt(0) ?? 0xff_fd};`;
  }).join("");
}
