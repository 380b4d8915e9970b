/**
 * What a call touches, beside what its title and its body say.
 *
 * A name in a command may lead elsewhere, so that what the command says is not what it touches.
 */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { said } from "../../shared/server-sentences";
import type { Card, Span, Touch } from "../../shared/protocol";
import { title } from "../dom/spans";
import { exact } from "./folds";

/** What is so of each command that is run here. */
const USUAL: readonly string[] = ["Folder", "Runs in"];

/** How the server says of a file that there is nothing more to say of it. */
const HERE = " · in the workspace";

/** What is touched; the folder of a command too, where the server has not named it there. */
export function touchesOf({ body: what, touches: named }: Card): readonly Touch[] {
  if (what.kind !== "shell" || what.cwd.length === 0) return named;
  const isNamed = named.some(({ text }) => exact(text) === exact(what.cwd));
  return isNamed ? named : [...named, { name: "Folder", text: what.cwd }];
}

/** What nobody would know from the title or the body: drawn whether or not anybody asks for more. */
export function unsaidOf({ title, level, body: what, touches: named }: Card): readonly Touch[] {
  const told = named.filter(({ name }) => !USUAL.includes(name));
  if (level !== "low") return told;
  // Each body but a command names all that it touches; of a file the server may say more than where.
  return told.filter(({ name, text }) =>
    what.kind === "shell" ? name !== "Reads" || !says(title, text) : name === "File" && !exact(text).endsWith(HERE),
  );
}

/** Whether each of these names is a word of a title. */
function says(title: readonly Span[], text: readonly Span[]): boolean {
  const said = exact(title).split(" ");
  return exact(text)
    .split(", ")
    .every((name) => said.includes(name));
}

export function touches(all: readonly Touch[]): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return html`<dl data-testid="touches">
    ${all.map(({ name, text }) => html`<dt>${named(name)}</dt><dd>${title(text)}</dd>`)}
  </dl>`;
}

/** What is done, and behind it where, if not here. */
function named(name: string): string {
  const [verb = name, where = ""] = [/^\S+/u.exec(name)?.[0], /(?<= ).*/su.exec(name)?.[0]];
  return said(name) === name ? [verb, where].map(said).join(" ").trim() : said(name);
}
