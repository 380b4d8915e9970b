/** What the view has anyway, and lends to what it fetches. */

import type { html as Html, nothing as Nothing, render as Render, svg as Svg } from "lit/html.js";
import type { mixed as Mixed, t as T } from "../../shared/l10n";
import type { said as Said } from "../../shared/server-sentences";
import type { icon as Icon } from "./icons";
import type { code as Code, sentence as Sentence, spans as Spans } from "./spans";

/** What is lent. */
export interface Tools {
  readonly code: typeof Code;
  readonly html: typeof Html;
  readonly icon: typeof Icon;
  readonly mixed: typeof Mixed;
  readonly nothing: typeof Nothing;
  readonly render: typeof Render;
  readonly svg: typeof Svg;
  readonly said: typeof Said;
  readonly sentence: typeof Sentence;
  readonly spans: typeof Spans;
  readonly t: typeof T;
}

export let code: Tools["code"];
export let html: Tools["html"];
export let icon: Tools["icon"];
export let mixed: Tools["mixed"];
export let nothing: Tools["nothing"];
export let render: Tools["render"];
export let svg: Tools["svg"];
export let said: Tools["said"];
export let sentence: Tools["sentence"];
export let spans: Tools["spans"];
export let t: Tools["t"];

/** Work with these from now on. */
export function work(tools: Tools): void {
  ({ code, html, icon, mixed, nothing, render, svg, said, sentence, spans, t } = tools);
}
