/**
 * Where the workflow stands that a call runs. What draws it is fetched when there is one.
 *
 * It stands beside the view's own script and is trusted with it. Where it cannot be had, the call
 * stands there as any other, and it is tried again when the workflow has moved.
 */

import { html, render, svg, type TemplateResult } from "lit/html.js";
import { t } from "../l10n";
import { said } from "../said";
import type { CallRecord, Flow } from "../protocol";
import type { Hand } from "./hand";

/** What is drawn, and who is told what a person does there. */
export interface Drawn {
  readonly call: CallRecord;
  readonly flow: Flow;
  readonly chatId: string;
  readonly hand: Hand;
}

const TOOLS = { html, svg, t, said };

/** What a drawing is made with. */
export type Tools = typeof TOOLS;

export type Drawing = (drawn: Drawn) => TemplateResult;

/** Let the page draw `<assent-flow>`; `script` is where its own stands. */
export function defineFlow(script: string): void {
  let fetched: Promise<Drawing | null> | null = null;
  const fetch = async (): Promise<Drawing | null> => {
    try {
      const { drawing } = (await import(new URL("flow.js", script).href)) as { readonly drawing: (tools: Tools) => Drawing };
      return drawing(TOOLS);
    } catch {
      fetched = null;
      return null;
    }
  };
  customElements.define(
    "assent-flow",
    class extends HTMLElement {
      #last: Drawn | null = null;

      set drawn(drawn: Drawn) {
        this.#last = drawn;
        fetched ??= fetch();
        void fetched.then((draw) => {
          if (draw !== null && this.#last === drawn) render(draw(drawn), this);
        });
      }
    },
  );
}
