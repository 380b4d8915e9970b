/**
 * Draws what not every chat has: workflows, pictures and sounds, outputs, what rewinding would do, and the fields of a form.
 *
 * It is fetched when the first of them is there, and works with what the view has anyway.
 */

import { fields } from "../cards/form-fields";
import { flow } from "./workflow";
import { defineMedia, media } from "../media/media";
import { work, type Tools } from "../dom/lent-tools";
import { printed } from "../transcript/printed";
import { rewind } from "../transcript/rewind-panel";

/** What draws each, with these tools. */
export function drawings(tools: Tools): {
  readonly fields: typeof fields;
  readonly flow: typeof flow;
  readonly media: typeof media;
  readonly printed: typeof printed;
  readonly rewind: typeof rewind;
} {
  work(tools);
  defineMedia();
  return { fields, flow, media, printed, rewind };
}
