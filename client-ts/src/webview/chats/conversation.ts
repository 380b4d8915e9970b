/**
 * What a person says to agents: prompts, stops, new chats, another agent.
 *
 * Nothing that was written is lost: the draft goes only when a prompt was sent, and comes back
 * when the prompt was not taken.
 */

import { partnerNamed, partnersOf, type Partner, type PartnerWords } from "../../shared/partners";
import { t } from "../../shared/l10n";
import type { Mode } from "../../shared/modes";
import type { AgentInfo, Chat, TurnEnd } from "../../shared/protocol";
import { UNNAMED, type Offer } from "../../shared/chat-events";
import { chatOf, isAsking, isRunning, withErrand, withRequest, type Purpose, type Queued, type State } from "../state/model";
import { olderOf, PAGE_ENTRIES } from "./older-entries";
import { editSent } from "./rewind";
import { OWN } from "./built-in-agents";
import { builtIn, opened } from "./built-in-commands";
import { queued, takenBack } from "./message-queue";
import { asked, joined, sends, tooMany } from "./sending";

/** What is said to an agent that was stopped at a limit. */
const GO_ON = "Go on.";

type ChatAsked = Extract<Purpose, { kind: "newChat" }>;

/** The agent that a new chat would be opened with. */
export function agentFor(state: State): AgentInfo | null {
  const { agents } = state.replica;
  const wanted = chatOf(state)?.agentId ?? state.partner?.agentId;
  return agents.find(({ id }) => id === wanted) ?? agents[0] ?? null;
}

/** The same with its model: the one that the shown chat has, else the one that was chosen. */
export function partnerFor(state: State): PartnerWords | null {
  const agent = agentFor(state);
  const chat = chatOf(state);
  if (agent === null) return null;
  if (chat !== null) return partnerNamed(agent, chat.model);
  const all = partnersOf([agent]);
  return all.find(({ modelId }) => modelId === state.partner?.modelId) ?? all[0] ?? null;
}

/** Cards call it by what the person said; above it the agent's own title may stand. */
export function titleOf({ title, agentTitle, agentName }: Chat): string {
  const isNamed = title !== "" && title !== UNNAMED;
  return agentTitle || (isNamed ? title : t("New chat with {0}", agentName));
}

/** The mode that holds, or would hold for a first chat. */
export function modeFor(state: State): Mode {
  return chatOf(state)?.mode ?? state.mode ?? state.replica.defaultMode;
}

/** How many calls of the shown chat wait for an answer. */
export function waitingHere(state: State): number {
  return state.replica.tickets.filter(({ request }) => request.chatId === state.chatId).length;
}

/** Send what was written; open a chat for it if there is none. */
export function prompted(state: State): State {
  const text = state.draft.trim();
  if (text === "") return state;
  const command = builtIn(chatOf(state), text);
  if (command !== null) {
    const after = { ...state, draft: "", mention: null, recalled: null, editing: null };
    return command.opens === "chat" ? beginsChat(after, null) : opened(after, command.opens);
  }
  if (state.server.state === "dead") return { ...state, note: t("The server does not run.") };
  if (state.server.state !== "ready" || state.replica.phase !== "live") {
    return { ...state, isEager: true, note: t("This is sent as soon as the server is ready.") };
  }
  const chat = chatOf(state);
  if (chat === null) return asksForChat(state, null, text);
  // Our own agent is told with the results of the calls that run.
  if (chat.running && chat.agentId !== OWN) return queued(state, chat, text);
  if (state.editing !== null && chat.agentId === OWN) return editSent(state, state.editing);
  return sends({ ...state, draft: "", mention: null, recalled: null, editing: null }, chat.chatId, text);
}

/** A prompt was not taken: its words come back, before what was written since; in another chat they wait until it is shown. */
export function promptFailed(state: State, prompt: Queued & { readonly chatId: string }, error: string): State {
  const { chatId } = prompt;
  if (chatId !== state.chatId)
    return { ...state, note: error, queued: { ...state.queued, [chatId]: joined(state.queued[chatId], prompt) } };
  const { text, images, references } = joined(prompt, { ...state, text: state.draft });
  return { ...state, note: isDrawn(state, error) ? null : error, draft: text, images, references };
}

/** A picture has so many signs, as the server takes it. */
const MAX_IMAGE_LETTERS = 1_398_100;

/** A picture was pasted; `note` says what is not as it was. */
export function attached(state: State, image: string, note: string | null = null): State {
  if (image.length > MAX_IMAGE_LETTERS) return { ...state, note: t("This picture is larger than 1 MiB, so it is not sent.") };
  const images = [...state.images, image];
  const why = tooMany({ ...state, images });
  return why === null ? { ...state, images, note } : { ...state, note: why };
}

/** How long after a card went an Escape may have been meant for it. */
const MEANT_FOR_CARD_MS = 1_000;

/** Escape stops the turn of the chat that is shown, where nothing is asked and no list is open. */
export function escaped(state: State): State {
  const isAsked = state.replica.order.length > 0 || state.now - state.closedAt < MEANT_FOR_CARD_MS;
  return isAsked || !isRunning(state) || state.draft.startsWith("/") ? state : stopped(state);
}

/** End the turn of the chat that is shown; what waits for its end is not sent either. */
export function stopped(state: State): State {
  const chat = chatOf(state);
  return chat === null ? state : withRequest(takenBack(state), "agent/stop", { chatId: chat.chatId });
}

/** A turn that was stopped at a limit goes on; what is being written stays where it is. */
export function wentOn(state: State): State {
  const chat = chatOf(state);
  if (chat === null || chat.limit === "" || chat.running) return state;
  return asked(withErrand(state, { kind: "toEnd" }), chat.chatId, { text: GO_ON, images: [], references: [] });
}

