/**
 * An element that draws a message while it is still being written.
 *
 * Blocks that are finished are drawn once and never touched again; only the last one is read
 * anew, once per frame. Code is highlighted when its block is finished.
 */

import type { Beside, Reading } from "./fetched-readers";
import type { Block, Leaf } from "./nodes";

/** The reader of Markdown, once it is there; until then, and without it, words are words. */
let blocks: Reading | null = null;

/** Let the page draw `<assent-prose>`. */
export function defineProse(beside: Beside): void {
  customElements.define(
    "assent-prose",
    class extends Prose {
      protected override readonly beside = beside;
    },
  );
}

/** One message. */
export abstract class Prose extends HTMLElement {
  protected abstract readonly beside: Beside;
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
    if (blocks === null) {
      this.#wait();
      return;
    }
    delete this.dataset["plain"];
    const found = blocks(this.#text.slice(this.#fixed.length));
    // The last block may still grow, even if it is late.
    const last = Math.max(
      0,
      found.findLastIndex(({ raw }) => raw.trim() !== ""),
    );
    for (const each of found.slice(0, last)) this.#fix(each);
    const growing = found.slice(last).flatMap(({ leaves }) => leaves);
    this.#tail.replaceChildren(...growing.map((leaf) => (this.#done ? this.#coloured(leaf) : node(leaf))));
  }

  /** The text as it was written, until it can be read. */
  #wait(): void {
    this.#tail.textContent = this.#text;
    if (this.dataset["plain"] !== undefined) return;
    this.dataset["plain"] = "";
    void this.beside.reading().then((reading) => {
      blocks = reading;
      if (blocks !== null) this.#draw();
    });
  }

  #fix({ raw, leaves }: Block): void {
    this.#fixed += raw;
    for (const leaf of leaves) this.insertBefore(this.#coloured(leaf), this.#tail);
  }

  /** The leaf as it will stay; its code gets its colours where it stands. */
  #coloured(leaf: Leaf): Node {
    const drawn = node(leaf);
    if (typeof leaf === "string" || leaf.tag !== "pre") return drawn;
    const [code] = leaf.children;
    const place = drawn.firstChild;
    if (typeof code !== "object" || code.name === undefined || place === null) return drawn;
    const source = code.children.filter((child) => typeof child === "string").join("");
    void this.beside.colours(source, code.name).then((leaves) => paint(place, leaves));
    return drawn;
  }
}

function paint(place: Node, leaves: readonly Leaf[]): void {
  if (place instanceof Element) place.replaceChildren(...leaves.map(node));
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
