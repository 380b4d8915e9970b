/** Has a page say what the extension says; imported before whatever says something. */

import { speak, type Words } from "../l10n";

const { lang, dataset } = document.documentElement;
speak(JSON.parse(dataset["words"] ?? "{}") as Words, lang);
