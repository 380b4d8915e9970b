/** Like calls as one list: what each would do, its tick, and one answer for all of them. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";
import { many, t } from "../../shared/l10n";
import type { Card } from "../../shared/protocol";
import type { Ticket } from "../../shared/replica";
import type { Hand } from "../state/hand";
import type { Lock } from "./lock";
import { waiting, type State, type Batch } from "../state/model";
import { sentence, title as titleOf, spans } from "../dom/spans";
import { edits } from "./edit-body";
import { isIn } from "./full-title";

/** What the list is about. */
export function batchTitle(count: number, kind: Card["body"]["kind"]): string {
  if (kind === "edit") return many(count, "Make 1 change", "Make {0} changes");
  if (kind === "shell") return many(count, "Run 1 command", "Run {0} commands");
  if (kind === "read") return many(count, "Read 1 path", "Read {0} paths");
  return many(count, "Answer 1 call", "Answer {0} calls");
}

/** One row for each call, and all of it; one that has left the list keeps its place. What is said of all is said once, above. */
export function batchRows(state: State, batch: Batch, rows: readonly Ticket[], hand: Hand): TemplateResult {
  const consequences = new Set(batch.calls.map(({ request }) => request.card.consequence));
  const [shared] = consequences;
  const row = (call: Ticket): TemplateResult => {
    const now = rows.find(({ request }) => request.approvalId === call.request.approvalId);
    const { approvalId, card } = (now ?? call).request;
    const isGone = now === undefined;
    const { body: what, title } = card;
    const remark = isGone ? undefined : state.remarks[approvalId];
    const tick = (event: Event): void => {
      event.preventDefault();
      hand.act({ kind: "tickCall", approvalId, press: hand.press(event) });
    };
    return html`<li class=${isGone ? "gone" : nothing} data-testid=${isGone ? "batch-gone" : "batch-row"} data-approval-id=${approvalId}>
      <label ?data-must=${!isGone}><input type="checkbox" data-testid="tick" ?disabled=${isGone} .checked=${live(!isGone && !batch.off.includes(approvalId))} @click=${tick} /><span>${titleOf(title)}</span></label>
      ${isGone ? html`<em>${waiting(state).some(({ request }) => request.approvalId === approvalId) ? t("asked by itself") : t("over")}</em>` : nothing}
      ${consequences.size > 1 && card.consequence !== null ? html`<small ?data-must=${!isGone}>${sentence(card.consequence)}</small>` : nothing}
      ${what.kind === "edit" ? edits(what, ({ path }) => (isIn(title, path) ? null : spans(path)), true, null) : nothing}
      ${remark === undefined ? nothing : html`<p class="remark">${remark}</p>`}
    </li>`;
  };
  return html`${consequences.size === 1 && shared ? html`<p class="consequence" data-must data-level="medium">${sentence(shared)}</p>` : nothing}
    <ul class="batch">${repeat(batch.calls, ({ request }) => request.approvalId, row)}</ul>`;
}

/** What the button does: both outcomes, in numbers. */
export function batchButtons(batch: Batch, rows: readonly Ticket[], isSending: boolean, lock: Lock | null, hand: Hand): TemplateResult {
  const denied = rows.filter(({ request }) => batch.off.includes(request.approvalId)).length;
  const allowed = rows.length - denied;
  const press = (side: "allow" | "deny") => (event: Event) => hand.act({ kind: "batchPress", side, press: hand.press(event) });
  const off = (isOff: boolean): "true" | typeof nothing => (isOff ? "true" : nothing);
  const isOff = isSending || lock !== null || allowed === 0;
  const hint = isSending ? t("Sending…") : lock === "unseen" ? t("Look at each of them first") : "";
  return html`<div class="acts" data-acts>
    <span class="split" data-look="second"><button class="main" data-testid="deny" data-main="deny" aria-disabled=${off(isSending)} @click=${press("deny")}>${t("Deny all")}</button></span>
    <span class="split" data-look="first"><button class="main" data-testid="allow-once" data-main="allow" aria-disabled=${off(isOff)} aria-describedby=${isOff ? "card-hint" : nothing} @click=${press("allow")}>${t(denied === 0 ? "Allow {0}" : "Allow {0}, deny {1}", allowed, denied)}</button></span>
    <span class="hint" id="card-hint" data-testid="hint">${hint}</span>
    <button class="quiet" data-testid="one-by-one" @click=${() => hand.act({ kind: "oneByOne" })}>${t("One by one")}</button>
  </div>`;
}