/** Ask the model of this chat again, without waiting any longer. */
export function triedNow(state: State): State {
  const chat = chatOf(state);
  return chat === null ? state : withRequest(state, "agent/tryNow", { chatId: chat.chatId });
}

/** End the chat that is shown; what it has waiting is denied. */
export function closed(state: State): State {
  const chat = chatOf(state);
  return chat === null ? state : withRequest(state, "agent/closeChat", { chatId: chat.chatId });
}

/** Go on here with a chat that another window had. */
export function goneOnWith(state: State): State {
  const chat = chatOf(state);
  return chat === null ? state : withRequest(state, "chat/continue", { chatId: chat.chatId });
}

/** Do what a notice offers, in the chat in which it stands. */
export function offerTaken(state: State, offer: Offer): State {
  const chat = chatOf(state);
  if (chat === null || !isOffered(chat, offer)) return state;
  const { chatId } = chat;
  if (offer.kind === "mode") return withRequest(state, "agent/setMode", { chatId, mode: offer.mode });
  if (offer.kind === "prompt") return sends(state, chatId, offer.text);
  return withRequest(
    withErrand(state, { kind: "toEnd" }),
    "agent/retry",
    { chatId },
    { kind: "prompt", chatId, text: "", images: [], references: [] },
  );
}

/** Whether a notice's offer still means something: nothing of the kind was done since. */
export function isOffered({ items, mode, running }: Chat, offer: Offer): boolean {
  if (offer.kind === "mode") return mode !== offer.mode;
  const place = items.findLastIndex((item) => item.kind === "notice" && item.offer === offer);
  const since = items.slice(place + 1);
  if (offer.kind === "prompt") return !since.some(({ kind }) => kind === "user");
  return !running && since.every((item) => item.kind === "notice" && item.offer?.kind !== "retry");
}

/** Show what was said before what is shown. */
export function earlier(state: State): State {
  const chat = chatOf(state);
  if (chat === null || isAsking(state, ({ kind }) => kind === "turns")) return state;
  const { chatId } = chat;
  const before = olderOf(state.older, chat).first;
  const purpose = { kind: "turns", chatId, before, epoch: state.replica.epoch } as const;
  return withRequest(state, "agent/turns", { chatId, before, limit: PAGE_ENTRIES }, purpose);
}

/** Another chat was chosen. */
export function chatShown(state: State, chatId: string): State {
  return withErrand({ ...state, chatId, returning: null, offer: null, rewind: null, editing: null }, { kind: "toEnd" });
}

/** A turn is over: if it failed, and nothing that is drawn says so, say why. */
export function turnOver(state: State, chatId: string, { reason, because }: TurnEnd): State {
  const isHere = reason === "error" && because !== "" && chatOf(state)?.chatId === chatId;
  return isHere && !isDrawn(state, because) ? { ...state, note: because } : state;
}

/** Whether the chat that is shown says this already, or the strip about its agent. */
function isDrawn(state: State, because: string): boolean {
  return agentFor(state)?.because === because || isLastNotice(chatOf(state), because);
}

/** Whether the last thing in this chat is a notice of exactly this. */
export function isLastNotice(chat: Chat | null, text: string): boolean {
  const last = chat?.items.at(-1);
  return last?.kind === "notice" && last.text === text;
}

/** Another agent or model was chosen: an empty chat gives way, a begun one changes its model. */
export function partnerPicked(state: State, partner: Partner): State {
  const chat = chatOf(state);
  const now = partnerFor(state);
  if (chat === null) return { ...state, partner };
  if (chat.agentId === partner.agentId && now?.modelId === partner.modelId) return { ...state, offer: null };
  if (chat.items.length > 0) {
    const { modelId: model } = partner;
    return chat.agentId === partner.agentId && model !== null
      ? withRequest({ ...state, offer: null }, "agent/setModel", { chatId: chat.chatId, model })
      : { ...state, offer: partner };
  }
  return asksForChat(state, partner, null);
}

/** The person wants a new chat, and writes in it next. */
export function beginsChat(state: State, partner: Partner | null): State {
  return withErrand(asksForChat(state, partner, null), { kind: "focus", on: "composer" });
}

/** Ask for a new chat; `text` is its first prompt. */
export function asksForChat(state: State, partner: Partner | null, text: string | null): State {
  const wanted = partner ?? partnerFor(state);
  if (wanted === null) return { ...state, note: t("There is no agent to talk to.") };
  const chat = chatOf(state);
  const empty = chat !== null && chat.items.length === 0 && !chat.running;
  const instead = empty ? chat.chatId : null;
  const { agentId, modelId } = wanted;
  const params = {
    agentId,
    ...(modelId === null ? {} : { model: modelId }),
    ...(state.mode === null ? {} : { mode: state.mode }),
  };
  const purpose = { kind: "newChat", text, instead } as const;
  return withRequest({ ...state, offer: null }, "agent/newChat", params, purpose);
}

/** A new chat is there: show it, and say in it what it was opened for. */
export function chatOpened(state: State, chatId: string, { text, instead }: ChatAsked): State {
  const here = withErrand({ ...state, chatId, expected: chatId, mode: null, editing: null }, { kind: "toEnd" });
  const alone = instead === null ? here : withRequest(here, "agent/closeChat", { chatId: instead });
  if (text === null) return alone;
  const draft = state.draft.trim() === text ? "" : state.draft;
  return sends({ ...alone, draft }, chatId, text);
}
