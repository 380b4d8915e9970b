/** What ran, in its record: the body of its card with nothing to be answered. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import type { Body, EditedFile, RecordKept, Span } from "../../shared/protocol";
import { members, other, read } from "../cards/body";
import { edits } from "../cards/edit-body";
import type { Hand } from "../state/hand";
import { spans } from "../dom/spans";
import { exactText } from "../cards/folded-text";
import { isIn } from "../cards/full-title";

/** All that is kept of a call; `open` shows one of its files in the editor's own diff. */
export function recorded(
  { body, members: rows, texts, note }: RecordKept,
  title: readonly Span[],
  hand: Hand,
  open: (file: number) => void,
): TemplateResult {
  return html`<div class="recorded" data-testid="recorded">
    ${body === null ? nothing : drawn(body, title, hand, texts ? open : null)}
    ${rows.length === 0 ? nothing : members(rows, true, hand)}
    ${note === "" ? nothing : html`<p class="muted" data-testid="record-note">${note}</p>`}
  </div>`;
}

function drawn(body: Body, title: readonly Span[], hand: Hand, open: ((file: number) => void) | null): TemplateResult | typeof nothing {
  switch (body.kind) {
    case "shell":
      return isIn(title, body.command) ? nothing : exactText(body.command, true, hand);
    case "edit":
      return html`${body.rows.length === 0 ? nothing : members(body.rows, true, hand)}${edits(body, link, true, null, open)}`;
    case "read":
      return read(body, true, hand);
    case "other":
      return other(body, true, hand);
    case "plan":
      return prose(body.text);
    case "question":
      return html`${prose(body.question)}<ul dir="auto">${body.choices.map(({ label, detail }) => html`<li>${spans(label)}${detail.length === 0 ? nothing : html` <small>${spans(detail)}</small>`}</li>`)}</ul>`;
    case "form":
      return html`${prose(body.message)}<ul dir="auto">${body.fields.map(({ label }) => html`<li>${spans(label)}</li>`)}</ul>`;
    case "trust":
      return nothing;
  }
}

/** A file that was changed, as a link to it. */
function link({ path, uri }: EditedFile): TemplateResult {
  return html`<a href=${uri}>${spans(path)}</a>`;
}

function prose(text: readonly Span[]): TemplateResult {
  return html`<pre class="raw prose" dir="auto" data-exact>${spans(text)}</pre>`;
}
