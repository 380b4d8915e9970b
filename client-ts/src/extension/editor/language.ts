/**
 * Has the extension speak the editor's language; imported before whatever says something.
 *
 * The editor has read the words by then. Where there are none for its language, it is English.
 */

import { speak, type Words } from "../../shared/l10n";
import { reader } from "../../shared/sentence-reader";
import { readBy } from "../../shared/server-sentences";
import { env, l10n } from "./vscode";

/** What a page is told, so that it says the same. */
export const SPOKEN: { readonly words: Words; readonly language: string } =
  l10n.bundle === undefined ? { words: {}, language: "en" } : { words: l10n.bundle, language: env.language };

speak(SPOKEN.words, SPOKEN.language);
readBy(reader(SPOKEN.words));
