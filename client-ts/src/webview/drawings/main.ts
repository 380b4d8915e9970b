/**
 * Draws what not every chat has: workflows, pictures and sounds, and the fields of a form.
 *
 * It is fetched when the first of them is there, and works with what the view has anyway.
 */

import { fields } from "../cards/form-fields";
import { flow } from "./workflow";
import { defineMedia, media } from "../media/media";
import { work, type Tools } from "../dom/lent-tools";

/** What draws each, with these tools. */
export function drawings(tools: Tools): { readonly fields: typeof fields; readonly flow: typeof flow; readonly media: typeof media } {
  work(tools);
  defineMedia();
  return { fields, flow, media };
}
