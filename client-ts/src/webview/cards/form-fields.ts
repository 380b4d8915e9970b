/** The fields of a form. */

import type { TemplateResult } from "lit/html.js";
import type { Values } from "../../shared/card";
import type { FormField } from "../../shared/protocol";
import { html, nothing, spans, t } from "../dom/lent-tools";

/** Draws them, and says what stands in them whenever that is another. */
export function fields(all: readonly FormField[], fill: (values: Values) => void): TemplateResult {
  return html`<form
    novalidate
    @input=${(event: Event) => fill(written(all, event.currentTarget as HTMLFormElement))}
    @submit=${(event: Event) => event.preventDefault()}
  >${all.map(field)}</form>`;
}

/** What stands in the form now. */
function written(all: readonly FormField[], form: HTMLFormElement): Values {
  const data = new FormData(form);
  const texts = (name: string): string[] => data.getAll(name).filter((each) => typeof each === "string");
  const value = ({ name, kind }: FormField): Values[string] =>
    kind === "boolean" ? data.has(name) : kind === "some" ? texts(name) : (texts(name)[0] ?? "");
  return Object.fromEntries(all.map((each) => [each.name, value(each)]));
}

function field({ name, label, says, kind, format, required, choices, initial }: FormField): TemplateResult {
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
