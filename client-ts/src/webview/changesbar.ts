/** The bar of changed files above the composer: one row when closed, the files when open. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { plain } from "../card";
import { many, mixed, t } from "../l10n";
import type { ChangedFile, ChangeShown, Hunk } from "../protocol";
import { hunkLines, sizes } from "./card/edit";
import { changedFiles, isOpen, type ChangesStep } from "./changes";
import type { Hand } from "./hand";
import { check, chevron, discard } from "./icons";
import type { State } from "./model";
import { sentence } from "./spans";

type Do = (step: ChangesStep) => void;

/** The bar, while anything is neither kept nor undone. */
export function changesBar(state: State, hand: Hand): TemplateResult | typeof nothing {
  const files = changedFiles(state);
  if (files.length === 0) return nothing;
  const act: Do = (step) => hand.act({ kind: "changes", step });
  const open = isOpen(state);
  const escaped = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !open) return;
    event.stopPropagation();
    (event.currentTarget as HTMLElement).querySelector<HTMLElement>("[data-toggle]")?.focus();
    act({ kind: "turn" });
  };
  return html`<section class="changes" aria-label=${t("Changed files of this chat")} data-testid="changes" @keydown=${escaped}>
    <div class="row">
      <button class="icon-button" data-toggle data-testid="changes-toggle" aria-label=${t(open ? "Hide the changed files" : "Show the changed files")} aria-expanded=${open ? "true" : "false"} @click=${once(() => act({ kind: "turn" }))}>${chevron(open)}</button>
      <span class="counts" data-testid="changes-count"><bdi>${many(files.length, "1 file", "{0} files")}</bdi> <span class="nums">${sizes(files)}</span></span><span class="sp"></span>
      <button class="quiet" data-testid="undo-all" @click=${once(() => act({ kind: "act", what: "undo", files }))}>${t("Undo all")}</button>
      <button class="second" data-testid="keep-all" @click=${once(() => act({ kind: "act", what: "keep", files }))}>${t("Keep all")}</button>
    </div>
    ${open ? html`<ul class="changed" tabindex="-1">${files.map((file) => one(file, state.changes.files[file.fileId] ?? null, act))}${files.length < 2 ? nothing : html`<li class="row"><button class="quiet" data-testid="all-diffs" @click=${once(() => act({ kind: "diffs", files }))}>${t("Open all diffs")}</button></li>`}</ul>` : nothing}
  </section>`;
}

/** The second click of a double click does nothing: another file may have taken the place. */
function once(go: () => void): (event: MouseEvent) => void {
  return (event) => {
    if (event.detail < 2) go();
  };
}

function one(file: ChangedFile, shown: { readonly told: ChangeShown | null } | null, act: Do): TemplateResult {
  const path = plain(file.path);
  const name = path.slice(path.lastIndexOf("/") + 1);
  return html`<li data-testid="changed-file">
    <div class="row">
      <button class="icon-button" aria-label=${t(shown === null ? "Show the changes of {0}" : "Hide the changes of {0}", path)} aria-expanded=${shown === null ? "false" : "true"} @click=${once(() => act({ kind: "turnFile", file }))}>${chevron(shown !== null)}</button>
      <button class="link" data-testid="change-diff" title=${path} aria-label=${t("Open the diff of {0}", path)} @click=${once(() => act({ kind: "diff", file }))}><bdi class="way">${path.slice(0, path.length - name.length)}</bdi><bdi>${name}</bdi></button>
      ${file.new ? html`<span class="muted">${t("new")}</span>` : nothing}<span class="nums">${sizes([file])}</span><span class="sp"></span>
      <button class="icon-button" data-testid="undo-file" title=${t("Undo")} aria-label=${t("Undo {0}", path)} @click=${once(() => act({ kind: "act", what: "undo", files: [file] }))}>${discard()}</button>
      <button class="icon-button" data-testid="keep-file" title=${t("Keep")} aria-label=${t("Keep {0}", path)} @click=${once(() => act({ kind: "act", what: "keep", files: [file] }))}>${check()}</button>
    </div>
    ${shown === null ? nothing : changesOf(file, shown.told, act)}
  </li>`;
}

/** The first line that is another, as it is numbered now. */
function lineOf({ newStart, lines }: Hunk): number {
  return newStart + Math.max(0, lines.findIndex(({ sign }) => sign !== " "));
}

/** What was changed in a file, hunk by hunk. */
function changesOf(file: ChangedFile, told: ChangeShown | null, act: Do): TemplateResult {
  if (told === null) return html`<p class="muted" aria-busy="true">…</p>`;
  const hunkAct = (what: "keepHunk" | "undoHunk", hunk: number): TemplateResult => {
    const word = what === "undoHunk" ? t("Undo") : t("Keep");
    const at = told.file.hunks[hunk];
    return html`<button class="quiet" data-testid=${what} aria-label=${t(what === "undoHunk" ? "Undo the change at line {0} of {1}" : "Keep the change at line {0} of {1}", at === undefined ? "" : lineOf(at), plain(file.path))} @click=${once(() => act({ kind: "actHunk", what, file, hunk }))}>${word}</button>`;
  };
  return html`${told.note === "" ? nothing : html`<p class="because" data-testid="change-note">${sentence(told.note)} <button class="second" @click=${once(() => act({ kind: "diff", file }))}>${t("Open diff")}</button></p>`}
    ${told.file.hunks.map((hunk, at) => html`<div class="diff" data-testid="hunk">
      <div class="of"><span>${mixed("Line {0}", lineOf(hunk))}</span><span class="sum">${told.apart ? html`${hunkAct("undoHunk", at)}${hunkAct("keepHunk", at)}` : nothing}</span></div>
      ${hunkLines(hunk)}
    </div>`)}`;
}
