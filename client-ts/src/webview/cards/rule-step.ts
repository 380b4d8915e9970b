/**
 * The second step of an answer for always: which rules are written, and where.
 *
 * Nothing can be confirmed but what the server has looked at, to the letter: while a text is
 * being changed, until its preview is there, and where it has a fault, the answer is off.
 */

import { t } from "../../shared/l10n";
import type { CardOption, Messages } from "../../shared/protocol";
import { withErrand, withRequest, type Open, type State, type RuleStep, type Foreseen, type Draft } from "../state/model";
import { said } from "../../shared/server-sentences";
import type { RuleChange } from "../state/moments";

const NOT_COVERED = t("This does not cover the call itself, so it cannot be the answer to it.");

/** How long a text must stand before it is asked what it would do. */
export const DEBOUNCE_MS = 150;

/** Whether an option of this kind has such a step. */
export function hasStep(kind: CardOption["kind"]): boolean {
  return kind === "allowAlways" || kind === "denyAlways";
}

/** The step as it opens. */
export function stepFor(option: CardOption, at: number): RuleStep {
  const texts = option.rules.length === 0 ? [""] : option.rules;
  return {
    optionId: option.id,
    verdict: option.kind === "denyAlways" ? "deny" : "allow",
    inSandbox: option.inSandbox,
    drafts: texts.map((text) => ({ text, ticked: true })),
    scopes: option.scopes,
    scope: option.scopes[0] ?? null,
    askAt: at,
    foreseen: null,
  };
}

/** The step on a card that has changed: what was written stays, and is looked at anew. */
export function stepAnew(step: RuleStep | null, options: readonly CardOption[], at: number): RuleStep | null {
  const option = options.find(({ id, kind }) => id === step?.optionId && hasStep(kind));
  if (step === null || option === undefined) return null;
  const { scopes } = option;
  const isThere = step.scope !== null && scopes.includes(step.scope);
  return { ...step, scopes, scope: isThere ? step.scope : (scopes[0] ?? null), askAt: at, foreseen: null };
}

/** The rules that would be written. */
export function chosenRules({ drafts }: RuleStep): readonly string[] {
  return drafts.filter(({ ticked }) => ticked).map(({ text }) => text.trim());
}

/** What the server found wrong with the rule at this place. */
export function problemAt(step: RuleStep, at: number): string | null {
  const draft = step.drafts[at];
  if (step.foreseen?.kind !== "known" || draft?.ticked !== true) return null;
  const { rules } = step.foreseen.result;
  return rules.find(({ rule }) => rule === draft.text.trim())?.problem ?? null;
}

/** Why the step cannot be confirmed; null where it can. */
export function hindrance(step: RuleStep): string | null {
  const rules = chosenRules(step);
  if (rules.length === 0) return t("Tick at least one rule.");
  if (rules.includes("")) return t("A rule is empty.");
  if (step.foreseen === null) return t("Looking at what this would do…");
  if (step.foreseen.kind === "failed") return said(step.foreseen.because);
  const { rules: foreseen, covers } = step.foreseen.result;
  const problem = foreseen.map((each) => each.problem ?? "").find((each) => each !== "");
  if (problem !== undefined) return said(problem);
  return covers ? null : NOT_COVERED;
}

/** What an answer says of the rules; nothing for an answer without them. */
export function rulesIn(step: RuleStep | null, option: CardOption): Pick<Messages["tool/approvalResponse"]["params"], "rules" | "scope"> {
  if (step?.optionId !== option.id) return {};
  return { rules: chosenRules(step), ...(step.scope === null ? {} : { scope: step.scope }) };
}

/** The state after the person did something in the step; a change is looked at after a while. */
export function edited(state: State, change: Exclude<RuleChange, { kind: "back" }>): State {
  const step = state.open?.step;
  if (!step) return state;
  switch (change.kind) {
    case "text":
      return drafted(state, step, change.at, { text: change.text });
    case "tick":
      return drafted(state, step, change.at, { ticked: change.ticked });
    case "scope": {
      const scope = step.scopes.find((each) => each === change.scope);
      return scope === undefined ? state : withStep(state, { ...step, scope });
    }
    case "toConfirm":
      return withErrand(state, { kind: "focus", on: "confirm" });
  }
}

/** Ask what the rules would do, if it is time. */
export function asking(state: State): State {
  const { open, now } = state;
  const step = open?.step;
  if (!open || !step || step.askAt === null || now < step.askAt) return state;
  const asked = withStep(state, { ...step, askAt: null });
  const rules = chosenRules(step);
  if (rules.length === 0 || rules.includes("")) return asked;
  const { approvalId } = open;
  const params = { approvalId, optionId: step.optionId, rules };
  return withRequest(asked, "tool/previewRules", params, { kind: "preview", ...params });
}

/** What was asked of rules is known; it is kept if the step still says exactly that. */
export function foresaw(state: State, asked: Messages["tool/previewRules"]["params"], foreseen: Foreseen): State {
  const step = state.open?.step;
  if (!step || state.open.approvalId !== asked.approvalId || step.optionId !== asked.optionId) return state;
  const now = chosenRules(step);
  if (now.length !== asked.rules.length || now.some((rule, at) => rule !== asked.rules[at])) return state;
  const shown = withStep(state, { ...step, foreseen });
  // What it would do has just come onto the screen: nobody has read it yet.
  return shown.open === null ? shown : { ...shown, open: { ...shown.open, since: state.now } };
}

function drafted(state: State, step: RuleStep, at: number, part: Partial<Draft>): State {
  const draft = step.drafts[at];
  if (draft === undefined) return state;
  const drafts = step.drafts.with(at, { ...draft, ...part });
  return withStep(state, { ...step, drafts, askAt: state.now + DEBOUNCE_MS, foreseen: null });
}

function withStep(state: State, step: RuleStep): State {
  const open: Open | null = state.open === null ? null : { ...state.open, step };
  return { ...state, open };
}
