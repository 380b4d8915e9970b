/**
 * Cards for hosts that draw their chats with MynahUI.
 *
 * A card of a high level cannot be allowed before all of it has been on screen. A press that comes
 * at once, which was meant for something else, allows nothing. A settled card is folded.
 */

import { allows, STILL_MS } from "../../shared/card";
import type { ApprovalRequest, ApprovalResponse, ApprovalSettled } from "../../shared/protocol";
import { lockedTextOf, mynahAnswer, mynahCardOf, settledMynahCardOf, withoutBlanks, type MynahCard, type SettledMynahCard } from "./card";
import { whenSeen } from "./seen";

export type { ApprovalRequest, ApprovalResponse, ApprovalSettled } from "../../shared/protocol";

/** What is used of MynahUI. */
export interface Chats {
  addChatItem(tabId: string, item: MynahCard): void;
  updateChatAnswerWithMessageId(tabId: string, messageId: string, item: MynahCard | SettledMynahCard): void;
}

interface Shown {
  readonly ticket: ApprovalRequest;
  readonly tabId: string;
  readonly since: number;
  readonly isLocked: boolean;
  readonly unwatch: () => void;
}

/** The open cards of one MynahUI. */
export class MynahCards {
  readonly #chats: Chats;
  readonly #answer: (response: ApprovalResponse) => void;
  readonly #shown = new Map<string, Shown>();

  /** `answer` sends `tool/approvalResponse`. */
  constructor(chats: Chats, answer: (response: ApprovalResponse) => void) {
    this.#chats = chats;
    this.#answer = answer;
  }

  /** Draw a `tool/approvalRequest` in a tab; one that is drawn already has changed, and is drawn anew. */
  show(tabId: string, ticket: ApprovalRequest): void {
    const before = this.#shown.get(ticket.approvalId);
    before?.unwatch();
    const isLocked = ticket.card.level === "high";
    const card = mynahCardOf(ticket, isLocked);
    if (before === undefined) this.#chats.addChatItem(tabId, card);
    else this.#chats.updateChatAnswerWithMessageId(before.tabId, ticket.approvalId, card);
    const unwatch = isLocked ? this.#watch(ticket) : () => undefined;
    this.#keep({ ticket, tabId: before?.tabId ?? tabId, isLocked, unwatch });
  }

  /** Fold a card, by its `tool/approvalSettled`. */
  settle(settled: ApprovalSettled): void {
    const shown = this.#shown.get(settled.approvalId);
    if (shown === undefined) return;
    shown.unwatch();
    this.#shown.delete(settled.approvalId);
    this.#chats.updateChatAnswerWithMessageId(shown.tabId, settled.approvalId, settledMynahCardOf(shown.ticket, settled));
  }

  /** A press on a button of a chat item; whether it was one of ours. */
  press(messageId: string, buttonId: string): boolean {
    const shown = this.#shown.get(messageId);
    if (shown === undefined) return false;
    const shownMs = performance.now() - shown.since;
    const option = shown.ticket.card.options.find(({ id }) => id === buttonId);
    const isTooSoon = option !== undefined && allows(option.kind) && shownMs < STILL_MS;
    const response = isTooSoon ? null : mynahAnswer(shown.ticket, shown.isLocked, buttonId, shownMs);
    // Its buttons are off after a press.
    if (response === null) this.#draw(shown);
    else this.#answer(response);
    return true;
  }

  #keep(shown: Omit<Shown, "since">): void {
    this.#shown.set(shown.ticket.approvalId, { ...shown, since: performance.now() });
  }

  /** Unlock a card once all of it was on screen, as the ticket says it: MynahUI draws it a while later. */
  #watch(ticket: ApprovalRequest): () => void {
    let unwatch = (): void => undefined;
    const look = (): void => {
      const parts = partsOf(ticket);
      const again = (): void => {
        const frame = requestAnimationFrame(look);
        unwatch = () => cancelAnimationFrame(frame);
      };
      const seen = (): void => (partsOf(ticket).length > 0 ? this.#unlock(ticket.approvalId) : again());
      if (parts.length === 0) again();
      else unwatch = whenSeen(parts, seen);
    };
    look();
    return () => unwatch();
  }

  #unlock(approvalId: string): void {
    const shown = this.#shown.get(approvalId);
    if (shown === undefined) return;
    const unlocked = { ...shown, isLocked: false };
    this.#draw(unlocked);
    this.#keep(unlocked);
  }

  #draw({ ticket, tabId, isLocked }: Shown): void {
    this.#chats.updateChatAnswerWithMessageId(tabId, ticket.approvalId, mynahCardOf(ticket, isLocked));
  }
}

/** The parts of a locked card; none before all of it is drawn. */
function partsOf(ticket: ApprovalRequest): readonly Element[] {
  const card = `[messageid="${CSS.escape(ticket.approvalId)}"]`;
  const parts = [...document.querySelectorAll(`${card} .mynah-card-body > :not(style)`)];
  const drawn = withoutBlanks(parts.map(({ textContent }) => textContent).join(""));
  return drawn === lockedTextOf(ticket) ? parts : [];
}
