/**
 * What a selection is worth when it is copied.
 *
 * Boxes such as `U+202E` or `⟨188 spaces⟩` are copied as the characters they stand for, and of a
 * command that is drawn in rows only the command.
 */

/** The exact text of what is selected, or null where the page's own copying is exact. */
export function exactCopy(selection: Selection | null): string | null {
  if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  const part = range.cloneContents();
  const boxes = part.querySelectorAll<HTMLElement>("[data-copy]");
  const around = elementOf(range.commonAncestorContainer);
  const inside = around?.closest<HTMLElement>("[data-copy]");
  if (inside) return inside.dataset["copy"] ?? null;
  for (const box of boxes) box.textContent = box.dataset["copy"] ?? "";
  if (around?.closest("[data-exact]")) return part.textContent;
  if (around?.closest("[data-steps]")) return rowsOf(part);
  if (boxes.length === 0) return null;
  for (const line of part.querySelectorAll("li, tr, p, h2, dd, pre")) line.append("\n");
  return part.textContent;
}

/** The command in these rows, without the marks and the reasons beside it. */
function rowsOf(part: DocumentFragment): string {
  const rows = [...part.querySelectorAll<HTMLElement>("[data-exact]")];
  // What is dangerous stands first; copied, each stands in its place.
  const place = (row: HTMLElement): number => Number(row.closest<HTMLElement>("[data-at]")?.dataset["at"] ?? 0);
  return rows
    .toSorted((one, other) => place(one) - place(other))
    .map((row) => row.textContent)
    .join("");
}

function elementOf(node: Node): Element | null {
  return node instanceof Element ? node : node.parentElement;
}
