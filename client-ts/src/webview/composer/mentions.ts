/**
 * What a person names in a prompt with an `@`: what is offered for a word, and what was taken.
 *
 * The server says what could be meant and reads it when the prompt comes; here are names alone.
 */

import { t } from "../../shared/l10n";
import type { Chat, Offered, ReferencesFound } from "../../shared/protocol";
import { chatOf, shown, withErrand, withRequest, type Purpose, type State, type Editing, type Mention } from "../state/model";
import { hasWords, lastWords, type LastWords } from "../chats/last-words";
import { olderOf } from "../chats/older-entries";
import { OWN } from "../chats/built-in-agents";
import { MAX_REFERENCES } from "../chats/sending";
import type { Naming } from "../state/moments";

const FURTHER_UP = t("The beginning of your last words is further up; show what is earlier, and try again.");
const WORD = /(?:^|\s)@(?<word>[^\s@]{0,200})$/u;

/** The state after something was written, with the caret there: perhaps a name is looked for. */
export function mentioned(state: State, caret: number): State {
  const after = { ...state, recalled: null };
  const word = WORD.exec(state.draft.slice(0, caret))?.groups?.["word"];
  if (word === undefined || shown(state) !== null || state.server.state !== "ready") return { ...after, mention: null };
  const start = caret - word.length - 1;
  const found = state.mention?.start === start ? state.mention.found : [];
  const chatId = chatOf(state)?.chatId ?? null;
  const mention = { start, word, found, at: 0 };
  return withRequest({ ...after, mention }, "agent/references", { chatId, word }, { kind: "named", start, word });
}

/** The server said what could be meant; what was written since is asked for anew. */
export function offered(state: State, { start, word }: Extract<Purpose, { kind: "named" }>, { found }: ReferencesFound): State {
  const { mention } = state;
  if (mention?.start !== start || mention.word !== word) return state;
  const live = found.length === 0 ? t("Nothing that may be read has such a name.") : t("{0} found.", found.length);
  return { ...state, mention: { ...mention, found, at: 0 }, live };
}

/** The list that is open now; none while a card is. */
export function mentionOf(state: State): Mention | null {
  return shown(state) === null && (state.mention?.found.length ?? 0) > 0 ? state.mention : null;
}

export function naming(state: State, step: Naming): State {
  switch (step.kind) {
    case "move":
      return moved(state, step.by);
    case "take":
      return taken(state, step.at);
    case "close":
      return { ...state, mention: null };
    case "drop":
      return dropped(state, step.at);
    case "recall":
      return recalled(state);
    case "restore":
      return { ...state, draft: "", recalled: null, editing: null, note: null };
  }
}

function moved(state: State, by: 1 | -1): State {
  const { mention } = state;
  if (mention === null || mention.found.length === 0) return state;
  const { length } = mention.found;
  return { ...state, mention: { ...mention, at: (mention.at + by + length) % length } };
}

/** One of them is named from now on, and its word is gone from the draft. */
function taken(state: State, at: number): State {
  const { mention, draft } = state;
  const one = mention?.found[at];
  if (mention === null || one === undefined) return state;
  const [before, behind] = [draft.slice(0, mention.start), draft.slice(mention.start + 1 + mention.word.length)];
  const text = before === "" || /\s$/u.test(before) ? before + behind.trimStart() : before + behind;
  return withReference(withErrand({ ...state, mention: null, draft: text }, { kind: "focus", on: "composer" }), one);
}

/** The state in which this goes with the message, too. */
export function withReference(state: State, one: Offered): State {
  const { references } = state;
  const key = JSON.stringify(one.reference);
  if (references.some(({ reference }) => JSON.stringify(reference) === key)) return state;
  if (references.length >= MAX_REFERENCES)
    return { ...state, note: t("No more than {0} things are named in one message.", MAX_REFERENCES) };
  return { ...state, references: [...references, one], live: t("{0} goes with this message.", one.name) };
}

function dropped(state: State, at: number): State {
  const name = state.references[at]?.name ?? "";
  const after = { ...state, references: state.references.filter((_, place) => place !== at) };
  return withErrand({ ...after, live: t("{0} is taken off.", name) }, { kind: "focus", on: "composer" });
}

/** What the person said last in this chat comes back into an empty draft, but not what went with it. */
function recalled(state: State): State {
  const chat = chatOf(state);
  if (chat === null || state.draft !== "") return state;
  const items = [...olderOf(state.older, chat).items, ...chat.items];
  const said = lastWords(items);
  if (said !== null) return { ...state, draft: said.text, recalled: said.text, editing: edited(chat, said), note: said.leftOut };
  return hasWords(items) ? { ...state, note: FURTHER_UP } : state;
}

/** Our own agent can be told the same in another way; what is said while it works is more. */
function edited({ agentId, running }: Chat, { messageId }: LastWords): Editing | null {
  return agentId === OWN && !running ? { messageId, files: false } : null;
}

/** What a key does in the composer beside writing; null where it does nothing else. */
export function keyed(state: State, event: KeyboardEvent): Naming | null {
  if (event.isComposing || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return null;
  const mention = mentionOf(state);
  switch (event.key) {
    case "ArrowDown":
      return mention && { kind: "move", by: 1 };
    case "ArrowUp":
      return mention === null ? above(state) : { kind: "move", by: -1 };
    case "Enter":
    case "Tab":
      return mention && { kind: "take", at: mention.at };
    case "Escape":
      return escaped(state);
    case "Backspace":
      return back(state, event);
    default:
      return null;
  }
}

function above({ draft }: State): Naming | null {
  return draft === "" ? { kind: "recall" } : null;
}

function escaped({ mention, recalled, draft }: State): Naming | null {
  if (mention !== null) return { kind: "close" };
  return recalled !== null && draft === recalled ? { kind: "restore" } : null;
}

/** Before the first letter it takes off what was named last; not while it is held to delete words. */
function back({ references }: State, event: KeyboardEvent): Naming | null {
  const { selectionEnd } = event.target as HTMLTextAreaElement;
  return selectionEnd === 0 && references.length > 0 && !event.repeat ? { kind: "drop", at: references.length - 1 } : null;
}
