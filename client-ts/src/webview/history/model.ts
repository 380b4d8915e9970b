/** What the History page knows, and the words in which it says so. */

import { t } from "../../shared/l10n";
import type { HistoryFilter, HistoryPage, HistoryRecord, HistoryRow, MakeRule, Messages, Previewed } from "../../shared/protocol";
import { said } from "../../shared/server-sentences";

/** What is asked for, as a person fills it in: an empty text is not asked for. */
export interface Wanted {
  readonly text: string;
  readonly agent: string;
  readonly outcome: "" | NonNullable<HistoryFilter["outcome"]>;
  readonly by: string;
  readonly tool: string;
  readonly rule: string;
  readonly path: string;
  readonly host: string;
  /** How far back, in hours. */
  readonly hours: "" | "1" | "24" | "168" | "720";
  readonly everywhere: boolean;
}

export const ALL: Wanted = {
  text: "",
  agent: "",
  outcome: "",
  by: "",
  tool: "",
  rule: "",
  path: "",
  host: "",
  hours: "",
  everywhere: false,
};

/** A rule that is being made from the open record. */
export interface RuleDraft {
  readonly verdict: MakeRule["verdict"];
  readonly rules: readonly string[];
  readonly scope: MakeRule["scope"];
  readonly foreseen: Previewed | null;
  readonly problem: string;
}

/** The record that is open; `record` is null until it has come. */
export interface Opened {
  readonly row: HistoryRow;
  readonly record: HistoryRecord | null;
  readonly draft: RuleDraft | null;
  readonly told: string;
}

export interface State {
  readonly wanted: Wanted;
  /** Whether the filters that few need are shown. */
  readonly isUnfolded: boolean;
  readonly rows: readonly HistoryRow[];
  readonly more: boolean;
  readonly agents: HistoryPage["agents"];
  readonly tools: readonly string[];
  readonly lookedThrough: number;
  readonly isWorkspace: boolean;
  readonly isBusy: boolean;
  /** Whether something was decided since the rows were asked for. */
  readonly isBehind: boolean;
  readonly problem: string;
  readonly opened: Opened | null;
}

export const START: State = {
  wanted: ALL,
  isUnfolded: false,
  rows: [],
  more: false,
  agents: [],
  tools: [],
  lookedThrough: 1,
  isWorkspace: true,
  isBusy: true,
  isBehind: false,
  problem: "",
  opened: null,
};

/** Sends one of the requests of this page. */
export type Ask = <Name extends keyof Messages & `history/${string}`>(
  method: Name,
  params: Messages[Name]["params"],
) => Promise<Messages[Name]["result"]>;

/** What is asked for, as the server takes it. */
export function filterOf(wanted: Wanted, now: number): HistoryFilter {
  const { hours, everywhere, outcome, ...texts } = wanted;
  const given = Object.entries(texts).filter(([, text]) => text.trim() !== "");
  return {
    ...(Object.fromEntries(given.map(([name, text]) => [name, text.trim()])) as HistoryFilter),
    ...(outcome === "" ? {} : { outcome }),
    ...(hours === "" ? {} : { since: now - Number(hours) * 3_600_000 }),
    everywhere,
  };
}

/** Who settled it, in a word. */
export const BY: { readonly [by: string]: string } = {
  user: t("you"),
  rule: t("a rule"),
  mode: t("the mode"),
  hook: t("a hook"),
  timeout: t("nobody in time"),
  stop: t("a stop"),
  agentGone: t("the agent's end"),
  error: t("a fault"),
};

/** A record's sign, and the word that says the same. */
export function signOf({ outcome }: Pick<HistoryRow, "outcome">): readonly [string, string, string] {
  switch (outcome) {
    case "allowed":
      return ["✓", t("Allowed"), "ok"];
    case "refused":
      return ["✕", t("Denied"), "no"];
    case "withdrawn":
      return ["↩", t("Withdrawn"), "muted"];
    case "answered":
      return ["↩", t("Answered"), "ok"];
    default:
      return ["•", t("Noted"), "muted"];
  }
}

/** What today's rules would say. */
export const WOULD = {
  allow: t("allowed"),
  ask: t("asked about"),
  deny: t("denied"),
} as const;

/** The rules to begin with, for an answer of this kind. */
export function draftOf(record: HistoryRecord, verdict: RuleDraft["verdict"]): RuleDraft {
  const rules = verdict === "allow" ? record.allow : record.deny.slice(0, 1);
  return {
    verdict,
    rules: rules.length === 0 ? [""] : rules,
    scope: record.scopes[0] ?? "user",
    foreseen: null,
    problem: "",
  };
}

/** Why the rule of a draft cannot be written; nothing where it can. */
export function hindrance({ rules, foreseen, problem }: RuleDraft): string {
  if (rules.every((rule) => rule.trim() === "")) return t("There is no rule yet.");
  if (problem !== "") return problem;
  if (foreseen === null) return t("Looking what it would do…");
  const faulty = foreseen.rules.find((rule) => rule.problem !== null);
  if (faulty !== undefined) return said(faulty.problem ?? "");
  return foreseen.covers ? "" : t("It does not settle this call.");
}

/** What a person does with an open record. */
export interface Deeds {
  readonly draft: (verdict: RuleDraft["verdict"]) => void;
  readonly change: (draft: RuleDraft) => void;
  readonly drop: () => void;
  readonly write: () => void;
  readonly revoke: () => void;
  readonly askAgain: () => void;
}
