/**
 * Calls in the transcript: one line each, with all that is known of them below it.
 *
 * What can still be done about a call stands beside its line. The end of what it prints stands
 * below while it runs, in a box that does not change its height, and where it failed.
 */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { plain } from "../../shared/card";
import { stateOf } from "../../shared/command-output";
import { mixed, t } from "../../shared/l10n";
import { said, titled } from "../../shared/server-sentences";
import type { CallRecord, RecordKept, ShellInfo, SoundKept, WantRecord } from "../../shared/protocol";
import { seen } from "../dom/visible-text";
import type { Hand } from "../state/hand";
import { clock } from "../dom/icons";
import type { Settled } from "../state/model";
import type { CallMethod } from "../state/moments";
import { recorded } from "./call-body";
import { code, sentence, spans, title } from "../dom/spans";
import { signOf, type Sign } from "./call-sign";

/** So much of an output is drawn: its end. */
const MAX_OUTPUT_LETTERS = 20_000;

/** So much of it is looked at for the few lines below a call that runs. */
const MAX_TAIL_LETTERS = 2_000;

/** How a call stands of which there is no more to say than its sign and its outcome do. */
const QUIET: readonly CallRecord["state"][] = ["succeeded", "waiting", "running", "failed", "killed", "backgrounded"];

/** In milliseconds: what took less was there at once. */
const MIN_TOLD_MS = 100;

type May = CallRecord["may"][number];

const MAY: { readonly [may in May]: readonly [CallMethod, string] } = {
  background: ["tool/background", t("Background")],
  kill: ["tool/kill", t("Kill")],
  undo: ["tool/undo", t("Undo")],
};

/** A call of an agent in its place; with its shell, where it has one, and where it is open with all that is kept of it, once that is there. */
export function record(
  call: CallRecord,
  shell: ShellInfo | null,
  ref: WantRecord,
  kept: RecordKept | null | undefined,
  heard: SoundKept | null,
  hand: Hand,
): TemplateResult {
  const sign = signOf(call, shell);
  const isDone = call.state === "succeeded";
  const may = (which: May): TemplateResult | typeof nothing => (call.may.includes(which) ? act(call, which, ref.chatId, hand) : nothing);
  return html`<details
      class="record"
      data-testid="record"
      data-state=${call.state}
      data-call-id=${call.callId}
      data-approval-id=${call.approvalId ?? nothing}
      ?open=${kept !== undefined}
      @toggle=${(event: Event) => turned(event, ref, hand)}
    >
      <summary>${line(sign, call, QUIET.includes(call.state))}${outcome(call, shell, sign)}</summary>
      <div class="inside">
        ${told(call, ref, kept ?? null, hand)}
        <p class="muted">${facts(call)} · ${call.because === "" ? sign.head : sentence(call.because)}</p>
        ${call.output === "" || (isDone && kept?.body?.kind === "edit") ? nothing : output(call)}${kept?.uri && isDone ? open(kept.uri, hand) : nothing}${may("undo")}
      </div>
    </details>
    <span class="does">${may("background")}${may("kill")}</span>
    ${call.sound === "" ? nothing : html`<assent-media .drawn=${{ name: call.sound, heard, ref, hand }}></assent-media>`}${call.flow === null ? nothing : html`<assent-flow .drawn=${{ call, flow: call.flow, chatId: ref.chatId, hand }}></assent-flow>`}${["running", "failed"].includes(call.state) && call.output !== "" ? tail(call) : nothing}`;
}

/** How it ended, and how long a command took. */
function outcome({ state, exitCode, took }: CallRecord, shell: ShellInfo | null, { tone }: Sign): TemplateResult | typeof nothing {
  const ends: { readonly [ended in CallRecord["state"]]?: string } = {
    failed: exitCode ? t("exit {0}", exitCode) : t("failed"),
    killed: t("ended"),
    backgrounded: shell === null ? "" : shell.state === "running" ? t("in the background") : stateOf(shell),
  };
  const lasted = took === null || took < MIN_TOLD_MS ? "" : duration(took);
  const words = [ends[state] ?? "", lasted].filter((each) => each !== "").join(" · ");
  return words === "" ? nothing : html`<span class="outcome" data-tone=${tone}>${words}</span>`;
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 10) return t("{0} s", (ms / 1_000).toLocaleString([], { maximumFractionDigits: 1 }));
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? t("{0} s", seconds) : t("{0} min {1} s", minutes, seconds % 60);
}

