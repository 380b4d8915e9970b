/** What runs, what changes, what is read: the middle of a card, by its kind. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { mixed, t } from "../../shared/l10n";
import type {
  Body,
  Card,
  CardPicture,
  OtherBody,
  PictureBox,
  PlanBody,
  QuestionBody,
  ReadBody,
  Row,
  Span,
  TrustBody,
  TrustFile,
} from "../../shared/protocol";
import type { Hand } from "../state/hand";
import { code, spans, title } from "../dom/spans";
import { edits } from "./edit-body";
import { drawn, foldEntries, foldSpans, rowSize } from "./folds";
import { form } from "./form-body";
import { shell } from "./shell-body";
import { said, titled } from "../../shared/server-sentences";
import { saysBody, isIn } from "./full-title";
import { folded, exactText } from "./folded-text";

/** The body and every other member of the call, with the middle opened or not; what the title says does not stand here again. */
export function body(card: Card, opened: boolean, hand: Hand): TemplateResult {
  const others = card.members.length === 0 ? nothing : members(card.members, opened, hand);
  return html`${card.level !== "high" && saysBody(card) ? nothing : own(card, opened, hand)}${others}`;
}

function own({ title, body: what, consequence, agentName }: Card, opened: boolean, hand: Hand): TemplateResult {
  switch (what.kind) {
    case "shell":
      return shell(what, opened, hand);
    case "edit":
      return html`${what.rows.length === 0 ? nothing : members(what.rows, opened, hand)}${edits(what, ({ path }) => (isIn(title, path) ? null : spans(path)), opened, hand)}`;
    case "read":
      return read(what, opened, hand);
    case "other":
      return other(what, opened, hand);
    case "trust":
      return trust(what, what.effect === consequence, opened, hand);
    case "plan":
      return plan(what, hand);
    case "question":
      return question(what, agentName, hand);
    case "form":
      return form(what, opened, hand);
  }
}

/** What a screen reader calls the body. */
export function bodyName(what: Body): string {
  switch (what.kind) {
    case "shell":
      return t("What will run");
    case "edit":
      return t("The change");
    case "read":
      return t("What will be read");
    case "other":
      return t("What will be sent");
    case "trust":
      return t("What the workspace asks for");
    case "plan":
      return t("The plan");
    case "question":
    case "form":
      return t("The question");
  }
}

/** The plan as it stands in its document, to the letter: that is what is approved. */
function plan(what: PlanBody, hand: Hand): TemplateResult {
  const edit = (): void => hand.act({ kind: "openDiff", file: 0 });
  return html`<div class="plan" data-testid="plan">
    <pre class="raw prose" dir="auto" data-exact>${spans(what.text)}</pre>
    <button class="quiet" data-testid="edit-plan" @click=${edit}>${t("Edit the plan")}</button>
  </div>`;
}

/** A question and its answers, in the agent's words; none of them is leave for anything. */
function question(what: QuestionBody, agent: string, hand: Hand): TemplateResult {
  const answer = ({ optionId, label, detail }: QuestionBody["choices"][number]): TemplateResult =>
    html`<li><button
      class="second choice"
      data-testid="choice"
      data-option-id=${optionId}
      @click=${(event: Event) => hand.act({ kind: "press", optionId, press: hand.press(event) })}
    ><span dir="auto">${spans(label)}</span>${detail.length === 0 ? nothing : html`<small dir="auto">${spans(detail)}</small>`}</button></li>`;
  return html`<div class="question" data-testid="question">
    <p class="muted">${mixed(what.choices.length === 0 ? "{0} asks, in its own words:" : "{0} asks, and offers these answers, in its own words:", html`<bdi>${agent}</bdi>`)}</p>
    <pre class="raw prose" dir="auto" data-exact>${spans(what.question)}</pre>
    <ul class="choices" data-list>${what.choices.map(answer)}</ul>
  </div>`;
}

/** Paths, those in the middle of a long list when they were opened. */
export function read(what: ReadBody, opened: boolean, hand: Hand): TemplateResult {
  const list = (paths: readonly (readonly Span[])[]): TemplateResult =>
    html`<ul class="paths">${paths.map((path) => html`<li>${code(path)}</li>`)}</ul>`;
  const words = (count: string): string => t("Show {0} more paths — needed before you can allow", count);
  return folded(what.paths, opened ? null : foldEntries(what.paths, drawn), list, words, hand);
}

