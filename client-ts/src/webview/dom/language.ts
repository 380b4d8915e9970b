/** Has a page say what the extension says; imported before whatever says something. */

import { speak, type Words } from "../../shared/l10n";

const { lang, dataset } = document.documentElement;

export const WORDS = JSON.parse(dataset["words"] ?? "{}") as Words;

speak(WORDS, lang);
