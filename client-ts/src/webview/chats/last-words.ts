/**
 * What the person said last, whole, however many entries it stands in.
 *
 * What is long goes on in entries of its own, which are called after the message and their place.
 */

import { t } from "../../shared/l10n";
import type { Item } from "../../shared/protocol";

/** One message of the person. */
export interface LastWords {
  readonly text: string;
  readonly messageId: string;
  /** That what went with it does not come back; null where nothing did. */
  readonly leftOut: string | null;
}

export const GOES_ON = "+";

/** The last of them; null where they, or their beginning, are not among these entries. */
export function lastWords(items: readonly Item[]): LastWords | null {
  const last = items.findLastIndex(({ kind }) => kind === "user");
  const message = messageOf(items[last]);
  let text = "";
  for (let at = last; at >= 0; at -= 1) {
    const item = items[at];
    if (item?.kind !== "user" || messageOf(item) !== message) return null;
    text = item.text + text;
    if (!item.messageId.includes(GOES_ON))
      return { text, messageId: item.messageId, leftOut: leftOut(item.references, items.slice(last + 1)) };
  }
  return null;
}

/** Whether the person said something in these entries. */
export function hasWords(items: readonly Item[]): boolean {
  return items.some(({ kind }) => kind === "user");
}

function messageOf(item: Item | undefined): string | null {
  return item?.kind === "user" ? (item.messageId.split(GOES_ON, 1)[0] ?? null) : null;
}

function leftOut(names: readonly string[], since: readonly Item[]): string | null {
  const count = since.filter((item) => item.kind === "picture" && item.isOwn).length;
  const pictures = count === 0 ? [] : [count === 1 ? t("a picture") : t("{0} pictures", count)];
  const named = [...names, ...pictures].join(", ");
  return named === "" ? null : t("What was named beside it is not said again: {0}.", named);
}
