/** Calls in the transcript: one line each, with all that is known of them below it. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import type { CallRecord } from "../protocol";
import { clock } from "./icons";
import type { Settled } from "./model";
import { sentence, spans } from "./spans";
import { signOf, uncoloured, type Sign } from "./words";

/** So much of an output is drawn: its end. */
const DRAWN = 20_000;

/** A call of an agent. */
export function record(call: CallRecord): TemplateResult {
  const sign = signOf(call);
  return html`<details
    class="record"
    data-testid="record"
    data-state=${call.state}
    data-call-id=${call.callId}
    data-approval-id=${call.approvalId ?? nothing}
  >
    <summary>${line(sign, call)}<span class="details">Details</span></summary>
    <div class="inside">
      <p>${spans(call.title)}</p>
      <p class="muted">${facts(sign, call)}${call.because === "" ? nothing : html` · ${sentence(call.because)}`}</p>
      ${call.output === "" ? nothing : output(call.output)}
    </div>
  </details>`;
}

/** A settled question that belonged to no chat. */
export function settledRecord(settled: Settled): TemplateResult {
  const isAllowed = settled.outcome === "allowed";
  const call = { title: settled.title, because: settled.because };
  const sign: Sign = isAllowed
    ? { sign: "✓", tone: "ok", head: "Agreed" }
    : { sign: "✕", tone: "no", head: "Not agreed" };
  return html`<div class="record" data-testid="record" data-state=${settled.outcome} data-approval-id=${settled.approvalId}>
    <p class="summary">${line(sign, call)}</p>
  </div>`;
}

function line(sign: Sign, call: Pick<CallRecord, "title" | "because">): TemplateResult {
  const why = call.because === "" ? nothing : html`<span class="why"> — ${sentence(call.because)}</span>`;
  const drawn = sign.sign === "time" ? clock() : sign.sign;
  return html`<span class="sign" data-tone=${sign.tone} aria-hidden="true">${drawn}</span
    ><span class="line"><b>${sign.head}</b> <span class="what">${spans(call.title)}</span>${why}</span>`;
}

function facts(sign: Sign, call: CallRecord): string {
  const at = new Date(call.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const row = call.recordId === null ? "" : ` · row ${call.recordId} of the journal`;
  return `${sign.head} · ${at}${row}`;
}

function output(text: string): TemplateResult {
  const shown = text.length > DRAWN ? `…${text.slice(-DRAWN)}` : text;
  return html`<pre class="raw output" dir="ltr" tabindex="0" role="region" aria-label="What it printed">${uncoloured(shown)}</pre>`;
}
