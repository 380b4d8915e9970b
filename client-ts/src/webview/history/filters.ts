/** The filters, which combine: a form whose every change asks anew. */

import { html, type TemplateResult } from "lit/html.js";
import { live } from "lit/directives/live.js";
import { t } from "../../shared/l10n";
import { ALL, BY, type State, type Wanted } from "./model";

type Change = (wanted: Wanted) => void;
type Choices = readonly (readonly [value: string, label: string])[];

const OUTCOMES: Choices = [
  ["", t("Any outcome")],
  ["allowed", t("Allowed")],
  ["refused", t("Denied")],
];
const TIMES: Choices = [
  ["", t("At any time")],
  ["1", t("In the last hour")],
  ["24", t("In the last day")],
  ["168", t("In the last week")],
  ["720", t("In the last 30 days")],
];
const DECIDERS: Choices = [["", t("By anybody")], ...Object.entries(BY).map(([by, words]) => [by, t("By {0}", words)] as const)];

/** The form. Filters that few need are folded until a person opens them, or one of them is kept. */
export function filters(
  { wanted, agents, tools, isWorkspace, isUnfolded }: State,
  change: Change,
  unfold: (open: boolean) => void,
): TemplateResult {
  const set = (name: keyof Wanted) => (value: string) => change({ ...wanted, [name]: value });
  const isSet = (name: keyof Wanted): boolean => wanted[name] !== ALL[name];
  const isAll = !(Object.keys(ALL) as (keyof Wanted)[]).some(isSet);
  const rare = new Map<keyof Wanted, TemplateResult>([
    ["by", choice("by", t("Decided by"), DECIDERS, wanted.by, set("by"))],
    ["tool", choice("tool", t("Tool"), [["", t("Any tool")], ...tools.map((tool) => [tool, tool] as const)], wanted.tool, set("tool"))],
    ["rule", field("rule", t("Rule"), t("Part of a rule"), wanted.rule, set("rule"))],
    ["path", field("path", t("Path"), t("File or folder"), wanted.path, set("path"))],
    ["host", field("host", t("Host"), "example.com", wanted.host, set("host"))],
  ]);
  if (isWorkspace) rare.set("everywhere", everywhere(wanted, change));
  const count = [...rare.keys()].filter(isSet).length;
  return html`<form class="filters" role="search" aria-label=${t("Decisions")} @submit=${(event: Event) => event.preventDefault()}>
    ${field("text", t("Words"), t("Command, path, reason"), wanted.text, set("text"))}
    ${choice("agent", t("Agent"), [["", t("Any agent")], ...agents.map(({ id, name }) => [id, name] as const)], wanted.agent, set("agent"))}
    ${choice("outcome", t("Outcome"), OUTCOMES, wanted.outcome, set("outcome"))}
    ${choice("hours", t("Time"), TIMES, wanted.hours, set("hours"))}
    <button type="button" class="quiet" data-testid="clear" ?disabled=${isAll} @click=${() => change(ALL)}>${t("Clear filters")}</button>
    <details data-testid="more-filters" ?open=${isUnfolded || count > 0} @toggle=${(event: Event) => unfold((event.target as HTMLDetailsElement).open)}>
      <summary>${count > 0 ? t("More filters ({0} set)", count) : t("More filters")}</summary>
      <div>${[...rare.values()]}</div>
    </details>
  </form>`;
}

function field(name: string, label: string, hint: string, value: string, set: (value: string) => void): TemplateResult {
  const changed = (event: Event): void => set((event.target as HTMLInputElement).value);
  return html`<label>${label}
    <input
      type="text"
      maxlength="2000"
      spellcheck="false"
      autocapitalize="off"
      data-testid="filter-${name}"
      placeholder=${hint}
      .value=${live(value)}
      @change=${changed}
    /></label>`;
}

function choice(name: string, label: string, choices: Choices, value: string, set: (value: string) => void): TemplateResult {
  // What was chosen stays a choice, although no row has it any more.
  const all = choices.some(([each]) => each === value) ? choices : [...choices, [value, value] as const];
  const changed = (event: Event): void => set((event.target as HTMLSelectElement).value);
  return html`<label>${label}
    <select data-testid="filter-${name}" @change=${changed}>
      ${all.map(([each, words]) => html`<option value=${each} .selected=${live(each === value)}>${words}</option>`)}
    </select></label>`;
}

function everywhere(wanted: Wanted, change: Change): TemplateResult {
  const changed = (event: Event): void => change({ ...wanted, everywhere: (event.target as HTMLInputElement).checked });
  return html`<label class="tick"><input
      type="checkbox"
      data-testid="filter-everywhere"
      .checked=${live(wanted.everywhere)}
      @change=${changed}
    /> ${t("All my workspaces")}</label>`;
}
