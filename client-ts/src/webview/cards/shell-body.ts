/**
 * A shell command: each simple command with what joins it to the one before, and its ruling.
 *
 * The texts of the rows joined are the command, byte for byte. Where they would not be, or where
 * it could not be read, it is drawn as it is.
 */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { mixed, t } from "../../shared/l10n";
import type { ShellBody, ShellPart } from "../../shared/protocol";
import type { Hand } from "../state/hand";
import { warning } from "../dom/icons";
import { sentence, spans } from "../dom/spans";
import { standAlone, hasParts } from "./command-parts";
import { foldSpans } from "./folds";
import { exactText } from "./folded-text";

/** The command in its parts; as it is, where it could not be read or is too long. */
export function shell(what: ShellBody, opened: boolean, hand: Hand): TemplateResult {
  const long = foldSpans(what.command) !== null;
  const parts = hasParts(what);
  if (parts && !long) return steps(what);
  const inside = parts
    ? html`<details class="more">
        <summary>${mixed("The {0} commands in it, one by one", what.parts.length)}</summary>
        ${steps(what)}
      </details>`
    : nothing;
  return html`${what.readable ? nothing : unread()}${exactText(what.command, opened, hand)}${inside}`;
}

function unread(): TemplateResult {
  return html`<p class="unread" data-testid="unread">
    ${warning()}<span>${t("This command could not be read into its parts, so none of it passes by a rule.")}</span>
  </p>`;
}

/** What the consequence speaks of comes first, where each command stands for itself; nothing is folded. */
function steps(what: ShellBody): TemplateResult {
  const { parts, tail } = what;
  const last = parts.length - 1;
  const isMoved = standAlone(what) && !parts.every(({ grave: isGrave }, at) => isGrave || !parts[at + 1]?.grave);
  const rows = parts.map((each, at) => ({ each, row: part(each, at, at === last ? tail : "", isMoved) }));
  const inOrder = isMoved ? [...rows.filter(({ each }) => each.grave), ...rows.filter(({ each }) => !each.grave)] : rows;
  return html`<ol class="steps" data-steps>${inOrder.map(({ row }) => row)}</ol>`;
}

function part(what: ShellPart, at: number, tail: string, isMoved: boolean): TemplateResult {
  return html`<li data-testid="part" data-at=${at} data-verdict=${what.verdict} data-grave=${what.grave ? "true" : nothing}>
    ${what.grave ? grave() : mark(what.verdict)}${isMoved ? html`<span class="nth"><span class="sr">${t("Command")} </span>${at + 1}</span>` : nothing}<span class="mono" dir="ltr" data-exact>${joint(what.operator)}${spans(what.text)}${joint(tail)}</span>${why(what)}
  </li>`;
}

/** What stands between two commands; the blanks around it break no lines, and are there. */
function joint(text: string): TemplateResult | typeof nothing {
  const [, before = "", middle = "", after = ""] = /^(\s*)(.*?)(\s*)$/su.exec(text) ?? [];
  if (text === "") return nothing;
  return html`<b class="op"><span class="gap">${before}</span>${middle}<span class="gap">${after}</span></b>`;
}

/** Why, and the rule that says so with its place, where the sentence does not name it. */
function why({ because, rule, source }: ShellPart): TemplateResult | typeof nothing {
  const which = rule === null || because.includes(rule) ? nothing : html` <code>${rule}</code>`;
  const where = source === null || because.includes(source) ? nothing : html` <span class="where">(${source})</span>`;
  if (because === "" && rule === null) return nothing;
  return html`<span class="why">${sentence(because)}${which}${where}</span>`;
}

/** The part that the consequence speaks of is looked at, whatever was said of it. */
function grave(): TemplateResult {
  return html`<span class="no" role="img" aria-label=${t("Look twice")} data-must>!</span>`;
}

function mark(verdict: ShellPart["verdict"]): TemplateResult {
  switch (verdict) {
    case "allow":
      return html`<span class="ok" role="img" aria-label=${t("Allowed")}>✓</span>`;
    case "ask":
      return html`<span class="no" role="img" aria-label=${t("Asks")} data-must>!</span>`;
    case "deny":
      return html`<span class="no" role="img" aria-label=${t("Denied")} data-must>✕</span>`;
  }
}
