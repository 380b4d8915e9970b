/**
 * An element that draws a message while it is still being written.
 *
 * Blocks that are finished are drawn once and never touched again; only the last one is read
 * anew, once per frame. Code is highlighted when its block is finished.
 */

import type { Highlighter } from "./highlight";
import { blocks, type Block, type Leaf } from "./markdown";

/** Let the page draw `<assent-prose>`. */
export function defineProse(highlight: Highlighter): void {
  customElements.define(
    "assent-prose",
    class extends Prose {
      protected override readonly highlight = highlight;
    },
  );
}

/** One message. */
export abstract class Prose extends HTMLElement {
  protected abstract readonly highlight: Highlighter;
  #text = "";
  #done = false;
  /** The beginning that is drawn for good. */
  #fixed = "";
  readonly #tail = document.createElement("div");

  set text(text: string) {
    const unified = text.replace(/\r\n?/gu, "\n");
    if (unified === this.#text) return;
    this.#text = unified;
    this.#draw();
  }

  set done(done: boolean) {
    if (done === this.#done) return;
    this.#done = done;
    this.#draw();
  }

  #draw(): void {
    if (this.#tail.parentNode !== this || !this.#text.startsWith(this.#fixed)) {
      this.#fixed = "";
      this.replaceChildren(this.#tail);
    }
    const found = blocks(this.#text.slice(this.#fixed.length));
    // The last block may still grow, even if it is late.
    const last = Math.max(0, found.findLastIndex(({ raw }) => raw.trim() !== ""));
    for (const each of found.slice(0, last)) this.#fix(each);
    const growing = found.slice(last).flatMap(({ leaves }) => leaves);
    const drawn = this.#done ? growing.map((leaf) => this.#coloured(leaf)) : growing;
    this.#tail.replaceChildren(...drawn.map(node));
  }

  #fix({ raw, leaves }: Block): void {
    this.#fixed += raw;
    for (const leaf of leaves) this.insertBefore(node(this.#coloured(leaf)), this.#tail);
  }

  #coloured(leaf: Leaf): Leaf {
    if (typeof leaf === "string" || leaf.tag !== "pre") return leaf;
    const [code] = leaf.children;
    if (typeof code !== "object" || code.name === undefined) return leaf;
    const source = code.children.filter((child) => typeof child === "string").join("");
    const children = this.highlight(source, code.name);
    return { ...leaf, children: [{ ...code, children }] };
  }
}

/** A leaf as a node of the page. */
function node(leaf: Leaf): Node {
  if (typeof leaf === "string") return document.createTextNode(leaf);
  const element = document.createElement(leaf.tag);
  element.append(...leaf.children.map(node));
  if (leaf.href !== undefined) {
    element.setAttribute("href", leaf.href);
    element.title = leaf.href;
  }
  if (leaf.name !== undefined) element.dataset["name"] = leaf.name;
  if (leaf.tag === "ol" && leaf.number !== undefined) element.setAttribute("start", `${leaf.number}`);
  if (leaf.tag === "h2" && leaf.number !== undefined) element.dataset["depth"] = `${leaf.number}`;
  return element;
}
