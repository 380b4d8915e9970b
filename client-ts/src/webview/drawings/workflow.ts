/**
 * The workflow that a call runs, drawn: a row for each level, a box for each step.
 *
 * Sign, words and border tell how a step stands. The drawing is one image; its description lists
 * all steps. Below it stands what a person can do about a run that did not come to its end.
 */

import type { TemplateResult } from "lit/html.js";
import type { CallRecord, Flow, FlowStep } from "../../shared/protocol";
import type { Hand } from "../state/hand";
import { html, said, svg, t } from "../dom/lent-tools";

/** What is drawn, and who is told what a person does there. */
interface Drawn {
  readonly call: CallRecord;
  readonly flow: Flow;
  readonly chatId: string;
  readonly hand: Hand;
}

type State = FlowStep["state"];

const COLUMN_WIDTH = 160;
const ROW_HEIGHT = 56;
const BOX_WIDTH = 150;
const BOX_HEIGHT = 38;
const MAX_COLUMNS = 2;
const MAX_NAME_LETTERS = 16;
const MAX_WORDS_LETTERS = 20;

const LOOKS = (): { readonly [state in State]: readonly [string, string] } => ({
  pending: ["○", t("not yet")],
  waiting: ["?", t("being ruled on")],
  running: ["▸", t("runs")],
  done: ["✓", t("done")],
  kept: ["✓", t("kept from before")],
  failed: ["!", t("failed")],
  refused: ["✕", t("refused")],
  skipped: ["–", t("skipped")],
  unreached: ["○", t("not reached")],
});

const OVER: readonly State[] = ["done", "kept", "skipped"];
const LIVE: readonly CallRecord["state"][] = ["proposed", "waiting", "running"];

/** The drawing, and from where the workflow can be run again. */
export function flow({ call, flow: { name, steps }, chatId, hand }: Drawn): TemplateResult {
  const isLive = LIVE.includes(call.state);
  const all = isLive ? steps : steps.map(brokenOff);
  return html`${drawn({ name, steps: all })}${isLive ? null : again(all, call.callId, chatId, hand)}`;
}

/** Of a run that is over nothing runs any more, whatever was told of it last. */
function brokenOff(step: FlowStep): FlowStep {
  return step.state === "running" || step.state === "waiting" ? { ...step, state: "failed", note: t("broken off") } : step;
}

function drawn({ name, steps }: Flow): TemplateResult {
  const [places, rows] = placed(steps);
  const told = steps.map((step) => `${step.name}: ${words(step)}`).join(". ");
  const wide = Math.min(MAX_COLUMNS, steps.length) * COLUMN_WIDTH;
  return html`<svg class="flow" data-testid="flow" viewBox="0 0 ${wide} ${rows * ROW_HEIGHT}" width=${wide} height=${rows * ROW_HEIGHT} role="img" aria-label="${t("Workflow {0}, {1} steps", name, steps.length)}. ${told}">
    ${steps.flatMap(({ needs }, at) => needs.map((need) => line(places[need], places[at])))}
    ${steps.map((step, at) => box(step, places[at]))}
  </svg>`;
}

type Place = readonly [number, number];

/** Where each step stands, and how many rows there are: two abreast, each level below the one before. */
function placed(steps: readonly FlowStep[]): [Place[], number] {
  const places: Place[] = [];
  let row = 0;
  let column = 0;
  steps.forEach(({ level }, at) => {
    if (at > 0 && (column === MAX_COLUMNS || level !== steps[at - 1]?.level)) [row, column] = [row + 1, 0];
    places.push([column * COLUMN_WIDTH, row * ROW_HEIGHT]);
    column += 1;
  });
  return [places, row + 1];
}

function line(from: Place = [0, 0], to: Place = [0, 0]): TemplateResult {
  const [x, y] = [from[0] + BOX_WIDTH / 2, from[1] + BOX_HEIGHT];
  return svg`<path d="M${x} ${y}L${to[0] + BOX_WIDTH / 2} ${to[1]}"/>`;
}

function box(step: FlowStep, [x, y]: Place = [0, 0]): TemplateResult {
  return svg`<g data-state=${step.state} transform="translate(${x},${y})"><title>${step.name}: ${step.run}. ${words(step)}</title>
    <rect x="1" y="1" width=${BOX_WIDTH - 2} height=${BOX_HEIGHT - 2} rx="5"/><text x="9" y="24">${LOOKS()[step.state][0]}</text>
    <text x="26" y="16">${cut(step.name, MAX_NAME_LETTERS)}</text><text class="muted" x="26" y="30">${cut(words(step), MAX_WORDS_LETTERS)}</text></g>`;
}

function words({ state, note }: FlowStep): string {
  const [, word] = LOOKS()[state];
  return note === "" ? word : `${word}: ${said(note)}`;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** From the first step that is not done; whatever it waits for is, so it failed or was broken off. */
function again(steps: readonly FlowStep[], callId: string, chatId: string, hand: Drawn["hand"]): TemplateResult | null {
  const from = steps.find(({ state }) => !OVER.includes(state));
  if (from === undefined) return null;
  const step = from.name;
  const go = (): void => hand.act({ kind: "again", call: { chatId, callId, step } });
  return html`<span class="does"><span class="muted">${t("What the other steps gave is kept.")}</span>
    <button class="second act" data-testid="flow-again" data-still=${`${callId} ${step}`} @click=${go}>${t("Run again from {0}", step)}</button></span>`;
}
