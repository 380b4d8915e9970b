/**
 * An approval as a chat item of MynahUI.
 *
 * MynahUI reads what it is given as Markdown with HTML in it, so every sign that could mean
 * something there is written as what it is.
 */

import { allows } from "../../shared/card";
import { answerTo, optionOf } from "../../shared/answer";
import { sectionsOf, titleOf, type Section } from "../../shared/card-text";
import { said } from "../../shared/server-sentences";
import type { ApprovalRequest, ApprovalResponse, ApprovalSettled, CardOption } from "../../shared/protocol";

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

/** What becomes of a chat item: one line, behind which the rest is folded, and no button. */
export interface SettledMynahCard {
  readonly body: null;
  readonly buttons: readonly [];
  readonly summary: {
    readonly isCollapsed: true;
    readonly content: { readonly body: string };
    readonly collapsedContent: readonly [{ readonly body: string }];
  };
}

const LOCKED = "To allow this, look at all of it first.";

/** The ticket as a chat item, whose id is the ticket's; what is locked cannot be allowed. */
export function mynahCardOf(ticket: ApprovalRequest, isLocked: boolean): MynahCard {
  const rest = isLocked ? [`*${LOCKED}*`] : [];
  return {
    type: "answer",
    messageId: ticket.approvalId,
    body: [...bodyOf(ticket), ...rest].join("\n\n"),
    buttons: answersOf(ticket, isLocked).map((option) => buttonOf(option, isLocked)),
    canBeVoted: false,
  };
}

/** All that a locked card says, without blanks: what MynahUI has drawn once it has drawn it. */
export function lockedTextOf(ticket: ApprovalRequest): string {
  const parts = sectionsOf(ticket).flatMap(({ title, lines }) => [title, ...lines]);
  return withoutBlanks([titleLine(ticket), ...parts, LOCKED].join(""));
}

/** A text of which only its words count, since lines are broken anew where it is drawn. */
export function withoutBlanks(text: string): string {
  return text.replaceAll(/\s/gu, "");
}

/** What its chat item becomes once it is settled. */
export function settledMynahCardOf(ticket: ApprovalRequest, settled: ApprovalSettled): SettledMynahCard {
  const line = `${leadOf(ticket)}<br>${inert(said(settled.because))}`;
  const [, ...parts] = bodyOf(ticket);
  const folded = [{ body: parts.join("\n\n") }] as const;
  return { body: null, buttons: [], summary: { isCollapsed: true, content: { body: line }, collapsedContent: folded } };
}

/** The answer that a click on one of its buttons gives; null for a button that it does not have. */
export function mynahAnswer(ticket: ApprovalRequest, isLocked: boolean, buttonId: string, shownMs: number): ApprovalResponse | null {
  const option = answersOf(ticket, isLocked).find(({ id }) => id === buttonId);
  return option === undefined ? null : answerTo(ticket, option, { shownMs });
}

function leadOf(ticket: ApprovalRequest): string {
  return `**${inert(titleLine(ticket))}**`;
}

function titleLine(ticket: ApprovalRequest): string {
  return `${ticket.card.agentName} wants to: ${titleOf(ticket)}`;
}

function bodyOf(ticket: ApprovalRequest): readonly string[] {
  return [leadOf(ticket), ...sectionsOf(ticket).map(partOf)];
}

/** Allow, deny, and stop asking for the agent, as far as the ticket offers them. */
function answersOf(ticket: ApprovalRequest, isLocked: boolean): readonly CardOption[] {
  const all = [
    optionOf(ticket, "allowOnce", "grantWish"),
    optionOf(ticket, "denyOnce", "keepAsking"),
    optionOf(ticket, "bypassAgent"),
  ].filter((option) => option !== undefined);
  return isLocked ? all.filter(({ kind }) => !allows(kind)) : all;
}

function buttonOf({ id, kind, label }: CardOption, isLocked: boolean): MynahButton {
  const isFirst = isLocked ? !allows(kind) : kind === "allowOnce" || kind === "grantWish";
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
