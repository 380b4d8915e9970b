/**
 * The whole way from a waiting card to its answer, without a page: `assent.reviewNext`.
 *
 * The list says all that the card says. An answer is bound to the card whose lines were shown.
 */

import { allows, takesWords } from "../../shared/card";
import { many, t } from "../../shared/l10n";
import { said } from "../../shared/server-sentences";
import type { ApprovalRequest, CardOption, Receipt } from "../../shared/protocol";
import { answerTo, newsOf, type Manner } from "../../shared/answer";
import type { Request } from "../server/bridge";
import { sectionsOf, titleOf } from "../../shared/card-text";
import { askForRules, needsRules } from "./rule-step";
import { heading, pick, type Choice } from "../editor/pick-list";
import { inert } from "../editor/inert-text";
import { window } from "../editor/vscode";

/** What can be chosen at a card. */
export type Move =
  | { readonly kind: "option"; readonly option: CardOption }
  | { readonly kind: "answerLater" }
  | { readonly kind: "openDiff" }
  | { readonly kind: "editText" };

export interface Source {
  readonly tickets: () => readonly ApprovalRequest[];
  readonly request: Request;
  /** Calls back, once, when this ticket is settled. */
  readonly whenSettled: (approvalId: string) => AbortSignal;
  /** Opens the document of a plan. */
  readonly editText: (approvalId: string) => Promise<void>;
}

const NOBODY_WAITS = t("Nothing waits for an answer.");
const SETTLED = t("This card was settled in the meantime.");

export class Review {
  readonly #source: Source;
  /** The rules as they were typed last, by card and option, where they could not be used. */
  readonly #typed = new Map<string, readonly string[]>();

  constructor(source: Source) {
    this.#source = source;
  }

  /** Let the person choose a card, if there are several, and answer it. */
  async next(): Promise<void> {
    const tickets = this.#source.tickets();
    const ticket = tickets.length > 1 ? await chooseTicket(tickets) : tickets[0];
    if (ticket === undefined) {
      await window.showInformationMessage(NOBODY_WAITS);
      return;
    }
    if (ticket !== null) {
      await this.show(ticket);
    }
  }

  /** Show one card, and pass the answer on. */
  async show(ticket: ApprovalRequest): Promise<void> {
    const { card, approvalId } = ticket;
    const gone = this.#source.whenSettled(approvalId);
    const chosen = await pick(cardChoices(ticket), {
      title: inert(`${card.agentName}: ${titleOf(ticket)}`),
      placeholder: `${LEVELS[card.level]} ${t("Choose an answer; Escape leaves the card open.")}`,
      gone,
    });
    if (chosen === null) {
      if (gone.aborted) {
        await window.showInformationMessage(SETTLED);
      }
      return;
    }
    await this.#move(ticket, chosen.value, chosen.shownMs);
  }

  /** Answer, and tell the person if it did not go as they wished. True where it did. */
  async answer(ticket: ApprovalRequest, option: CardOption, manner: Manner): Promise<boolean> {
    const answer = answerTo(ticket, option, manner);
    const receipt = (await this.#source.request("tool/approvalResponse", answer)) as Receipt;
    const news = newsOf(receipt);
    if (news !== null) {
      void window.showInformationMessage(inert(news));
    }
    if (manner.rules !== undefined && receipt.kind === "stillOpen") {
      this.#typed.set(placeOf(ticket, option), manner.rules);
    } else {
      this.#typed.delete(placeOf(ticket, option));
    }
    if (receipt.kind === "stale") {
      await this.show(receipt.current);
    }
    return receipt.kind === "applied";
  }

  async #move(ticket: ApprovalRequest, move: Move, shownMs: number): Promise<void> {
    const { approvalId } = ticket;
    switch (move.kind) {
      case "answerLater":
        await this.#source.request("agent/answerLater", { approvalId });
        return;
      case "openDiff":
        await this.#source.request("tool/openDiff", { approvalId, file: 0 });
        return;
      case "editText":
        await this.#source.editText(approvalId);
        return;
      case "option":
        await this.#choose(ticket, move.option, shownMs);
    }
  }

