/** Where the History page meets the editor: what it asks, what it is told, and its one state. */

import { WORDS } from "../dom/language";
import { render } from "lit/html.js";
import { t } from "../../shared/l10n";
import type { HistoryRow, MethodName } from "../../shared/protocol";
import type { FromHistory, ToHistory } from "../../shared/host-messages";
import { reader } from "../../shared/sentence-reader";
import { readBy } from "../../shared/server-sentences";
import { keepReadable } from "../dom/contrast";
import { Still, TOO_SOON } from "../dom/click-guard";
import { draftOf, filterOf, START, type Ask, type RuleDraft, type State, type Wanted } from "./model";
import { page, rowKey, type Gestures } from "./page";

declare function acquireVsCodeApi(): {
  readonly postMessage: (message: FromHistory) => void;
  readonly getState: () => { readonly wanted?: Wanted } | undefined;
  readonly setState: (kept: { readonly wanted: Wanted }) => void;
};

readBy(reader(WORDS));

const INDEX_POLL_MS = 1_000;
const TYPING_DELAY_MS = 250;

const editor = acquireVsCodeApi();
const waiting = new Map<number, (answer: Extract<ToHistory, { readonly kind: "answer" }>) => void>();
let state: State = { ...START, wanted: { ...START.wanted, ...editor.getState()?.wanted } };
let last = 0;
/** Which question about the list counts: an answer to an older one comes too late. */
let turn = 0;
let timer: number | undefined;
let typed: number | undefined;

const ask: Ask = (method, params) =>
  new Promise((resolve, reject) => {
    const id = (last += 1);
    waiting.set(id, ({ result, error }) => {
      if (error === undefined) resolve(result as never);
      else reject(new Error(error));
    });
    editor.postMessage({ kind: "request", id, method: method satisfies MethodName, params });
  });

function become(change: Partial<State>): void {
  state = { ...state, ...change };
  render(page(state, gestures), document.body);
}

async function load(before?: number): Promise<void> {
  const mine = (turn += 1);
  window.clearTimeout(timer);
  become({ isBusy: true, problem: "" });
  try {
    const filter = filterOf(state.wanted, Date.now());
    const found = await ask("history/list", { filter, ...(before === undefined ? {} : { before }) });
    if (mine !== turn) return;
    const { rows, more, lookedThrough, isWorkspace } = found;
    const names = lookedThrough < 1 ? {} : { agents: found.agents, tools: found.tools };
    become({
      ...names,
      rows: before === undefined ? rows : [...state.rows, ...rows],
      more,
      lookedThrough,
      isWorkspace,
      isBusy: false,
      ...(before === undefined ? { isBehind: false } : {}),
    });
    if (lookedThrough < 1) timer = window.setTimeout(() => void load(), INDEX_POLL_MS);
  } catch (error) {
    if (mine === turn) become({ isBusy: false, problem: wordsOf(error) });
  }
}

async function open(row: HistoryRow): Promise<void> {
  if (state.opened !== null && rowKey(state.opened.row) === rowKey(row)) {
    become({ opened: null });
    return;
  }
  become({ opened: { row, record: null, draft: null, told: "" } });
  await show(row, "");
}

/** Read the open record, and say something below it. */
async function show(row: HistoryRow, told: string): Promise<void> {
  try {
    const { recordId, hash } = row;
    const record = await ask("history/show", { recordId, hash });
    if (isOpen(row)) become({ opened: { row, record, draft: null, told } });
  } catch (error) {
    if (isOpen(row)) become({ opened: { row, record: null, draft: null, told: wordsOf(error) } });
  }
}

function isOpen(row: HistoryRow): boolean {
  return state.opened !== null && rowKey(state.opened.row) === rowKey(row);
}

function draft(now: RuleDraft | null): void {
  const { opened } = state;
  if (opened === null) return;
  window.clearTimeout(typed);
  become({ opened: { ...opened, draft: now, told: "" } });
  if (now !== null) typed = window.setTimeout(() => void foresee(opened.row, now), TYPING_DELAY_MS);
}

async function foresee(row: HistoryRow, asked: RuleDraft): Promise<void> {
  const { recordId, hash } = row;
  const rules = rulesOf(asked);
  if (rules.length === 0) return;
  const told = await ask("history/previewRule", { recordId, hash, verdict: asked.verdict, rules }).then(
    (foreseen) => ({ foreseen, problem: "" }),
    (error: unknown) => ({ foreseen: null, problem: wordsOf(error) }),
  );
  const { opened } = state;
  if (opened?.draft === asked) become({ opened: { ...opened, draft: { ...asked, ...told } } });
}

/** Do something with the open record, and say what came of it. */
async function act(done: string, deed: (row: HistoryRow) => Promise<unknown>): Promise<void> {
  const { opened } = state;
  if (opened === null) return;
  try {
    await deed(opened.row);
    await show(opened.row, done);
    // The button that was pressed is gone with what it did.
    focus('[data-row][aria-expanded="true"]');
  } catch (error) {
    if (isOpen(opened.row)) become({ opened: { ...opened, told: wordsOf(error) } });
  }
}

/** Say something below a record, if it still is the open one. */
function say(row: HistoryRow, told: string): void {
  if (state.opened !== null && isOpen(row)) become({ opened: { ...state.opened, told } });
}

/** Give the focus to the first of these, once it is drawn. */
function focus(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus();
}

function rulesOf({ rules }: RuleDraft): string[] {
  return rules.map((rule) => rule.trim()).filter((rule) => rule !== "");
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const gestures: Gestures = {
  want: (wanted) => {
    editor.setState({ wanted });
    become({ wanted, opened: null });
    void load();
  },
  unfold: (isUnfolded) => become({ isUnfolded }),
  reload: () => void load(),
  more: () => void load(state.rows.at(-1)?.recordId),
  open: (row) => void open(row),
  export: (form) => editor.postMessage({ kind: "export", form, filter: filterOf(state.wanted, Date.now()) }),
  draft: (verdict) => {
    const record = state.opened?.record ?? null;
    if (record === null) return;
    draft(draftOf(record, verdict));
    focus("textarea");
  },
  change: (now) => draft({ ...now, foreseen: null, problem: "" }),
  drop: () => {
    draft(null);
    focus(".offers button");
  },
  write: () => {
    const now = state.opened?.draft ?? null;
    if (now === null) return;
    const { verdict, scope } = now;
    void act(t("The rule is written, and holds from now on."), ({ recordId, hash }) =>
      ask("history/makeRule", { recordId, hash, verdict, scope, rules: rulesOf(now) }),
    );
  },
  askAgain: () => {
    const row = state.opened?.row;
    if (row === undefined) return;
    const { recordId, hash } = row;
    say(row, t("Your words are said once more; what the agent then asks stands in its chat."));
    void ask("history/askAgain", { recordId, hash }).then(
      () => say(row, t("The agent has answered in its chat.")),
      (error: unknown) => say(row, wordsOf(error)),
    );
  },
  revoke: () => void act(t("What this gave is taken back."), ({ recordId, hash }) => ask("history/revoke", { recordId, hash })),
};

new Still(document.body, () => {
  if (state.opened !== null) become({ opened: { ...state.opened, told: TOO_SOON } });
});
window.addEventListener("message", ({ data }: MessageEvent<ToHistory>) => {
  switch (data.kind) {
    case "answer":
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
      return;
    case "changed":
      become({ isBehind: true });
      return;
    case "ready":
      void load();
  }
});

keepReadable();
become({});
editor.postMessage({ kind: "ready" });
