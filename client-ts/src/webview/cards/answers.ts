/**
 * How a card is answered: by a press, by a command of the editor, and what comes back.
 *
 * An answer always names the ticket, the revision and the digest of the card that was shown. The
 * card stays until the server says that its ticket is settled.
 */

import { allows, takesWords, type Values } from "../../shared/card";
import { t } from "../../shared/l10n";
import type { CardCommand } from "../../shared/host-messages";
import type { ApprovalRequest, CardOption } from "../../shared/protocol";
import { keepWaiting, openDiff } from "./requests";
import { batchAnswered, rowsOf } from "./batch";
import { counts, KEY_REPEAT_MS, isArmed, type Press } from "../dom/press";
import { lockOf, type Lock } from "./lock";
import { shown, withErrand, withRequest, without, type FocusOn, type Open, type State } from "../state/model";
import { choosingOf, chosenIn, nothingChosen, ticked } from "./choose";
import { edited, hasStep, hindrance, rulesIn, stepFor } from "./rule-step";
import type { RuleChange } from "../state/moments";

/** What the page saw; a card whose lock has opened must stand still first. */
export function sighted(state: State, sight: State["sight"]): State {
  const before = lockNow(state);
  const after = { ...state, sight };
  return before !== null && lockNow(after) === null ? changed(after, { confirming: state.open?.confirming ?? false }) : after;
}

function lockNow(state: State): Lock | null {
  const ticket = shown(state);
  return ticket === null || state.open === null ? "away" : lockOf(state, ticket.request, state.open);
}

/** A click or a key on one of the card's own buttons. */
export function pressed(state: State, optionId: string, press: Press): State {
  if (state.open === null || !counts(press, state.open.since)) return state;
  return chosen(state, optionId);
}

/** A click or a key on a button of a list of calls. */
export function batchPressed(state: State, side: "allow" | "deny", press: Press): State {
  if (state.open === null || !counts(press, state.open.since)) return state;
  return atBatch(state, side);
}

function atBatch(state: State, side: "allow" | "deny"): State {
  const lock = side === "allow" ? lockNow(state) : null;
  return lock === null ? batchAnswered(state, side) : unlockFirst(state, lock);
}

/** The list of more ways, or the line for words, is opened or closed: the card moves. */
export function changed(state: State, part: Partial<Open>): State {
  if (state.open === null) return state;
  return { ...state, open: { ...state.open, confirming: false, ...part, since: state.now } };
}

/** A key or a menu of the editor, meant for the card that is shown. */
export function commanded(state: State, command: CardCommand): State {
  const held = state.now - state.lastCommandAt < KEY_REPEAT_MS;
  const heard = { ...state, lastCommandAt: state.now };
  switch (command) {
    case "review":
      return withErrand(heard, { kind: "focus", on: state.open === null ? "composer" : "card" });
    case "next":
      return turned(state, 1);
    case "previous":
      return turned(state, -1);
    case "openDiff":
      return openDiff(heard, 0);
    case "keepWaiting":
      return keepWaiting(heard);
    case "allowOnce":
      return held ? heard : answeredByKey(heard, ["allowOnce", "grantWish", "approvePlan", "answerForm", "openPage"]);
    case "allowChat":
    case "allowBackground":
      return held ? heard : answeredByKey(heard, [command]);
    case "deny":
      return held ? heard : answeredByKey(heard, ["denyOnce", "keepAsking", "keepOff", "skip", "decline"]);
    case "denyTell":
      return held ? heard : answeredByKey(heard, ["denyTell", "answerWords"]);
    case "stopAsking":
      return held ? heard : answeredByKey(heard, ["bypassAgent"]);
  }
}

/** Show the card before or after this one. */
export function turned(state: State, by: 1 | -1): State {
  const inList = new Set(rowsOf(state).map(({ request }) => request.approvalId));
  const tickets = state.replica.tickets.filter(
    ({ request: { approvalId } }) => approvalId === state.open?.approvalId || !inList.has(approvalId),
  );
  const at = tickets.findIndex(({ request }) => request.approvalId === state.open?.approvalId);
  const next = tickets[(at + by + tickets.length) % tickets.length];
  return next === undefined ? state : showing(state, next.request.approvalId);
}

/** Show this card; what was begun on another one is dropped. */
export function showing(state: State, approvalId: string): State {
  if (state.open?.approvalId === approvalId) return state;
  const after = { ...state, open: opened(approvalId, state.now) };
  return state.where === "card" ? withErrand(after, { kind: "focus", on: "card" }) : after;
}

/** A card that has just come. */
export function opened(approvalId: string, at: number): Open {
  return {
    approvalId,
    shownAt: at,
    since: at,
    list: null,
    words: null,
    values: null,
    step: null,
    choosing: null,
    opened: false,
    confirming: false,
    why: false,
    batch: null,
  };
}

/** What a person does in the step of an answer for always; going back answers nothing. */
export function atRules(state: State, change: RuleChange): State {
  const step = state.open?.step;
  if (!step) return state;
  if (change.kind !== "back") return edited(state, change);
  const on = step.verdict === "allow" ? "allowWays" : "denyWays";
  return withErrand(changed(state, { step: null }), { kind: "focus", on });
}

/** A part of a call is ticked, or is so no more. */
export function atChoices(state: State, choice: string, isTicked: boolean): State {
  const choosing = state.open?.choosing;
  return choosing ? changed(state, { choosing: ticked(choosing, choice, isTicked) }) : state;
}

