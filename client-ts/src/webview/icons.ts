/** The few pictures of the view. */

import { html, type TemplateResult } from "lit/html.js";

export function shield(): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 1.5 14 4v4c0 3.600-2.500 5.800-6 6.500C4.500 13.800 2 11.600 2 8V4z"/></svg>`;
}

export function warning(): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 2 15 14H1z"/><path d="M8 6.500v3.500M8 12v.1"/></svg>`;
}

export function plus(): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 3v10M3 8h10"/></svg>`;
}

export function cross(): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="m4 4 8 8M12 4l-8 8"/></svg>`;
}

export function arrow(): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 13V3M3.500 7.500 8 3l4.500 4.500"/></svg>`;
}

export function square(): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><rect x="3.500" y="3.500" width="9" height="9" rx="1.500"/></svg>`;
}

export function discard(): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M5.500 3 2.500 6l3 3M2.500 6H10a3.500 3.500 0 0 1 0 7H6"/></svg>`;
}

export function check(): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="m3 8.500 3.200 3.200L13 4.500"/></svg>`;
}

export function chevron(open: boolean): TemplateResult {
  return html`<svg class="icon ${open ? "open" : ""}" viewBox="0 0 16 16" aria-hidden="true"><path d="m6 4 4 4-4 4"/></svg>`;
}

export function clock(): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8.500" r="5.500"/><path d="M8 5.500v3l2 1.500M6.500 1.500h3"/></svg>`;
}
