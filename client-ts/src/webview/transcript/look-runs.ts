/** Reads and searches in a row, as one line that unfolds. */

import { plain } from "../../shared/card";
import { many, t } from "../../shared/l10n";
import type { CallRecord, Item } from "../../shared/protocol";

/** Entries that stand together: one, or several that only looked at something. */
export interface Run {
  /** The number of the first of them. */
  readonly at: number;
  readonly items: readonly Item[];
}

/** The entries in their order, those in one run that only looked at something, one after the other. */
export function runsOf(items: readonly Item[], first: number): readonly Run[] {
  const runs: { at: number; items: Item[] }[] = [];
  for (const [index, item] of items.entries()) {
    const last = runs.at(-1);
    const before = last?.items.at(-1);
    if (before !== undefined && isLook(item) && isLook(before)) last?.items.push(item);
    else runs.push({ at: first + index, items: [item] });
  }
  return runs;
}

/** A look that came to nothing, or that waits, is told by itself. */
export function isLook(item: Item): item is CallRecord {
  return item.kind === "call" && item.looks !== null && item.state === "succeeded";
}

/** What was looked at, in words: places by their number, searches by how often. */
export function lookedAt(calls: readonly CallRecord[]): string {
  const of = (looks: CallRecord["looks"]): readonly CallRecord[] => calls.filter((call) => call.looks === looks);
  const places = (some: readonly CallRecord[]): number => new Set(some.map(({ title }) => plain(title))).size;
  const [read, listed, searched] = [places(of("read")), places(of("list")), of("search").length];
  const words = [
    read === 0 ? "" : many(read, "read 1 file", "read {0} files"),
    listed === 0 ? "" : many(listed, "listed 1 folder", "listed {0} folders"),
    searched === 0 ? "" : searched === 2 ? t("searched twice") : many(searched, "searched once", "searched {0} times"),
  ];
  const all = words.filter((each) => each !== "").join(", ");
  return all.charAt(0).toUpperCase() + all.slice(1);
}
