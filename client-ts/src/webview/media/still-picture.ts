/**
 * A picture that moves, while it stands still: its first frame, on a canvas.
 *
 * A small file may be a picture of many megabytes. So no more than one is decoded at a time, in the
 * chat no larger than it is shown, and each is held only while it is in sight.
 */

import type { Picture } from "../../shared/protocol";
import { t } from "../dom/lent-tools";

export interface Standing {
  readonly picture: Picture;
  /** Whose it is. */
  readonly words: string;
  /** So many pixels of the longer side are drawn at most. */
  readonly most: number;
}

/** Those that wait to be decoded. */
let line: Promise<void> = Promise.resolve();

/** Let the page draw `<assent-still>`, which has no box of its own: what it stands in is looked at. */
export function defineStill(): void {
  customElements.define("assent-still", Still);
}

class Still extends HTMLElement {
  #standing: Standing | null = null;
  #isSeen = false;
  readonly #seen = new IntersectionObserver((seen) => this.#see(seen.at(-1)?.isIntersecting ?? false));

  set standing(standing: Standing) {
    const before = this.#standing?.picture;
    this.#standing = standing;
    if (standing.picture !== before) this.#begin();
  }

  connectedCallback(): void {
    if (this.parentElement !== null) this.#seen.observe(this.parentElement);
  }

  disconnectedCallback(): void {
    this.#seen.disconnect();
    this.#see(false);
  }

  #see(isSeen: boolean): void {
    this.#isSeen = isSeen;
    // Where it cannot be drawn, that goes on being said.
    if (this.querySelector("canvas") !== null) this.#begin();
  }

  /** An empty one takes the place of the last, and keeps it as long as nobody looks. */
  #begin(): void {
    if (this.#standing === null) return;
    const { picture, words, most } = this.#standing;
    const canvas = emptyOf(picture, words, most);
    // Without a size it holds nothing, whenever it is swept up.
    for (const old of this.querySelectorAll("canvas")) old.width = 0;
    this.replaceChildren(canvas);
    if (this.#isSeen) line = line.then(() => fill(canvas, picture));
  }
}

function emptyOf({ width, height }: Picture, words: string, most: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  const share = Math.min(1, most / Math.max(width, height));
  [canvas.width, canvas.height] = [Math.max(1, Math.round(width * share)), Math.max(1, Math.round(height * share))];
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", words);
  return canvas;
}

/** Draw the frame, unless nobody looks any more; or say that there is none. */
async function fill(canvas: HTMLCanvasElement, picture: Picture): Promise<void> {
  if (!canvas.isConnected) return;
  const frame = await frameOf(picture, canvas).catch(() => null);
  if (frame === null) canvas.replaceWith(t("This picture cannot be drawn here."));
  else canvas.getContext("2d")?.drawImage(frame, 0, 0);
  frame?.close();
}

async function frameOf({ mime, data }: Picture, { width, height }: HTMLCanvasElement): Promise<ImageBitmap> {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  return createImageBitmap(new Blob([bytes], { type: mime }), { resizeWidth: width, resizeHeight: height, resizeQuality: "medium" });
}
