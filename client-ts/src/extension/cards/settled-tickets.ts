/**
 * Tells whoever shows a ticket that it was settled elsewhere.
 */

import type { ApprovalRequest } from "../../shared/protocol";

export class Settling {
  readonly #waiting = new Map<string, AbortController>();

  /** A signal that is given, once, when this ticket is open no more. */
  signalFor(approvalId: string): AbortSignal {
    const known = this.#waiting.get(approvalId) ?? new AbortController();
    this.#waiting.set(approvalId, known);
    return known.signal;
  }

  /** The open tickets are these now. */
  ticketsAre(tickets: readonly ApprovalRequest[]): void {
    const open = new Set(tickets.map(({ approvalId }) => approvalId));
    for (const [approvalId, controller] of this.#waiting) {
      if (!open.has(approvalId)) {
        this.#waiting.delete(approvalId);
        controller.abort();
      }
    }
  }
}
