/** The page: the filters, the records in a list that arrows move in, and what is open below its row. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { repeat } from "lit/directives/repeat.js";
import { locale, many, t } from "../../shared/l10n";
import type { HistoryRow } from "../../shared/protocol";
import { seen } from "../dom/visible-text";
import { sentence, title } from "../dom/spans";
import { filters } from "./filters";
import { BY, signOf, type State, type Wanted, type Deeds } from "./model";
import { recordOf } from "./record";

/** What a person does with the page. */
export interface Gestures extends Deeds {
  readonly want: (wanted: Wanted) => void;
  readonly unfold: (open: boolean) => void;
  readonly reload: () => void;
  readonly more: () => void;
  readonly open: (row: HistoryRow) => void;
  readonly export: (form: "jsonl" | "csv") => void;
}

/** All of it. */
export function page(state: State, gestures: Gestures): TemplateResult {
  return html`<main class="history">
    <header>
      <h1>${t("History")}</h1>
      <span class="muted" role="status" data-testid="status">${statusOf(state)}</span>
      <span class="sp"></span>
      <button class="second" data-testid="reload" @click=${gestures.reload}>${state.isBehind ? t("Show newer") : t("Reload")}</button>
      <button class="second" data-testid="export-csv" @click=${() => gestures.export("csv")}>${t("Export CSV…")}</button>
      <button class="second" data-testid="export-jsonl" @click=${() => gestures.export("jsonl")}>${t("Export JSONL…")}</button>
    </header>
    ${filters(state, gestures.want, gestures.unfold)}
    ${state.problem === "" ? nothing : html`<p class="no" role="alert" data-testid="problem">${sentence(state.problem)}</p>`}
    <ol class="rows" aria-label=${t("Decisions, the newest first")} aria-busy=${String(state.isBusy)} @keydown=${moved}>
      ${repeat(state.rows, rowKey, (row) => item(row, state, gestures))}
    </ol>
    ${
      state.more
        ? html`<button class="second" data-testid="more" ?disabled=${state.isBusy} @click=${gestures.more}>${t("Show older ones")}</button>`
        : nothing
    }
  </main>`;
}

/** What tells one record from all others. */
export function rowKey({ recordId, hash }: Pick<HistoryRow, "recordId" | "hash">): string {
  return `${recordId} ${hash}`;
}

function statusOf({ rows, more, lookedThrough, isBusy, problem, wanted, isWorkspace }: State): string {
  if (lookedThrough < 1) return t("Looking the journal through for the first time: {0} %", Math.floor(lookedThrough * 100));
  if (isBusy) return t("Looking…");
  if (problem !== "") return "";
  const isHere = isWorkspace && !wanted.everywhere;
  const { length } = rows;
  if (length === 0) return t(isHere ? "No record fits in this workspace." : "No record fits.");
  if (more && isHere) return many(length, "The last one record in this workspace", "The last {0} records in this workspace");
  if (more) return many(length, "The last one record", "The last {0} records");
  if (isHere) return many(length, "One record in this workspace", "{0} records in this workspace");
  return many(length, "One record", "{0} records");
}

function item(row: HistoryRow, { opened }: State, gestures: Gestures): TemplateResult {
  const isOpen = opened !== null && rowKey(opened.row) === rowKey(row);
  const [sign, word, tone] = signOf(row);
  return html`<li>
    <button class="row" data-row data-testid="row" aria-expanded=${String(isOpen)} @click=${() => gestures.open(row)}>
      <span class=${tone} aria-hidden="true">${sign}</span>
      <span class="what"><span class="sr">${word}: </span>${title(row.title)}</span>
      <span class="muted who">${whose(row)}</span>
      <time class="muted" datetime=${new Date(row.at).toISOString()}>${new Date(row.at).toLocaleString(locale())}</time>
    </button>
    ${isOpen ? recordOf(opened, gestures) : nothing}
  </li>`;
}

function whose({ agent, by, rule }: HistoryRow): TemplateResult {
  const decided = by === "" ? "" : t("by {0}", BY[by] ?? by);
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
