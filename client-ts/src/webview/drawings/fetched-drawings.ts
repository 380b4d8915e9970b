/**
 * What is drawn by a script that is fetched when the first of it is there: workflows, pictures and
 * sounds, outputs, what rewinding would do, and the fields of a form.
 *
 * It stands beside the view's own script and is trusted with it. Where it cannot be had, nothing is
 * drawn in their place, and it is tried again when there is something new to draw.
 */

import { html, nothing, render, svg, type TemplateResult } from "lit/html.js";
import { mixed, t } from "../../shared/l10n";
import { said } from "../../shared/server-sentences";
import type { drawings } from "./main";
import { icon } from "../dom/icons";
import { code, sentence, spans } from "../dom/spans";
import type { Tools } from "../dom/lent-tools";

const TOOLS: Tools = { code, html, icon, mixed, nothing, render, svg, said, sentence, spans, t };

/** What draws them, as soon as it can be had; null where it cannot. */
export type Fetching = () => Promise<ReturnType<typeof drawings> | null>;

/** Fetches it once, from beside this script. */
export function fetching(script: string): Fetching {
  let fetched: ReturnType<Fetching> | null = null;
  const fetch: Fetching = async () => {
    try {
      const module = (await import(new URL("drawings.js", script).href)) as { readonly drawings: typeof drawings };
      return module.drawings(TOOLS);
    } catch {
      fetched = null;
      return null;
    }
  };
  return async () => (fetched ??= fetch());
}

/** Let the page draw `<assent-NAME>` so. */
export function defineFetched(name: "flow" | "media" | "printed" | "rewind", fetch: Fetching): void {
  customElements.define(
    `assent-${name}`,
    class extends HTMLElement {
      #last: unknown = null;

      set drawn(drawn: unknown) {
        this.#last = drawn;
        void fetch().then((all) => {
          const draw = all?.[name] as ((drawn: unknown) => TemplateResult) | undefined;
          if (draw !== undefined && this.#last === drawn) render(draw(drawn), this);
        });
      }
    },
  );
}
