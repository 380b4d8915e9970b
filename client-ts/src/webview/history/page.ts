/** The page: the filters, the records in a list that arrows move in, and what is open below its row. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { repeat } from "lit/directives/repeat.js";
import type { HistoryRow } from "../../protocol";
import { seen } from "../card/seen";
import { sentence, spans } from "../spans";
import { filters } from "./filters";
import { BY, signOf, type State, type Wanted } from "./model";
import { recordOf, type Deeds } from "./record";

/** What a person does with the page. */
export interface Gestures extends Deeds {
  readonly want: (wanted: Wanted) => void;
  readonly reload: () => void;
  readonly more: () => void;
  readonly open: (row: HistoryRow) => void;
  readonly export: (form: "jsonl" | "csv") => void;
}

/** All of it. */
export function page(state: State, gestures: Gestures): TemplateResult {
  return html`<main class="history">
    <header>
      <h1>History</h1>
      <span class="muted" role="status" data-testid="status">${statusOf(state)}</span>
      <span class="sp"></span>
      <button class="second" data-testid="reload" @click=${gestures.reload}>${state.isBehind ? "Show newer" : "Reload"}</button>
      <button class="second" data-testid="export-csv" @click=${() => gestures.export("csv")}>Export CSV…</button>
      <button class="second" data-testid="export-jsonl" @click=${() => gestures.export("jsonl")}>Export JSONL…</button>
    </header>
    ${filters(state, gestures.want)}
    ${state.problem === "" ? nothing : html`<p class="no" role="alert" data-testid="problem">${sentence(state.problem)}</p>`}
    <ol class="rows" aria-label="Decisions, the newest first" aria-busy=${String(state.isBusy)} @keydown=${moved}>
      ${repeat(state.rows, rowKey, (row) => item(row, state, gestures))}
    </ol>
    ${state.more
      ? html`<button class="second" data-testid="more" ?disabled=${state.isBusy} @click=${gestures.more}>Show older ones</button>`
      : nothing}
  </main>`;
}

/** What tells one record from all others. */
export function rowKey({ recordId, hash }: Pick<HistoryRow, "recordId" | "hash">): string {
  return `${recordId} ${hash}`;
}

function statusOf({ rows, more, lookedThrough, isBusy, problem, wanted, isWorkspace }: State): string {
  if (lookedThrough < 1) return `Looking the journal through for the first time: ${Math.floor(lookedThrough * 100)} %`;
  if (isBusy) return "Looking…";
  if (problem !== "") return "";
  const where = isWorkspace && !wanted.everywhere ? " in this workspace" : "";
  if (rows.length === 0) return `No record fits${where}.`;
  const count = rows.length === 1 ? "one record" : `${rows.length} records`;
  return more ? `The last ${count}${where}` : `${count[0]?.toUpperCase() ?? ""}${count.slice(1)}${where}`;
}

function item(row: HistoryRow, { opened }: State, gestures: Gestures): TemplateResult {
  const isOpen = opened !== null && rowKey(opened.row) === rowKey(row);
  const [sign, word, tone] = signOf(row);
  return html`<li>
    <button class="row" data-row data-testid="row" aria-expanded=${String(isOpen)} @click=${() => gestures.open(row)}>
      <span class=${tone} aria-hidden="true">${sign}</span>
      <span class="what"><span class="sr">${word}: </span>${spans(row.title)}</span>
      <span class="muted who">${whose(row)}</span>
      <time class="muted" datetime=${new Date(row.at).toISOString()}>${new Date(row.at).toLocaleString()}</time>
    </button>
    ${isOpen ? recordOf(opened, gestures) : nothing}
  </li>`;
}

function whose({ agent, by, rule }: HistoryRow): TemplateResult {
  const decided = by === "" ? "" : `by ${BY[by] ?? by}`;
  return html`${seen([agent, decided].filter((each) => each !== "").join(", "))}${rule === "" ? nothing : html` <code>${seen(rule)}</code>`}`;
}

/** Arrows, Home and End go from row to row. */
function moved(event: KeyboardEvent): void {
  const rows = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("[data-row]")];
  const at = rows.indexOf(event.target as HTMLElement);
  if (at < 0) return;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  rows[Math.max(0, Math.min(rows.length - 1, to))]?.focus();
}
