/** Whether a card's title says all of its call, so that the body need not say it again. */

import type { Card, Span } from "../../shared/protocol";
import { hasParts } from "./command-parts";
import { exact } from "./folds";

/** Whether the title of a card says all of its call, to the letter and with nothing marked in it. */
export function saysAll(card: Card): boolean {
  return card.level !== "high" && card.members.length === 0 && saysBody(card);
}

export function saysBody({ title, body: what }: Card): boolean {
  const says = (text: readonly Span[]): boolean => isIn(title, text);
  if (what.kind === "read") return what.paths.length === 1 && what.paths.every(says);
  if (what.kind !== "shell" || !hasParts(what) || what.parts.length > 1) return false;
  return what.parts.every(({ text, because }) => says(text) && because === "") && says(what.command);
}

/** Whether a title says this, to the letter; blanks in a row are one there. */
export function isIn(title: readonly Span[], text: readonly Span[]): boolean {
  const all = exact(text);
  return (
    text.every(isPlain) && /^\S+(?: \S+)*$/u.test(all) && title.some((span) => span.kind === "code" && isPlain(span) && span.text === all)
  );
}

function isPlain({ kind, shown }: Span): boolean {
  return shown === null && (kind === "plain" || kind === "code");
}
