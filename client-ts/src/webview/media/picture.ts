/**
 * A picture in the chat: small, still, and a button that opens it large.
 *
 * One that moves is drawn by its first frame; it moves where it is looked at alone.
 */

import type { TemplateResult } from "lit/html.js";
import { html, render, t } from "../dom/lent-tools";
import { addressOf } from "./address";
import { openLarge, type Shown } from "./large-picture";

/** So many pixels of one that stands still are drawn here: sharp where a screen has two for one. */
const MAX_SIDE_PX = 600;

/** Let the page draw `<assent-picture>`. */
export function definePicture(): void {
  customElements.define(
    "assent-picture",
    class extends HTMLElement {
      #close: (() => void) | null = null;

      set shown(shown: Shown) {
        const open = (): void => {
          this.#close?.();
          this.#close = openLarge(shown);
        };
        render(small(shown, open), this);
      }

      disconnectedCallback(): void {
        this.#close?.();
      }
    },
  );
}

function small({ picture, words }: Shown, open: () => void): TemplateResult {
  const drawn = picture.moves
    ? html`<assent-still .standing=${{ picture, words, most: MAX_SIDE_PX }}></assent-still>`
    : html`<img src=${addressOf(picture)} alt=${words} />`;
  return html`<button data-testid="open-large" title=${t("Open large")} @click=${open}>${drawn}</button>`;
}
