/**
 * The second step of an answer for always, where no page can be shown: which rules, and where.
 *
 * What each rule would do stands below its line while it is written. Nothing is answered here.
 */

import { t } from "../../shared/l10n";
import { said } from "../../shared/server-sentences";
import type { ApprovalRequest, CardOption, Previewed } from "../../shared/protocol";
import { comparison, PLACES, type Scope } from "../../shared/rule-words";
import type { Request } from "../server/bridge";
import { pick } from "../editor/pick-list";
import { inert } from "../editor/inert-text";
import { CancellationTokenSource, InputBoxValidationSeverity, window } from "../editor/vscode";
import { reasonOf } from "../editor/error-text";

/** The rules as the person left them. */
export interface Chosen {
  readonly rules: readonly string[];
  readonly scope?: Scope;
}

/** Whether an option of this kind asks for rules first. */
export function needsRules({ kind }: CardOption): boolean {
  return kind === "allowAlways" || kind === "denyAlways";
}

/**
 * Ask for them; null where the person drew back, wants none of them, or the card is gone.
 *
 * `typed` is what they wrote before, where that could not be used.
 */
export async function askForRules(
  ticket: ApprovalRequest,
  option: CardOption,
  request: Request,
  gone: AbortSignal,
  typed: readonly string[] = option.rules,
): Promise<Chosen | null> {
  const rules: string[] = [];
  const texts = typed.length === 0 ? [""] : typed;
  for (const [at, text] of texts.entries()) {
    const look: Look = (rule) => lookedAt(ticket, option, request, rule);
    const rule = await askForRule(text, whichOf(at, texts.length), look, gone);
    if (rule === null || gone.aborted) {
      return null;
    }
    rules.push(...(rule === "" ? [] : [rule]));
  }
  if (rules.length === 0) {
    return null;
  }
  return option.scopes.length === 0 ? { rules } : withScope(option, rules, gone);
}

async function withScope(option: CardOption, rules: readonly string[], gone: AbortSignal): Promise<Chosen | null> {
  const chosen = await pick(
    option.scopes.map((scope) => ({ label: PLACES[scope], value: scope })),
    {
      title: inert(`${verbOf(option)} ${rules.join(", ")}`),
      placeholder: t("Where should this hold? Choosing writes it."),
      gone,
    },
  );
  return chosen === null ? null : { rules, scope: chosen.value };
}

function verbOf({ kind, label, inSandbox }: CardOption): string {
  return inSandbox ? t("Always apply") : (VERBS[kind] ?? said(label));
}

const VERBS: { readonly [kind in CardOption["kind"]]?: string } = {
  allowAlways: t("Always allow"),
  denyAlways: t("Never allow"),
};

/** What to say of a text that is being written. */
type Look = (rule: string) => Promise<{ readonly isFault: boolean; readonly text: string }>;

function whichOf(at: number, count: number): string {
  return count === 1 ? t("The rule") : t("Rule {0} of {1}", at + 1, count);
}

/** The rule, empty where it is to be left out; null where the person drew back. */
async function askForRule(value: string, title: string, look: Look, gone: AbortSignal): Promise<string | null> {
  if (gone.aborted) {
    return null;
  }
  const closing = new CancellationTokenSource();
  const close = (): void => closing.cancel();
  gone.addEventListener("abort", close, { once: true });
  let newest = "";
  const box = {
    title,
    value,
    prompt: t("Change it as you like. An empty line leaves it out."),
    ignoreFocusOut: true,
    validateInput: async (text: string) => {
      newest = text;
      if (text.trim() === "") {
        return null;
      }
      await new Promise((resolve) => setTimeout(resolve, TYPING_DELAY_MS));
      if (newest !== text) {
        return null; // What is typed now is looked at in its place.
      }
      const said = await look(text.trim());
      const message = inert(said.text);
      return said.isFault ? message : { message, severity: InputBoxValidationSeverity.Info };
    },
  };
  try {
    return (await window.showInputBox(box, closing.token))?.trim() ?? null;
  } finally {
    gone.removeEventListener("abort", close);
    closing.dispose();
  }
}

const TYPING_DELAY_MS = 150;

async function lookedAt(
  { approvalId }: ApprovalRequest,
  { id: optionId }: CardOption,
  request: Request,
  rule: string,
): Promise<{ readonly isFault: boolean; readonly text: string }> {
  try {
    const params = { approvalId, optionId, rules: [rule] };
    const result = (await request("tool/previewRules", params)) as Previewed;
    const problem = result.rules[0]?.problem ?? null;
    const others = result.covers ? [] : [t("It does not cover this call by itself.")];
    return problem === null
      ? { isFault: false, text: [comparison(result), ...others, ...examplesOf(result)].join(" ") }
      : { isFault: true, text: said(problem) };
  } catch (error) {
    return { isFault: true, text: reasonOf(error) };
  }
}

function examplesOf({ rules }: Previewed): readonly string[] {
  const others = rules.flatMap(({ wouldMatch }) => wouldMatch);
  return others.length === 0 ? [] : [t("Also covers: {0}", others.join(", "))];
}
