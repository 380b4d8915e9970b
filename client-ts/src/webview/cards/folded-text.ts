/** A long text as it is drawn: its beginning and its end, and a button for the middle between them. */

import { html, type TemplateResult } from "lit/html.js";
import { t, locale } from "../../shared/l10n";
import type { Span } from "../../shared/protocol";
import type { Hand } from "../state/hand";
import { spans } from "../dom/spans";
import { foldSpans, type Folded } from "./folds";

/** A long exact text: its beginning and its end, and the middle once it was opened. */
export function exactText(parts: readonly Span[], opened: boolean, hand: Hand): TemplateResult {
  const box = (some: readonly Span[]): TemplateResult => html`<pre class="raw" dir="ltr" data-exact>${spans(some)}</pre>`;
  const words = (count: string): string => t("Show {0} more characters — needed before you can allow", count);
  return folded(parts, opened ? null : foldSpans(parts), box, words, hand);
}

/** All of it; or its beginning and its end, and what stands for the middle until it was opened. */
export function folded<T>(
  all: readonly T[],
  parts: Folded<T> | null,
  draw: (some: readonly T[]) => TemplateResult,
  words: (count: string) => string,
  hand: Hand,
): TemplateResult {
  if (parts === null) return draw(all);
  const open = (event: Event): void => {
    if (event.isTrusted) hand.act({ kind: "openMiddle" });
  };
  return html`${draw(parts.head)}<button class="fold" data-testid="open-middle" @click=${open}>
    ${words(parts.count.toLocaleString(locale()))}
  </button>${draw(parts.tail)}`;
}