  async #choose(ticket: ApprovalRequest, option: CardOption, shownMs: number): Promise<void> {
    if (takesWords(option.kind)) {
      const feedback = await window.showInputBox({
        title: inert(`${said(option.label)} ${titleOf(ticket)}`),
        prompt:
          option.kind === "denyTell"
            ? t("What should the agent do instead? It will read this.")
            : t("Your answer. The agent will read this."),
      });
      await (feedback === undefined ? this.show(ticket) : this.answer(ticket, option, { shownMs, feedback }));
      return;
    }
    const gone = this.#source.whenSettled(ticket.approvalId);
    const typed = this.#typed.get(placeOf(ticket, option));
    const rules = needsRules(option) ? await askForRules(ticket, option, this.#source.request, gone, typed) : {};
    if (gone.aborted) {
      await window.showInformationMessage(SETTLED);
    } else if (rules === null) {
      await this.show(ticket);
    } else if (await confirmed(ticket, option)) {
      await this.answer(ticket, option, { shownMs, ...rules });
    }
  }
}

function placeOf({ approvalId }: ApprovalRequest, { id }: CardOption): string {
  return `${approvalId} ${id}`;
}

/** On a high level one press is not enough: a second question names what would happen. */
export async function confirmed(ticket: ApprovalRequest, option: CardOption): Promise<boolean> {
  const { card } = ticket;
  if (card.level !== "high" || !allows(option.kind)) {
    return true;
  }
  const answer = await window.showWarningMessage(
    `${card.agentName}: ${titleOf(ticket)}`,
    { modal: true, detail: said(card.consequence ?? card.because.text) },
    said(option.label),
  );
  return answer === said(option.label);
}

/** Whether an option takes what only the card in the view has: the fields of a form, a page that is to be opened, or ticks. */
export function needsView(kind: CardOption["kind"]): boolean {
  return kind === "answerForm" || kind === "openPage" || kind === "allowSome";
}

/** The lines of a card's list: what it says first, so that Enter alone answers nothing. */
export function cardChoices(ticket: ApprovalRequest): readonly Choice<Move>[] {
  const { card, expiresAt } = ticket;
  const told = sectionsOf(ticket).flatMap(({ title, lines }) => [
    heading<Move>(inert(title)),
    ...lines.map((line) => ({ label: inert(line), alwaysShow: true })),
  ]);
  const options = card.options
    .filter(({ kind }) => !needsView(kind))
    .map(
      (option): Choice<Move> => ({
        label: inert(option.kind === "answer" ? `${card.agentName}: “${option.label}”` : said(option.label)),
        detail: inert(said(option.detail)),
        value: { kind: "option", option },
      }),
    );
  const others: readonly (Choice<Move> | false)[] = [
    card.body.kind === "edit" &&
      card.body.files.length > 0 && {
        label: t("Open the diff"),
        value: { kind: "openDiff" },
      },
    card.edits !== null && {
      label: card.edits === "plan" ? t("Edit the plan") : t("Edit the command"),
      detail: t("Opens it as a document; what stands there is judged anew, and is what you allow."),
      value: { kind: "editText" },
    },
    expiresAt !== null && {
      label: t("Keep waiting"),
      detail: t("Takes the deadline from this card."),
      value: { kind: "answerLater" },
    },
  ];
  return [...told, heading(t("Answer")), ...options, ...others.filter((choice) => choice !== false)];
}

const LEVELS = {
  low: "",
  medium: t("Look twice."),
  high: t("This may do harm that cannot be undone."),
} as const;

async function chooseTicket(tickets: readonly ApprovalRequest[]): Promise<ApprovalRequest | null> {
  const chosen = await pick(
    tickets.map((ticket) => ({
      label: inert(titleOf(ticket)),
      description: inert(`${ticket.card.agentName} · ${said(ticket.card.mode)}`),
      detail: inert(said(ticket.card.consequence ?? ticket.card.because.text)),
      value: ticket,
    })),
    {
      title: many(tickets.length, "1 card waits for an answer", "{0} cards wait for an answer"),
      placeholder: t("Choose one to read and answer it."),
    },
  );
  return chosen?.value ?? null;
}
