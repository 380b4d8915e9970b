/** How a message is sent, and how much goes with one. */

import { t } from "../../shared/l10n";
import { withErrand, withRequest, type Queued, type State } from "../state/model";

/** So many pictures and so many names go with one prompt, as the server takes them. */
const MAX_IMAGES = 4;
export const MAX_REFERENCES = 20;

/** Send these words in the chat that is shown, with what goes with the draft. */
export function sends(state: State, chatId: string, text: string): State {
  const { images, references } = state;
  const after = withErrand({ ...state, images: [], references: [], note: null, live: "" }, { kind: "toEnd" });
  return asked(after, chatId, { text, images, references });
}

/** Say this in a chat. */
export function asked(state: State, chatId: string, { text, images, references }: Queued): State {
  const params = {
    chatId,
    text,
    ...(images.length === 0 ? {} : { images }),
    ...(references.length === 0 ? {} : { references: references.map(({ reference }) => reference) }),
  };
  return withRequest(state, "agent/prompt", params, { kind: "prompt", chatId, text, images, references });
}

/** Why a message is not sent with all of this; null where it is. */
export function tooMany({ images, references }: Pick<Queued, "images" | "references">): string | null {
  if (images.length > MAX_IMAGES) return t("No more than {0} pictures go with one prompt.", MAX_IMAGES);
  return references.length > MAX_REFERENCES ? t("No more than {0} things are named in one message.", MAX_REFERENCES) : null;
}

/** One message of two, with what goes with both. */
export function joined(before: Queued | undefined, { text, images, references }: Queued): Queued {
  if (before === undefined) return { text, images, references };
  const named = new Set(before.references.map(({ reference }) => JSON.stringify(reference)));
  return {
    text: [before.text, text].filter((each) => each !== "").join("\n\n"),
    images: [...before.images, ...images],
    references: [...before.references, ...references.filter(({ reference }) => !named.has(JSON.stringify(reference)))],
  };
}
