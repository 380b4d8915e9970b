/**
 * The bar of changed files: one row when closed, the files when open, and the way back of an undo.
 *
 * It stands above the transcript, where no card's buttons ever are: what a click on a card leaves
 * behind does not come below the pointer that made it. What acts here stands still first.
 */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { plain } from "../../shared/card";
import { many, mixed, t } from "../../shared/l10n";
import type { ChangedFile, ChangeShown, FilesUndone, Hunk } from "../../shared/protocol";
import { hunkLines, sizes } from "../cards/edit-body";
import { changedFiles, isOpen, undoneOf } from "./changes";
import type { Hand } from "../state/hand";
import { check, chevron, cross, discard } from "../dom/icons";
import type { State } from "../state/model";
import { sentence } from "../dom/spans";
import type { ChangesStep } from "../state/moments";

type Do = (step: ChangesStep) => void;

/** The bar, while anything is neither kept nor undone, or can be brought back. */
export function changesBar(state: State, hand: Hand): TemplateResult | typeof nothing {
  const files = changedFiles(state);
  const undone = undoneOf(state);
  if (files.length === 0 && undone === null) return nothing;
  const act: Do = (step) => hand.act({ kind: "changes", step });
  const open = isOpen(state) && files.length > 0;
  const escaped = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !open) return;
    event.stopPropagation();
    (event.currentTarget as HTMLElement).querySelector<HTMLElement>("[data-toggle]")?.focus();
    act({ kind: "turn" });
  };
  return html`<section class="changes" aria-label=${t("Changed files of this chat")} data-testid="changes" @keydown=${escaped}>
    ${
      files.length === 0
        ? nothing
        : html`<div class="row">
      <button class="icon-button" data-toggle data-testid="changes-toggle" aria-label=${t(open ? "Hide the changed files" : "Show the changed files")} aria-expanded=${open} @click=${() => act({ kind: "turn" })}>${chevron(open)}</button>
      <span class="counts" data-testid="changes-count"><bdi>${many(files.length, "1 file", "{0} files")}</bdi> <span class="nums">${sizes(files)}</span></span><span class="sp"></span>
      <button class="quiet" data-testid="undo-all" data-still=${about(files)} @click=${() => act({ kind: "act", what: "undo", files })}>${t("Undo all")}</button>
      <button class="second" data-testid="keep-all" data-still=${about(files)} @click=${() => act({ kind: "act", what: "keep", files })}>${t("Keep all")}</button>
    </div>`
    }
    ${open ? html`<ul class="changed" tabindex="-1">${files.map((file) => one(file, state.changes.files[file.fileId] ?? null, act))}${files.length < 2 ? nothing : html`<li class="row"><button class="quiet" data-testid="all-diffs" @click=${() => act({ kind: "diffs", files })}>${t("Open all diffs")}</button></li>`}</ul>` : nothing}
    ${undone === null ? nothing : wayBack(undone, files.length === 0, act)}
  </section>`;
}

/** What was undone last, and how it comes back; where nothing else is here, the keyboard goes to it. */
function wayBack({ undoId, paths, more }: FilesUndone, isAlone: boolean, act: Do): TemplateResult {
  const [first = []] = paths;
  const count = paths.length + more;
  const names = [...paths.map(plain), ...(more === 0 ? [] : ["…"])].join("\n");
  return html`<div class="row" data-testid="undone">
    <span class="counts way-back" id="undone" title=${names}>${count === 1 ? mixed("Undone: {0}", html`<bdi>${plain(first)}</bdi>`) : many(count, "Undone: 1 file", "Undone: {0} files")}</span>
    <button class="second" data-testid="redo" ?data-toggle=${isAlone} data-still=${undoId} aria-describedby="undone" @click=${() => act({ kind: "redo", undoId })}>${t("Redo")}</button>
    <button class="icon-button" data-testid="undone-dismiss" data-still=${undoId} title=${t("Dismiss")} aria-label=${t("Dismiss")} @click=${() => act({ kind: "dismiss", undoId })}>${cross()}</button>
  </div>`;
}

/** What a button acts on: where that changes, it means something else. */
function about(files: readonly ChangedFile[]): string {
  return files.map(({ digest }) => digest).join(" ");
}

function one(file: ChangedFile, shown: { readonly told: ChangeShown | null } | null, act: Do): TemplateResult {
  const path = plain(file.path);
  const name = path.slice(path.lastIndexOf("/") + 1);
  return html`<li data-testid="changed-file">
    <div class="row">
      <button class="icon-button" aria-label=${t(shown === null ? "Show the changes of {0}" : "Hide the changes of {0}", path)} aria-expanded=${shown === null ? "false" : "true"} @click=${() => act({ kind: "turnFile", file })}>${chevron(shown !== null)}</button>
      <button class="link" data-testid="change-diff" title=${path} aria-label=${t("Open the diff of {0}", path)} @click=${() => act({ kind: "diff", file })}><bdi class="way">${path.slice(0, path.length - name.length)}</bdi><bdi>${name}</bdi></button>
      ${file.new ? html`<span class="muted">${t("new")}</span>` : nothing}<span class="nums">${sizes([file])}</span><span class="sp"></span>
      <button class="icon-button" data-testid="undo-file" data-still=${file.digest} title=${t("Undo")} aria-label=${t("Undo {0}", path)} @click=${() => act({ kind: "act", what: "undo", files: [file] })}>${discard()}</button>
      <button class="icon-button" data-testid="keep-file" data-still=${file.digest} title=${t("Keep")} aria-label=${t("Keep {0}", path)} @click=${() => act({ kind: "act", what: "keep", files: [file] })}>${check()}</button>
    </div>
    ${shown === null ? nothing : changesOf(file, shown.told, act)}
  </li>`;
}

/** The first line that is another, as it is numbered now. */
function lineOf({ newStart, lines }: Hunk): number {
  return (
    newStart +
    Math.max(
      0,
      lines.findIndex(({ sign }) => sign !== " "),
    )
  );
}

/** What was changed in a file, hunk by hunk. */
function changesOf(file: ChangedFile, told: ChangeShown | null, act: Do): TemplateResult {
  if (told === null) return html`<p class="muted" aria-busy="true">…</p>`;
  const hunkAct = (what: "keepHunk" | "undoHunk", hunk: number): TemplateResult => {
    const word = what === "undoHunk" ? t("Undo") : t("Keep");
    const at = told.file.hunks[hunk];
    return html`<button class="quiet" data-testid=${what} data-still=${`${file.digest} ${hunk}`} aria-label=${t(what === "undoHunk" ? "Undo the change at line {0} of {1}" : "Keep the change at line {0} of {1}", at === undefined ? "" : lineOf(at), plain(file.path))} @click=${() => act({ kind: "actHunk", what, file, hunk })}>${word}</button>`;
  };
  return html`${told.note === "" ? nothing : html`<p class="because" data-testid="change-note">${sentence(told.note)} <button class="second" @click=${() => act({ kind: "diff", file })}>${t("Open diff")}</button></p>`}
    ${told.file.hunks.map(
      (hunk, at) => html`<div class="diff" data-testid="hunk">
      <div class="of"><span>${mixed("Line {0}", lineOf(hunk))}</span><span class="sum">${told.apart ? html`${hunkAct("undoHunk", at)}${hunkAct("keepHunk", at)}` : nothing}</span></div>
      ${hunkLines(hunk)}
    </div>`,
    )}`;
}
