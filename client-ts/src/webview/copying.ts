/**
 * What a selection is worth when it is copied.
 *
 * Boxes such as `U+202E` or `⟨188 spaces⟩` are copied as the characters they stand for.
 */

/** The exact text of what is selected, or null where the page's own copying is exact. */
export function exactCopy(selection: Selection | null): string | null {
  if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  const part = range.cloneContents();
  const boxes = part.querySelectorAll<HTMLElement>("[data-copy]");
  const inside = elementOf(range.commonAncestorContainer)?.closest<HTMLElement>("[data-copy]");
  if (inside) return inside.dataset["copy"] ?? null;
  if (boxes.length === 0) return null;
  for (const box of boxes) box.textContent = box.dataset["copy"] ?? "";
  for (const line of part.querySelectorAll("li, tr, p, h2, dd, pre")) line.append("\n");
  return part.textContent;
}

function elementOf(node: Node): Element | null {
  return node instanceof Element ? node : node.parentElement;
}
