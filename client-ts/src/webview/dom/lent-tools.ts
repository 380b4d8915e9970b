/** What the view has anyway, and lends to what it fetches. */

import type { html as Html, nothing as Nothing, render as Render, svg as Svg } from "lit/html.js";
import type { t as T } from "../../shared/l10n";
import type { said as Said } from "../../shared/server-sentences";
import type { icon as Icon } from "./icons";
import type { spans as Spans } from "./spans";

/** What is lent. */
export interface Tools {
  readonly html: typeof Html;
  readonly icon: typeof Icon;
  readonly nothing: typeof Nothing;
  readonly render: typeof Render;
  readonly svg: typeof Svg;
  readonly said: typeof Said;
  readonly spans: typeof Spans;
  readonly t: typeof T;
}

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