/** The chosen option, sent; or what it needs first. */
function chosen(state: State, optionId: string): State {
  const ticket = shown(state);
  const option = ticket?.request.card.options.find(({ id }) => id === optionId);
  if (ticket === null || option === undefined || state.open === null) return state;
  if (ticket.request.approvalId in state.sending) return state;
  const lock = allows(option.kind) ? lockOf(state, ticket.request, state.open) : null;
  if (lock !== null) return unlockFirst(state, lock);
  if (takesWords(option.kind) && state.open.words === null) return asksForWords(state);
  if (option.kind === "answerWords" && state.open.words?.trim() === "") return { ...state, live: t("Write an answer first.") };
  if (option.kind === "answerForm" && !state.canFill) return { ...state, live: NO_FIELDS };
  if (hasStep(option.kind)) return atStep(state, ticket.request, option, state.open);
  if (option.kind === "allowSome") return atChoice(state, ticket.request, option, state.open);
  return sent(state, ticket.request, option, state.open);
}

function sent(state: State, request: ApprovalRequest, option: CardOption, open: Open): State {
  const { approvalId, chatId, revision, digest } = request;
  const feedback = takesWords(option.kind) ? { feedback: open.words?.trim() || null } : {};
  const shownMs = Math.max(0, Math.round(state.now - open.shownAt));
  const values = option.kind === "answerForm" ? { values: open.values ?? initial(request) } : {};
  const rules = rulesIn(open.step, option);
  const chosen = chosenIn(open.choosing, option);
  const params = { approvalId, chatId, revision, digest, optionId: option.id, ...feedback, ...values, ...rules, ...chosen, shownMs };
  const sending = { ...state.sending, [approvalId]: { optionId: option.id, at: state.now } };
  const remarks = without(state.remarks, approvalId);
  const after = { ...state, sending, remarks, open: { ...open, list: null, confirming: false } };
  const { body } = request.card;
  const page = option.kind === "openPage" && body.kind === "form" ? { url: body.url } : {};
  const purpose = { kind: "answer", approvalId, option: option.kind, ...page } as const;
  return withRequest(after, "tool/approvalResponse", params, purpose);
}

/** What stands in a form before anything was written. */
function initial({ card: { body } }: ApprovalRequest): Values {
  return body.kind === "form" ? Object.fromEntries(body.fields.map(({ name, initial }) => [name, initial])) : {};
}

const NO_FIELDS = t("The form is not here yet. Where it does not come, reload the window.");
const OUT_OF_SIGHT = t("Nothing was answered: the card's buttons are out of sight.");

/** Commands reach a card only where a stray key would not. */
function answeredByKey(state: State, kinds: readonly CardOption["kind"][]): State {
  const ticket = shown(state);
  const option = ticket?.request.card.options.find(({ kind }) => kinds.includes(kind));
  if (ticket === null || option === undefined || state.open === null) return state;
  if (state.where !== "card" && state.draft.trim() !== "") {
    return { ...state, note: t("Nothing was answered: there is text in the composer.") };
  }
  if (!isArmed(state.open.since, state.now)) {
    return { ...state, note: t("Nothing was answered: the card had only just appeared.") };
  }
  const quiet = { ...state, note: null };
  if (state.open.batch !== null) return inBatch(quiet, kinds);
  const lock = lockOf(state, ticket.request, state.open);
  // A list with ticks, and the fields of a rule, have buttons of their own in the place of this one.
  if (lock === "away" || (allows(option.kind) && (state.open.choosing ?? state.open.step))) {
    return { ...state, note: OUT_OF_SIGHT };
  }
  if (ticket.request.card.level === "high" && allows(option.kind) && lock === null) {
    if (!state.open.confirming) return asksAgain(quiet);
  }
  return chosen(quiet, option.id);
}

/** Of keys that are meant for one card only those count whose button the list has. */
function inBatch(state: State, kinds: readonly CardOption["kind"][]): State {
  if (!kinds.includes("allowOnce") && !kinds.includes("denyOnce"))
    return { ...state, note: t("Nothing was answered: this is for one call alone.") };
  if (lockNow(state) === "away") return { ...state, note: OUT_OF_SIGHT };
  return atBatch(state, kinds.includes("allowOnce") ? "allow" : "deny");
}

function asksAgain(state: State): State {
  const after = changed(state, { confirming: true });
  const live = t("Press again to allow this. Its level is high.");
  return withErrand({ ...after, live }, { kind: "focus", on: "allow" });
}

/** The step is opened first, and sent once what it would do is known. */
function atStep(state: State, request: ApprovalRequest, option: CardOption, open: Open): State {
  if (open.step?.optionId !== option.id) {
    const step = stepFor(option, state.now);
    return withErrand(changed(state, { list: null, words: null, choosing: null, step }), { kind: "focus", on: "rule" });
  }
  const live = hindrance(open.step);
  return live === null ? sent(state, request, option, open) : { ...state, live };
}

/** The list is opened first, and sent as it is ticked. */
function atChoice(state: State, request: ApprovalRequest, option: CardOption, open: Open): State {
  if (open.choosing?.optionId !== option.id) {
    const choosing = choosingOf(option);
    return withErrand(changed(state, { list: null, words: null, step: null, choosing }), { kind: "focus", on: "choice" });
  }
  const live = nothingChosen(open.choosing);
  return live === null ? sent(state, request, option, open) : { ...state, live };
}

function asksForWords(state: State): State {
  return withErrand(changed(state, { list: null, step: null, choosing: null, words: "" }), { kind: "focus", on: "words" });
}

const FIRST: { readonly [lock in Lock]: readonly [string, FocusOn] } = {
  folded: [t("Open the hidden middle of the text before you allow it."), "fold"],
  unseen: [t("Look at what is marked before you allow it."), "unseen"],
  away: [t("The card's buttons are out of sight."), "card"],
};

function unlockFirst(state: State, lock: Lock): State {
  const [live, on] = FIRST[lock];
  return withErrand({ ...state, live }, { kind: "focus", on });
}
