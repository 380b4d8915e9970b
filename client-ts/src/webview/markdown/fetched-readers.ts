/**
 * What the view fetches when it first draws a message: the reader of Markdown, and where there is
 * code in it, what colours code.
 *
 * All stand beside the view's own script and are trusted with it. Without them a message is drawn
 * as it was written, and code plain.
 */

import type { Words } from "../../shared/l10n";
import type { reader } from "../../shared/sentence-reader";
import { readBy } from "../../shared/server-sentences";
import type { Highlighter } from "./highlight";
import type { Block, Leaf } from "./nodes";

/** Highlighted code, as soon as it can be had. */
export type Colours = (code: string, language: string) => Promise<readonly Leaf[]>;

/** The blocks of a text. */
export type Reading = (text: string) => readonly Block[];

/** What a message is drawn with. */
export interface Beside {
  readonly colours: Colours;
  /** The reader of Markdown, as soon as it can be had; nothing where it cannot. */
  readonly reading: () => Promise<Reading | null>;
  /** Have the server's sentences read in these words; where that cannot be had, they stay English. */
  readonly sentences: (words: Words) => Promise<void>;
}

/** What stands beside this script. */
export function beside(script: string): Beside {
  const path = (name: string): string => new URL(name, script).href;
  let highlight: Promise<Highlighter> | null = null;
  let markdown: Promise<Reading | null> | null = null;
  return {
    reading: async () => {
      markdown ??= import(path("markdown.js")).then(
        ({ blocks }: { readonly blocks: Reading }) => blocks,
        () => null,
      );
      return markdown;
    },
    sentences: async (words) =>
      import(path("reading.js")).then(
        (module: { readonly reader: typeof reader }) => readBy(module.reader(words)),
        () => undefined,
      ),
    colours: async (code, language) => {
      highlight ??= import(path("highlight.js")).then((module: { readonly highlighter: () => Highlighter }) => module.highlighter());
      try {
        return (await highlight)(code, language);
      } catch {
        return [code];
      }
    },
  };
}
