/**
 * Colours for finished code, by a second script that is fetched when the first code is drawn.
 *
 * It stands beside the view's own script and is trusted with it. Without it code is drawn plain.
 */

import type { Highlighter } from "./highlight";
import type { Leaf } from "./markdown";

/** Highlighted code, as soon as it can be had. */
export type Colours = (code: string, language: string) => Promise<readonly Leaf[]>;

/** What the second script hands over. */
interface Module {
  readonly highlighter: () => Highlighter;
}

/** Colours from the script that stands beside this one. */
export function coloursBeside(script: string): Colours {
  let fetched: Promise<Highlighter> | null = null;
  return async (code, language) => {
    const beside = new URL("highlight.js", script).href;
    fetched ??= import(beside).then((module: Module) => module.highlighter());
    try {
      return (await fetched)(code, language);
    } catch {
      return [code];
    }
  };
}
