/** Like calls as one list: what each would do, its tick, and one answer for all of them. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";
import type { Batch } from "../batch";
import type { Card, EditBody } from "../../protocol";
import type { Ticket } from "../../replica";
import type { Hand } from "../hand";
import type { Lock } from "../lock";
import type { State } from "../model";
import { sentence, spans } from "../spans";
import { edits } from "./edit";
import { linesOf } from "./fold";

const VERBS: { readonly [kind in Card["body"]["kind"]]?: string } = { edit: "Change", shell: "Run", read: "Read" };
const NOUNS: { readonly [kind in Card["body"]["kind"]]?: string } = { edit: "files", shell: "commands", read: "paths" };

/** What the list is about. */
export function batchTitle(rows: readonly Ticket[]): string {
  const kind = rows[0]?.request.card.body.kind ?? "other";
  return `${VERBS[kind] ?? ""} ${rows.length} ${NOUNS[kind] ?? ""}`;
}

/** One row for each call. What is said of all of them is said once, above. */
export function batchRows(state: State, batch: Batch, rows: readonly Ticket[], hand: Hand): TemplateResult {
  const consequences = new Set(rows.map(({ request }) => request.card.consequence));
  const [shared] = consequences;
  const row = ({ request: { approvalId, card } }: Ticket): TemplateResult => {
    const isOn = !batch.off.includes(approvalId);
    const remark = state.remarks[approvalId];
    return html`<li data-testid="batch-row" data-approval-id=${approvalId} data-must>
      <label><input type="checkbox" data-testid="tick" .checked=${live(isOn)} @click=${(event: Event) => {
        event.preventDefault();
        if (event.isTrusted && !(approvalId in state.sending)) hand.act({ kind: "tickCall", approvalId });
      }} /><span>${spans(card.title)}</span></label>
      ${consequences.size > 1 && card.consequence !== null ? html`<small>${sentence(card.consequence)}</small>` : nothing}
      ${card.body.kind === "edit" ? preview(card.body) : nothing}
      ${remark === undefined ? nothing : html`<p class="remark">${remark}</p>`}
    </li>`;
  };
  return html`${consequences.size === 1 && shared ? html`<p class="consequence" data-level="medium">${sentence(shared)}</p>` : nothing}
    <ul class="batch">${repeat(rows, ({ request }) => request.approvalId, row)}</ul>`;
}

/** How much is changed and the first line of it; all of it on demand. */
function preview(what: EditBody): TemplateResult {
  const lines = linesOf(what.files.flatMap(({ hunks }) => hunks));
  const line = lines.find(({ sign }) => sign === "+") ?? lines.find(({ sign }) => sign === "-");
  const [added, removed] = [what.files.reduce((sum, file) => sum + file.added, 0), what.files.reduce((sum, file) => sum + file.removed, 0)];
  const first = line === undefined ? nothing : html`<span class="mono" dir="ltr">${line.sign} ${spans(line.text)}</span>`;
  return html`<details><summary><span class="sr">The change, lines added and removed: </span><span class="plus">+${added}</span> <span class="minus">−${removed}</span> ${first}</summary>
    ${edits(what, () => true, true, null)}</details>`;
}

/** What the button does: both outcomes, in numbers. */
export function batchButtons(batch: Batch, rows: readonly Ticket[], isSending: boolean, lock: Lock | null, hand: Hand): TemplateResult {
  const denied = rows.filter(({ request }) => batch.off.includes(request.approvalId)).length;
  const allowed = rows.length - denied;
  const press = (side: "allow" | "deny") => (event: Event) => hand.act({ kind: "batchPress", side, press: hand.press(event) });
  const off = (isOff: boolean): "true" | typeof nothing => (isOff ? "true" : nothing);
  const isOff = isSending || lock !== null || allowed === 0;
  const hint = isSending ? "Sending…" : lock === "unseen" ? "Look at each of them first" : "";
  return html`<div class="acts" data-acts>
    <span class="split" data-look="second"><button class="main" data-testid="deny" data-main="deny" aria-disabled=${off(isSending)} @click=${press("deny")}>Deny all</button></span>
    <span class="split" data-look="first"><button class="main" data-testid="allow-once" data-main="allow" aria-disabled=${off(isOff)} aria-describedby=${isOff ? "card-hint" : nothing} @click=${press("allow")}>Allow ${allowed}${denied === 0 ? nothing : `, deny ${denied}`}</button></span>
    <span class="hint" id="card-hint" data-testid="hint">${hint}</span>
    <button class="quiet" data-testid="one-by-one" @click=${() => hand.act({ kind: "oneByOne" })}>One by one</button>
  </div>`;
}
