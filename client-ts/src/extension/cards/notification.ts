/**
 * One notification for cards that have been out of sight for ten seconds.
 *
 * There is one at a time, and it never answers for a card other than the one it names. It may
 * allow only what it shows whole.
 */

import { t } from "../../shared/l10n";
import type { ApprovalRequest } from "../../shared/protocol";
import { optionOf } from "../../shared/answer";
import { briefly, titleOf } from "../../shared/card-text";
import { inert } from "../editor/inert-text";
import { window } from "../editor/vscode";

/** What a notification says, and about which card. */
export interface Notice {
  readonly ticket: ApprovalRequest;
  readonly text: string;
  readonly buttons: readonly Button[];
  /** Every card that waited when it was made; none of them is told again. */
  readonly covers: readonly string[];
}

export type Button = "Review" | "Deny" | "Allow";

/** The kinds of option that two of them choose. */
export const ANSWERS = { Deny: "denyOnce", Allow: "allowOnce" } as const;

/** What the buttons are called. */
const CALLED: { readonly [button in Button]: string } = { Review: t("Review"), Deny: t("Deny"), Allow: t("Allow") };

/** Show it; the button that was pressed. */
export async function showNotice({ text, buttons }: Notice): Promise<Button | undefined> {
  const pressed = await window.showInformationMessage(text, ...buttons.map((button) => CALLED[button]));
  return buttons.find((button) => CALLED[button] === pressed);
}

/** Where a notification gets its facts from, and where it goes. */
export interface Surroundings {
  readonly isOn: () => boolean;
  /** Whether the view is before a person's eyes. */
  readonly isSeen: () => boolean;
  /** Shows it; resolves with the button, or nothing where it was closed. */
  readonly show: (notice: Notice) => Promise<Button | undefined>;
  readonly chosen: (notice: Notice, button: Button, shownMs: number) => Promise<void>;
}

export const NOTIFICATION_DELAY_MS = 10_000;

/** The notification for these cards, of which the first is the one that it can answer. */
export function noticeFor(tickets: readonly ApprovalRequest[]): Notice | null {
  const [ticket] = tickets;
  if (ticket === undefined) {
    return null;
  }
  const others = tickets.length - 1;
  const whole = others === 0 ? briefly(ticket) : null;
  const what = whole === null ? titleOf(ticket) : `${titleOf(ticket)}: ${whole}`;
  const more = others === 0 ? "" : ` ${t("(+{0} more)", others)}`;
  return {
    ticket,
    text: inert(`${t("{0} waits: {1}", ticket.card.agentName, what)}${more}`),
    buttons: buttonsOf(ticket, whole !== null),
    covers: tickets.map(({ approvalId }) => approvalId),
  };
}

export class Notifier {
  readonly #around: Surroundings;
  readonly #told = new Set<string>();
  #tickets: readonly ApprovalRequest[] = [];
  #shown: Notice | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** The open cards are these now. */
  ticketsAre(tickets: readonly ApprovalRequest[]): void {
    this.#tickets = tickets;
    const open = new Set(tickets.map(({ approvalId }) => approvalId));
    if (this.#shown?.covers.every((id) => !open.has(id)) === true) {
      // It speaks of nothing any more, though the editor may still show it.
      this.#shown = null;
    }
    for (const id of this.#told) {
      if (!open.has(id)) {
        this.#told.delete(id);
      }
    }
    this.look();
  }

  /** The view was shown or hidden, or the window gained or lost the focus. */
  look(): void {
    const due = this.#untold().length > 0 && this.#shown === null && !this.#around.isSeen();
    if (!due) {
      this.dispose();
    } else {
      this.#timer ??= setTimeout(() => this.#tell(), NOTIFICATION_DELAY_MS);
    }
  }

  dispose(): void {
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#timer = null;
    }
  }

  #untold(): readonly ApprovalRequest[] {
    return this.#tickets.filter(({ approvalId }) => !this.#told.has(approvalId));
  }

  #tell(): void {
    this.#timer = null;
    const notice = noticeFor(this.#untold());
    if (notice === null || !this.#around.isOn()) {
      return;
    }
    notice.covers.forEach((id) => this.#told.add(id));
    this.#shown = notice;
    void this.#show(notice);
  }

  async #show(notice: Notice): Promise<void> {
    const since = Date.now();
    const button = await this.#around.show(notice);
    if (this.#shown === notice) {
      this.#shown = null;
    }
    if (button !== undefined) {
      await this.#around.chosen(notice, button, Date.now() - since);
    }
    this.look();
  }
}

function buttonsOf(ticket: ApprovalRequest, isWhole: boolean): readonly Button[] {
  const mayAllow = isWhole && optionOf(ticket, "allowOnce") !== undefined;
  const mayDeny = optionOf(ticket, "denyOnce") !== undefined;
  return ["Review", ...(mayDeny ? (["Deny"] as const) : []), ...(mayAllow ? (["Allow"] as const) : [])];
}
