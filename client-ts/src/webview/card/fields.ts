/**
 * The fields of a form, fetched when there is one to be filled in.
 *
 * What a page is drawn with is handed in: there is one of it for the whole page.
 */

import type { html, nothing, TemplateResult } from "lit/html.js";
import type { Values } from "../../card";
import type { FormField } from "../../protocol";
import type { t } from "../../l10n";
import type { spans } from "../spans";

/** What it is drawn with. */
export interface Kit {
  readonly html: typeof html;
  readonly nothing: typeof nothing;
  readonly t: typeof t;
  readonly spans: typeof spans;
}

/** Draws fields, and says what stands in them whenever that is another. */
export type Drawing = (all: readonly FormField[], fill: (values: Values) => void) => TemplateResult;

/** What draws fields with that. */
export function fields(kit: Kit): Drawing {
  const { html } = kit;
  return (all, fill) => html`<form
    novalidate
    @input=${(event: Event) => fill(written(all, event.currentTarget as HTMLFormElement))}
    @submit=${(event: Event) => event.preventDefault()}
  >${all.map((each) => field(each, kit))}</form>`;
}

/** What stands in the form now. */
function written(all: readonly FormField[], form: HTMLFormElement): Values {
  const data = new FormData(form);
  const texts = (name: string): string[] => data.getAll(name).filter((each) => typeof each === "string");
  const value = ({ name, kind }: FormField): Values[string] =>
    kind === "boolean" ? data.has(name) : kind === "some" ? texts(name) : (texts(name)[0] ?? "");
  return Object.fromEntries(all.map((each) => [each.name, value(each)]));
}

function field({ name, label, says, kind, format, required, choices, initial }: FormField, { html, nothing, t, spans }: Kit): TemplateResult {
  const small = says.length === 0 ? nothing : html`<small dir="auto">${spans(says)}</small>`;
  const head = html`<bdi>${spans(label)}</bdi>${required && kind !== "boolean" ? html` <small>${t("(needed)")}</small>` : nothing}${small}`;
  const box = (type: "radio" | "checkbox", value: string, isOn: boolean, of: TemplateResult): TemplateResult =>
    html`<label class="tick"><input type=${type} name=${name} value=${value} ?checked=${isOn} /><span>${of}</span></label>`;
  if (kind === "boolean") return box("checkbox", "on", initial === true, head);
  if (choices.length > 0) {
    const type = kind === "one" ? "radio" : "checkbox";
    return html`<fieldset><legend>${head}</legend>${choices.map((each) => box(type, each.value, [initial].flat().includes(each.value), html`<bdi>${spans(each.label)}</bdi>`))}</fieldset>`;
  }
  return html`<label>${head}<input type=${format === "date" ? "date" : "text"} name=${name} value=${String(initial)} autocomplete="off" aria-required=${required ? "true" : nothing} /></label>`;
}
