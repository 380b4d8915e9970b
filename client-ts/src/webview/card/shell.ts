/** A shell command: each simple command with what joins it to the one before, and its ruling. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import type { ShellBody, ShellPart } from "../../protocol";
import type { Hand } from "../hand";
import { sentence, spans } from "../spans";
import { exactText } from "./body";
import { foldSpans } from "./fold";

/** The command in its parts; as it is, where it could not be read or is too long. */
export function shell(what: ShellBody, opened: boolean, hand: Hand): TemplateResult {
  const long = foldSpans(what.command) !== null;
  const parts = what.readable && what.parts.length > 0;
  if (parts && !long) return steps(what);
  const inside = parts
    ? html`<details class="more">
        <summary>The ${what.parts.length} commands in it, one by one</summary>
        ${steps(what)}
      </details>`
    : nothing;
  return html`${exactText(what.command, opened, hand)}${inside}`;
}

function steps({ parts }: ShellBody): TemplateResult {
  return html`<ol class="steps">${parts.map(part)}</ol>`;
}

function part(what: ShellPart): TemplateResult {
  const operator = what.operator === "" ? nothing : html`<b class="op">${what.operator} </b>`;
  const why = what.because === "" ? nothing : html`<span class="why">${sentence(what.because)}</span>`;
  return html`<li data-verdict=${what.verdict}>
    ${mark(what.verdict)}<span class="mono" dir="ltr" data-exact>${operator}${spans(what.text)}</span>${why}
  </li>`;
}

function mark(verdict: ShellPart["verdict"]): TemplateResult {
  switch (verdict) {
    case "allow":
      return html`<span class="ok" role="img" aria-label="Allowed">✓</span>`;
    case "ask":
      return html`<span class="no" role="img" aria-label="Asks">!</span>`;
    case "deny":
      return html`<span class="no" role="img" aria-label="Denied">✕</span>`;
  }
}
