/** The few pictures of the view. */

import { html, type TemplateResult } from "lit/html.js";

/** A picture made of these lines, as the view draws all of its own. */
export function icon(lines: string, state = ""): TemplateResult {
  return html`<svg class="icon ${state}" viewBox="0 0 16 16" aria-hidden="true"><path d=${lines} /></svg>`;
}

export function shield(): TemplateResult {
  return icon("M8 1.5 14 4v4c0 3.6-2.5 5.8-6 6.5C4.5 13.8 2 11.6 2 8V4z");
}

export function warning(): TemplateResult {
  return icon("M8 2 15 14H1zM8 6.5V10M8 12v.1");
}

export function cross(): TemplateResult {
  return icon("m4 4 8 8M12 4l-8 8");
}

export function arrow(): TemplateResult {
  return icon("M8 13V3M3.5 7.5 8 3l4.5 4.5");
}

export function square(): TemplateResult {
  return icon("M5 3.5h6A1.5 1.5 0 0 1 12.5 5v6a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 11V5A1.5 1.5 0 0 1 5 3.5z");
}

export function discard(): TemplateResult {
  return icon("M5.5 3l-3 3 3 3M2.5 6H10a3.5 3.5 0 0 1 0 7H6");
}

export function check(): TemplateResult {
  return icon("m3 8.5 3.2 3.2L13 4.5");
}

export function chevron(open: boolean): TemplateResult {
  return icon("m6 4 4 4-4 4", open ? "open" : "");
}

export function clock(): TemplateResult {
  return icon("M2.5 8.5a5.5 5.5 0 1 1 11 0 5.5 5.5 0 0 1-11 0zM8 5.5v3l2 1.5M6.5 1.5h3");
}
