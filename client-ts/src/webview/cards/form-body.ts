/** What a server of tools or an agent asks: a form to fill in, or a page to open. */

import { html, type TemplateResult } from "lit/html.js";
import { mixed, t } from "../../shared/l10n";
import type { FormBody } from "../../shared/protocol";
import type { Hand } from "../state/hand";
import { spans } from "../dom/spans";
import type { fields as Drawing } from "./form-fields";
import { exactText } from "./folded-text";

/** Fetches what draws the fields; null where it cannot be had. */
type Fetching = () => Promise<{ readonly fields: typeof Drawing } | null>;

let fetching: Fetching | null = null;
let drawing: typeof Drawing | null = null;

/** Where what draws fields is had from, the first time that there are some. */
export function defineForms(from: Fetching): void {
  fetching = from;
}

/** The words of who asks, and what that wants. */
export function form(what: FormBody, opened: boolean, hand: Hand): TemplateResult {
  const server = html`<bdi>${spans(what.server)}</bdi>`;
  return html`<div class="question" data-testid="form">
    <p class="muted">${what.url === "" ? mixed("{0} asks, in its own words; what you write is sent to it:", server) : mixed("{0} asks you to open a page, in its own words:", server)}</p>
    <div class="prose">${exactText(what.message, opened, hand)}</div>
    ${what.url === "" ? fields(what, hand) : html`<p data-must>${t("The page is at:")} ${spans(what.host)}</p><pre class="raw" dir="ltr" data-exact>${what.url}</pre>`}
  </div>`;
}

/** The fields; nothing is answered before they are there. */
function fields(what: FormBody, hand: Hand): TemplateResult {
  if (drawing !== null) return drawing(what.fields, (values) => hand.act({ kind: "fill", values }));
  void fetching?.().then((all) => {
    if (all === null) return;
    drawing = all.fields;
    hand.act({ kind: "fieldsThere" });
  });
  fetching = null;
  return html`<p data-testid="no-fields">${t("The form is not here yet. Where it does not come, reload the window.")}</p>`;
}
