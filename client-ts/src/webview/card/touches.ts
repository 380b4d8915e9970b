/** What a call touches, as its card says it. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import type { Card, Touch } from "../../protocol";
import { spans } from "../spans";
import { exact } from "./fold";

/** What is so of each call of a low level, and of a command that the title places. */
export function isUsual({ level }: Card, name: string): boolean {
  return level === "low" || name === "Folder" || name === "Runs in";
}

/** What is touched; the folder of a command too, where the server has not named it there. */
export function touchesOf({ body: what, touches: named }: Card): readonly Touch[] {
  if (what.kind !== "shell" || what.cwd.length === 0) return named;
  const isNamed = named.some(({ text }) => exact(text) === exact(what.cwd));
  return isNamed ? named : [...named, { name: "Folder", text: what.cwd }];
}

export function touches(all: readonly Touch[]): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return html`<dl>
    ${all.map(({ name, text }) => html`<dt>${name}</dt><dd>${spans(text)}</dd>`)}
  </dl>`;
}
