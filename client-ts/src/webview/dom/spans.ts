/**
 * Texts that the server took apart, as nodes.
 *
 * Everything is drawn. What would not be seen is drawn in a box, and copied as what it is.
 */

import { said, titled } from "../../shared/server-sentences";
import { html, nothing, type TemplateResult } from "lit/html.js";
import type { Span } from "../../shared/protocol";

/** The spans of a text. */
export function spans(parts: readonly Span[]): readonly TemplateResult[] {
  return parts.map(span);
}

/** The spans of a title of the server's. */
export function title(parts: readonly Span[]): readonly TemplateResult[] {
  return spans(titled(parts));
}

/** The spans of exact text, such as a command: left to right, wrapped, never cut. */
export function code(parts: readonly Span[]): TemplateResult {
  return html`<span class="mono" dir="ltr" data-exact>${spans(parts)}</span>`;
}

/** A sentence of the server, in the editor's language. */
export function sentence(text: string): readonly (string | TemplateResult)[] {
  return ticked(said(text));
}

/** A text in which somebody else may speak, as it came; what stands between back-ticks is drawn as code. */
export function ticked(text: string): readonly (string | TemplateResult)[] {
  return text.split(/(`[^`]+`)/u).map((part) => (/^`[^`]+`$/u.test(part) ? html`<code>${part.slice(1, -1)}</code>` : part));
}

function span({ kind, text, shown }: Span): TemplateResult {
  const drawn = shown ?? text;
  switch (kind) {
    case "plain":
      return shown === null ? html`${text}` : html`<span data-copy=${text}>${shown}</span>`;
    case "code":
      return html`<code data-copy=${shown === null ? nothing : text}>${drawn}</code>`;
    case "danger":
      return html`<b class="hot" data-copy=${shown === null ? nothing : text}>${drawn}</b>`;
    case "hidden":
      return html`<span class="boxed" data-copy=${text}>${drawn}</span>`;
    case "spaces":
      return html`<span class="boxed" data-copy=${text}>${drawn}</span>`;
  }
}