/** The rows of a call of any other kind, and all of it as JSON. */
export function other(what: OtherBody, opened: boolean, hand: Hand): TemplateResult {
  return html`${what.rows.length > 0 ? members(what.rows, opened, hand) : nothing}${what.picture === null ? nothing : page(what.picture)}<details class="more">
    <summary>${t("The whole call as JSON")}</summary>
    <pre class="raw" dir="ltr" data-exact>${spans(what.jsonText)}</pre>
  </details>`;
}

/** The page that a call acts on, with what it names there outlined, large enough to be read; or why there is no picture. */
function page(picture: CardPicture): TemplateResult {
  if (picture.mime === null) return html`<p class="muted" data-testid="no-page">${said(picture.lacks)}</p>`;
  const near = around(picture);
  return html`${near === null ? nothing : part(picture, near, "")}${part(picture, { left: 0, top: 0, width: 100, height: 100 }, t("The page, as Assent saw it"))}`;
}

/** So much of a picture, in its own pixels, can be read at the width of a card. */
const READABLE_WIDTH_PX = 360;

/** The part around what is outlined; null where nothing is, or where that is nearly all of it. */
function around({ boxes, width, height }: CardPicture): PictureBox | null {
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const wide = Math.max(...boxes.map((box) => box.left + box.width)) - left;
  const high = Math.max(...boxes.map((box) => box.top + box.height)) - top;
  const size = {
    width: Math.max((100 * READABLE_WIDTH_PX) / width, 1.3 * wide),
    height: Math.max((60 * READABLE_WIDTH_PX) / height, 1.3 * high),
  };
  if (boxes.length === 0 || size.width > 70 || size.height > 100) return null;
  const begin = (middle: number, long: number): number => Math.min(100 - long, Math.max(0, middle - long / 2));
  return { ...size, left: begin(left + wide / 2, size.width), top: begin(top + high / 2, size.height) };
}

/** A part of a picture, over the whole width that is there. */
function part({ mime, data, width, height, boxes }: CardPicture, of: PictureBox, alt: string): TemplateResult {
  const at = (left: number, top: number): string =>
    `left:${(100 * (left - of.left)) / of.width}%;top:${(100 * (top - of.top)) / of.height}%`;
  const size = (wide: number, high: number): string => `width:${(100 * wide) / of.width}%;height:${(100 * high) / of.height}%`;
  const outlines = boxes.map((box) => html`<i .style=${`${at(box.left, box.top)};${size(box.width, box.height)}`}></i>`);
  return html`<div class="page" data-testid="page" .style=${`aspect-ratio:${of.width * width}/${of.height * height}`}><img src=${`data:${mime};base64,${data}`} alt=${alt} .style=${`${at(0, 0)};${size(100, 100)}`} />${outlines}</div>`;
}

/** Named values, those in the middle of a long list when they were opened. */
export function members(all: readonly Row[], opened: boolean, hand: Hand): TemplateResult {
  const rows = (some: readonly Row[]): TemplateResult =>
    html`<dl class="rows" data-testid="members">
      ${some.map((row) => {
        const value = foldSpans(row.value) === null ? code(titled(row.value)) : exactText(row.value, opened, hand);
        return html`<dt>${title(row.name)}</dt><dd>${value}</dd>`;
      })}
    </dl>`;
  const words = (count: string): string => t("Show {0} more arguments — needed before you can allow", count);
  return folded(all, opened ? null : foldEntries(all, rowSize), rows, words, hand);
}

/** `isTold`: whether the card's consequence says already what granting it would do. */
function trust(what: TrustBody, isTold: boolean, opened: boolean, hand: Hand): TemplateResult {
  const effect = isTold ? nothing : html`<p class="effect">${what.effect}</p>`;
  if (what.files.length > 0) return html`${effect}${what.files.map((file) => asking(file, opened, hand))}`;
  const isShort = foldSpans(what.value) === null;
  return html`${effect}
    <dl class="rows">
      <dt>${t("Setting")}</dt><dd><code>${what.setting}</code></dd>
      <dt>${t("Value")}</dt><dd>${isShort ? code(what.value) : exactText(what.value, opened, hand)}</dd>
    </dl>`;
}

/** A file that asks: what it says, and all of its text. */
function asking(file: TrustFile, opened: boolean, hand: Hand): TemplateResult {
  return html`<section class="file" data-testid="trust-file">
    <h3 class="path" data-must>${code(file.path)}</h3>
    <div data-must>${members(file.rows, opened, hand)}</div>
    <div data-must>${exactText(file.text, opened, hand)}</div>
  </section>`;
}
