/** Changes to files: hunks with signs that are also said in words. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { many, mixed, t } from "../../shared/l10n";
import type { EditBody, EditedFile, HunkLine, Span } from "../../shared/protocol";
import type { Hand } from "../state/hand";
import { spans } from "../dom/spans";
import { foldEntries, lineSize } from "./folds";
import { noted } from "../../shared/server-sentences";
import { folded } from "./folded-text";

/** Shows one of the files in the editor's own diff; null where nothing can. */
export type Open = ((file: number) => void) | null;

/** How the path of a file is drawn; null where it is said already. */
type Path = TemplateResult | readonly TemplateResult[] | null;

/** Every file of the change, with its path. */
export function edits(
  what: EditBody,
  path: (file: EditedFile) => Path,
  opened: boolean,
  hand: Hand | null,
  open = proposed(hand),
): TemplateResult {
  return html`${what.files.map((file, index) => edited(file, path(file), index, opened, hand, open))}`;
}

function proposed(hand: Hand | null): Open {
  return hand === null ? null : (file) => hand.act({ kind: "openDiff", file });
}

interface Numbered {
  readonly line: HunkLine;
  readonly number: number;
  /** Whether lines were left out before this one. */
  readonly gap: boolean;
  /** What the hunk that begins here stands in. */
  readonly heading: readonly Span[];
}

function edited(file: EditedFile, path: Path, index: number, opened: boolean, hand: Hand | null, open: Open): TemplateResult {
  return html`<div class="diff">
    <div class="of">
      ${path === null ? nothing : html`<span class="mono path" dir="ltr" data-exact>${path}</span>`}
      <span class="sum">
        ${file.new ? html`<span class="chip">${t("new file")}</span>` : nothing}
        ${sizes([file])}
        ${open === null ? nothing : html`<button class="quiet" data-testid="open-diff" @click=${() => open(index)}>${t("Open diff")}</button>`}
      </span>
    </div>
    ${lines(file, opened, hand)}
  </div>`;
}

/** How many lines come and go in these, with signs that are also said in words. */
export function sizes(files: readonly Pick<EditedFile, "added" | "removed">[]): TemplateResult {
  const added = files.reduce((sum, each) => sum + each.added, 0);
  const removed = files.reduce((sum, each) => sum + each.removed, 0);
  return html`<span class="plus"><span aria-hidden="true">+${added}</span><span class="sr">${many(added, "1 line added,", "{0} lines added,")}</span></span>
    <span class="minus"><span aria-hidden="true">−${removed}</span><span class="sr">${mixed("{0} removed", removed)}</span></span>`;
}

function lines(file: EditedFile, opened: boolean, hand: Hand | null): TemplateResult {
  const rows = numbered(file);
  if (opened || hand === null) return table(rows);
  const words = (count: string): string => t("Show {0} more lines — needed before you can allow", count);
  return folded(
    rows,
    foldEntries(rows, ({ line }) => lineSize(line)),
    table,
    words,
    hand,
  );
}

/** One hunk by itself. */
export function hunkLines(hunk: EditedFile["hunks"][number]): TemplateResult {
  return table(numbered({ hunks: [hunk] }));
}

function table(rows: readonly Numbered[]): TemplateResult {
  return html`<table role="presentation"><tbody>${rows.map(row)}</tbody></table>`;
}

const SAID: { readonly [sign in HunkLine["sign"]]: string } = {
  "+": `${t("added:")} `,
  "-": `${t("removed:")} `,
  " ": "",
};

/** Where a hunk begins: that lines were left out, and what it stands in. */
function begins({ gap, heading }: Numbered): TemplateResult | typeof nothing {
  if (!gap && heading.length === 0) return nothing;
  return html`<tr class="gap"><td colspan="3">${gap ? html`<span aria-hidden="true">⋯ </span>` : nothing}${heading.length === 0 ? nothing : html`<span data-testid="hunk-heading">${spans(heading)}</span>`}</td></tr>`;
}

function row(begun: Numbered): TemplateResult {
  const { line, number } = begun;
  const said = SAID[line.sign];
  const word = said === "" ? nothing : html`<span class="sr">${said}</span>`;
  const sign = line.sign === "-" ? "−" : line.sign;
  return html`${begins(begun)}<tr data-sign=${line.sign}>
    <td class="at">${number}</td><td class="sign">${word}<span aria-hidden="true">${sign}</span></td>
    <td class="mono" dir="ltr" data-exact>${spans(noted(line.text))}</td>
  </tr>`;
}

/** Each line with its number: in the old file where it is removed, else in the new one. */
function numbered(file: Pick<EditedFile, "hunks">): readonly Numbered[] {
  return file.hunks.flatMap((hunk, index) => {
    let [old, now] = [hunk.oldStart, hunk.newStart];
    return hunk.lines.map((line, at) => {
      const number = line.sign === "-" ? old : now;
      if (line.sign !== "+") old += 1;
      if (line.sign !== "-") now += 1;
      return { line, number, gap: index > 0 && at === 0, heading: at === 0 ? hunk.heading : [] };
    });
  });
}
