/** What the view has anyway, and lends to what it fetches. */

import type { Tools } from "./fetched";

export let html: Tools["html"];
export let icon: Tools["icon"];
export let nothing: Tools["nothing"];
export let render: Tools["render"];
export let svg: Tools["svg"];
export let said: Tools["said"];
export let spans: Tools["spans"];
export let t: Tools["t"];

/** Work with these from now on. */
export function work(tools: Tools): void {
  ({ html, icon, nothing, render, svg, said, spans, t } = tools);
}
