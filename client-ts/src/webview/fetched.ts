/**
 * Elements whose drawing is fetched when the first of them is there: a workflow, a sound, a picture.
 *
 * It stands beside the view's own script and is trusted with it. Where it cannot be had, nothing is
 * drawn in their place, and it is tried again when there is something new to draw.
 */

import { html, render, svg, type TemplateResult } from "lit/html.js";
import { t } from "../l10n";
import { said } from "../said";

const TOOLS = { html, render, svg, t, said };

/** What a drawing is made with. */
export type Tools = typeof TOOLS;

export type Drawing<T> = (drawn: T) => TemplateResult;

/** Let the page draw `<assent-NAME>` by `NAME.js`; `script` is beside what that stands. */
export function defineFetched(name: string, script: string): void {
  let fetched: Promise<Drawing<unknown> | null> | null = null;
  const fetch = async (): Promise<Drawing<unknown> | null> => {
    try {
      const { drawing } = (await import(new URL(`${name}.js`, script).href)) as { readonly drawing: (tools: Tools) => Drawing<unknown> };
      return drawing(TOOLS);
    } catch {
      fetched = null;
      return null;
    }
  };
  customElements.define(
    `assent-${name}`,
    class extends HTMLElement {
      #last: unknown = null;

      set drawn(drawn: unknown) {
        this.#last = drawn;
        fetched ??= fetch();
        void fetched.then((draw) => {
          if (draw !== null && this.#last === drawn) render(draw(drawn), this);
        });
      }
    },
  );
}