/** What ran, whole; until that is there, and where it is gone, what the record has of it. */
function told(call: CallRecord, ref: WantRecord, kept: RecordKept | null, hand: Hand): TemplateResult {
  const open = (file: number): void => hand.act({ kind: "openRecordDiff", ref, file });
  return html`${kept?.body ? nothing : html`<p>${part(call.part)}${title(call.title)}</p>${call.members.length === 0 ? nothing : members(call)}`}
    ${kept === null ? nothing : recorded(kept, call.title, hand, open)}`;
}

/** What is open is told by the page: a reader, a search or a print may open it, too. */
function turned({ target }: Event, ref: WantRecord, hand: Hand): void {
  if (target instanceof HTMLDetailsElement) hand.act({ kind: "turnRecord", ref, isOpen: target.open });
}

/** Leads to a file that a call made and no diff shows. */
function open(uri: string, hand: Hand): TemplateResult {
  return html`<button class="second act" data-testid="record-open" @click=${() => hand.act({ kind: "post", message: { kind: "reveal", uri } })}>${t("Open")}</button>`;
}

/** What was asked for, member by member. */
function members({ members: rows }: CallRecord): TemplateResult {
  return html`<dl class="rows" data-testid="record-members">
    ${rows.map(({ name, value }) => html`<dt>${spans(name)}</dt><dd>${code(value)}</dd>`)}
  </dl>`;
}

/** A settled question that belonged to no chat. */
export function settledRecord(settled: Settled): TemplateResult {
  const isAllowed = settled.outcome === "allowed";
  const call = { title: settled.title, because: settled.because, part: "" };
  const sign: Sign = isAllowed ? { sign: "✓", tone: "ok", head: t("Agreed") } : { sign: "✕", tone: "no", head: t("Not agreed") };
  return html`<div class="record" data-testid="record" data-state=${settled.outcome} data-approval-id=${settled.approvalId}>
    <p class="summary">${line(sign, call)}</p>
  </div>`;
}

/** What was done, and behind it how that was decided: only said aloud where it simply was let. */
function line(sign: Sign, call: Pick<CallRecord, "title" | "because" | "part">, isQuiet = false): TemplateResult {
  const why = call.because === "" ? nothing : html`: ${sentence(call.because)}`;
  const drawn = sign.sign === "time" ? clock() : sign.sign;
  const words = [sign.head, said(call.because)].filter((each) => each !== "").join(": ");
  return html`<span class="sign" data-tone=${sign.tone} title=${words} aria-hidden="true">${drawn}</span
    ><span class="line"><span class="what">${part(call.part)}${title(call.title)}</span><span class=${isQuiet ? "sr" : "why"}> — <b>${sign.head}</b>${why}</span></span>`;
}

/** For which part of its work the agent made the call: in the agent's words, so nothing stays unseen. */
function part(name: string): TemplateResult | typeof nothing {
  return name === "" ? nothing : html`${mixed("in “{0}”", html`<bdi>${seen(name)}</bdi>`)}: `;
}

function facts(call: CallRecord): string {
  const at = new Date(call.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const row = call.recordId === null ? "" : t(" · row {0} of the journal", call.recordId);
  return `${at}${row}`;
}

function act(call: CallRecord, which: May, chatId: string, hand: Hand): TemplateResult {
  const [method, word] = MAY[which];
  const go = (): void => hand.act({ kind: "atCall", method, call: { chatId, callId: call.callId } });
  return html`<button class="second act" data-testid="record-${which}" data-still=${call.callId} aria-label="${word}: ${plain(titled(call.title))}" @click=${go}>${word}</button>`;
}

function output({ output: text, errors }: CallRecord): TemplateResult {
  const cut = text.length > MAX_OUTPUT_LETTERS ? "…" : "";
  return html`<pre class="raw output" dir="ltr" tabindex="0" role="region" aria-label=${t("What it printed")}>${cut}<assent-printed .drawn=${{ text, errors, most: MAX_OUTPUT_LETTERS }}></assent-printed></pre>`;
}

function tail({ output: text, errors, state }: CallRecord): TemplateResult {
  return html`<pre class="raw tail" dir="ltr" data-state=${state} data-testid="record-tail"><span><assent-printed .drawn=${{ text, errors, most: MAX_TAIL_LETTERS }}></assent-printed></span></pre>`;
}
