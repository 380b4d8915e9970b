/** What a server of tools asks in the midst of a call: a form to fill in, or a page to open. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { mixed, t } from "../../l10n";
import type { FormBody, FormField } from "../../protocol";
import type { Hand } from "../hand";
import type { Values } from "../model";
import { spans } from "../spans";
import { exactText } from "./body";

/** The server's words, and what it wants. */
export function form(what: FormBody, opened: boolean, hand: Hand): TemplateResult {
  const fill = (event: Event): void => hand.act({ kind: "fill", values: written(what.fields, event.currentTarget as HTMLFormElement) });
  const server = html`<bdi>${spans(what.server)}</bdi>`;
  return html`<form class="question" data-testid="form" novalidate @input=${fill} @submit=${(event: Event) => event.preventDefault()}>
    <p class="muted">${what.url === "" ? mixed("{0} asks, in its own words; what you write is sent to it:", server) : mixed("{0} asks you to open a page, in its own words:", server)}</p>
    <div class="prose">${exactText(what.message, opened, hand)}</div>
    ${what.url === "" ? what.fields.map(field) : html`<p data-must>${t("The page is at:")} ${spans(what.host)}</p><pre class="raw" dir="ltr" data-exact>${what.url}</pre>`}
  </form>`;
}

/** What stands in the form now. */
function written(fields: readonly FormField[], all: HTMLFormElement): Values {
  const data = new FormData(all);
  const texts = (name: string): string[] => data.getAll(name).filter((each) => typeof each === "string");
  const value = ({ name, kind }: FormField): Values[string] =>
    kind === "boolean" ? data.has(name) : kind === "some" ? texts(name) : (texts(name)[0] ?? "");
  return Object.fromEntries(fields.map((each) => [each.name, value(each)]));
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
