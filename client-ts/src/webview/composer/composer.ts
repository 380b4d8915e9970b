/** Where the person writes: the text, the mode, the agent, Send and Stop. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { live } from "lit/directives/live.js";
import { partnersOf, type Effort, type Partner, type PartnerWords } from "../../shared/partners";
import { locale, mixed, t } from "../../shared/l10n";
import { MODES, type Mode } from "../../shared/modes";
import type { Usage } from "../../shared/protocol";
import { attachments, pasted } from "./attachments";
import type { Hand } from "../state/hand";
import { arrow, square } from "../dom/icons";
import { clock, spoken } from "../cards/countdown";
import { chatOf, isRunning, pauseOf, type State } from "../state/model";
import type { Input } from "../state/moments";
import { active, chips, list, mentions } from "./mention-list";
import { keyed } from "./mentions";
import { agentFor, modeFor, partnerFor } from "../chats/conversation";
import { sentence } from "../dom/spans";
import { commands, completed, isUnfinished } from "./agent-commands";

/** The composer. What waits above it changes its height in no way. */
export function composer(state: State, hand: Hand): TemplateResult {
  const agent = agentFor(state);
  return html`<form class="composer" aria-label=${t("Message")} @submit=${(event: Event) => event.preventDefault()}>
    ${commands(state, hand)}${mentions(state, hand)}${chips(state, hand)}${attachments(state, hand)}
    <textarea
      data-testid="composer"
      rows="2"
      aria-label=${agent === null ? t("Message") : t("Message to {0}", agent.name)}
      placeholder=${agent === null ? t("Message…") : t("Message {0}…", agent.name)}
      aria-autocomplete="list"
      aria-haspopup="listbox"
      aria-controls=${list(state)}
      aria-activedescendant=${active(state)}
      .value=${live(state.draft)}
      @input=${(event: Event) => hand.act(typed(event.target as HTMLTextAreaElement))}
      @paste=${(event: ClipboardEvent) => pasted(event, hand)}
      @keydown=${(event: KeyboardEvent) => {
        const step = keyed(state, event);
        if (step !== null) {
          event.preventDefault();
          hand.act({ kind: "naming", step });
          return;
        }
        if (event.key === "Escape" && isBare(event)) hand.act({ kind: "escape" });
        const completes =
          (event.key === "Tab" || (event.key === "Enter" && isUnfinished(state))) && isBare(event) && completed(state, hand);
        if (!completes && !sends(event)) return;
        event.preventDefault();
        if (!completes) hand.act({ kind: "send" });
      }}
    ></textarea>
    <div class="foot">
      ${modes(state, hand)}${partners(state, hand)}${efforts(state, hand)}${used(chatOf(state)?.usage ?? null)}
      <span class="sp"></span>
      ${isRunning(state) && state.draft.trim() === "" ? nothing : send(state, hand)}${isRunning(state) ? stop(hand) : nothing}
    </div>
  </form>`;
}

function typed({ value, selectionEnd }: HTMLTextAreaElement): Input {
  return { kind: "typed", text: value, caret: selectionEnd };
}

/** While a model is left alone: why, for how long, and how to end that. *Stop* ends the turn. */
export function pause(state: State, hand: Hand): TemplateResult | typeof nothing {
  const waiting = pauseOf(state);
  if (waiting === null) return nothing;
  const left = Math.max(0, Math.ceil((waiting.until - state.now) / 1000));
  return html`<div class="note" data-testid="waiting" role="group" aria-label=${t("The model is asked again")}>
    <span>${sentence(waiting.because)} <span role="timer" aria-label=${t("Asked again in {0}", spoken(left))}>${mixed("Asked again in {0}.", clock(left))}</span></span><span class="sp"></span>
    <button type="button" class="second" data-testid="try-now" @click=${() => hand.act({ kind: "tryNow" })}>${t("Try now")}</button>
  </div>`;
}

/** Where the last turn was stopped at a limit: the person says whether it goes on. */
export function limit(state: State, hand: Hand): TemplateResult | typeof nothing {
  const chat = chatOf(state);
  if (chat === null || chat.limit === "" || chat.running) return nothing;
  return html`<div class="note" data-testid="limit" role="group" aria-label=${t("Stopped at a limit")}>
    <span>${sentence(chat.limit)}</span><span class="sp"></span>
    <button type="button" class="second" data-testid="go-on" data-still=${chat.chatId} @click=${() => hand.act({ kind: "goOn" })}>${t("Continue")}</button>
  </div>`;
}

/** What waits until the agent of this chat is done, and how to have it back. */
export function waitingMessage(state: State, hand: Hand): TemplateResult | typeof nothing {
  const chat = chatOf(state);
  const message = chat === null ? undefined : state.queued[chat.chatId];
  if (chat === null || message === undefined) return nothing;
  return html`<div class="note" data-testid="queued" role="group" aria-label=${t("Not sent yet")}>
    <span>${mixed("Sent as soon as {0} is done:", chat.agentName)} <bdi class="waits" title=${message.text}>${message.text}</bdi></span><span class="sp"></span>
    <button type="button" class="second" data-testid="take-back" data-still=${chat.chatId} @click=${() => hand.act({ kind: "takeBack" })}>${t("Edit…")}</button>
  </div>`;
}

/** What was tried last, or an agent that needs a chat of its own. Above the dock. */
export function notes(state: State, hand: Hand): TemplateResult | typeof nothing {
  const wanted = state.offer === null ? undefined : partnersOf(state.replica.agents).find(is(state.offer));
  if (wanted !== undefined) return offer(wanted, chatOf(state)?.agentId === wanted.agentId, hand);
  if (state.note === null) return nothing;
  return html`<div class="note" data-testid="note">
    <span>${sentence(state.note)}</span><span class="sp"></span>
    <button type="button" class="quiet" aria-label=${t("Dismiss")} @click=${() => hand.act({ kind: "dropNote" })}>✕</button>
  </div>`;
}

function offer(partner: PartnerWords, isOfChat: boolean, hand: Hand): TemplateResult {
  return html`<div class="note" data-testid="agent-offer">
    <span>${t(isOfChat ? "This chat belongs to another model." : "This chat belongs to another agent.")}</span><span class="sp"></span>
    <button class="second" data-testid="offer-new-chat" @click=${() => hand.act({ kind: "newChat", partner })}>${mixed("New chat with {0}", partner.label)}</button>
    <button class="quiet" @click=${() => hand.act({ kind: "dropOffer" })}>${t("Stay")}</button>
  </div>`;
}

/** Enter alone sends. */
function sends(event: KeyboardEvent): boolean {
  return event.key === "Enter" && isBare(event);
}

/** Whether a key is pressed alone; never while an input method composes, or while it is held. */
function isBare(event: KeyboardEvent): boolean {
  const alone = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
  // Some input methods end their composition with an Enter of this old code.
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else tells of them
  const composes = event.isComposing || event.keyCode === 229;
  return alone && !composes && !event.repeat;
}

function modes(state: State, hand: Hand): TemplateResult {
  const mode = modeFor(state);
  const picked = (event: Event): void => {
    hand.act({ kind: "pickMode", mode: (event.target as HTMLSelectElement).value as Mode });
  };
  const detail = MODES.find((each) => each.mode === mode)?.detail ?? "";
  return html`<select class="picker" data-testid="mode-select" data-mode=${mode} aria-label=${t("Mode")} title=${detail} @change=${picked}>
    ${MODES.map((each) => html`<option value=${each.mode} title=${each.detail} .selected=${live(each.mode === mode)}>${each.label}</option>`)}
  </select>`;
}

function partners(state: State, hand: Hand): TemplateResult {
  const now = partnerFor(state);
  const offered = partnersOf(state.replica.agents);
  // A chat may have a model that is offered no more.
  const all = now === null || offered.some(is(now)) ? offered : [...offered, now];
  const picked = (event: Event): void => {
    const partner = all.find((each) => idOf(each) === (event.target as HTMLSelectElement).value);
    if (partner !== undefined) hand.act({ kind: "pickPartner", partner });
  };
  const mark = ({ agent }: PartnerWords): string => (agent.state === "failed" ? ` ${t("(failed)")}` : "");
  return html`<select class="picker" data-testid="agent-select" aria-label=${t("Agent")} @change=${picked}>
    ${all.map((each) => html`<option value=${idOf(each)} .selected=${live(now !== null && is(now)(each))}>${each.label}${mark(each)}</option>`)}
  </select>`;
}

const EFFORTS: Readonly<Record<Effort, string>> = {
  low: t("Low effort"),
  medium: t("Medium effort"),
  high: t("High effort"),
  xhigh: t("Very high effort"),
  max: t("Full effort"),
};

/** How much the model of the shown chat is to think, where it can be told. */
function efforts(state: State, hand: Hand): TemplateResult | typeof nothing {
  const chat = chatOf(state);
  if (chat === null || chat.efforts.length === 0) return nothing;
  const picked = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    hand.act({ kind: "pickEffort", effort: chat.efforts.find((each) => each === value) ?? null });
  };
  return html`<select class="picker" data-testid="effort-select" aria-label=${t("How much the model thinks")} @change=${picked}>
    <option value="" .selected=${live(chat.effort === null)}>${t("Usual effort")}</option>
    ${chat.efforts.map((each) => html`<option value=${each} .selected=${live(chat.effort === each)}>${EFFORTS[each]}</option>`)}
  </select>`;
}

function idOf({ agentId, modelId }: Partner): string {
  return modelId === null ? agentId : `${agentId} ${modelId}`;
}

function is(one: Partner): (other: Partner) => boolean {
  return (other) => idOf(one) === idOf(other);
}

/** How much of what was read last its host had kept. */
function kept({ cached, read }: Usage): string {
  return cached > 0 && read > 0
    ? ` ${t("{0} % of what it read last came from its host's cache.", Math.min(100, Math.round((100 * cached) / read)))}`
    : "";
}

function cost({ cost, turnCost, pricesOf }: Usage): string {
  if (cost === "") return "";
  if (pricesOf === "") return ` ${t("It has cost {0} so far, as the agent says.", cost)}`;
  return ` ${
    turnCost === ""
      ? t("It has cost about {0} so far, by the list prices of {1}.", cost, pricesOf)
      : t("It has cost about {0} so far, and the last turn {2}, by the list prices of {1}.", cost, pricesOf, turnCost)
  }`;
}

/** How much of what the model can read is taken; nothing while that is not known. */
function used(usage: Usage | null): TemplateResult | typeof nothing {
  if (usage === null || usage.window <= 0) return nothing;
  const [taken, of] = [usage.read + usage.wrote, usage.window];
  const words = `${t("The conversation takes {0} of the {1} tokens that the model can read.", taken.toLocaleString(locale()), of.toLocaleString(locale()))}${kept(usage)}${cost(usage)}`;
  return html`<span class="used" data-testid="usage" role="img" aria-label=${words} title=${words}>${Math.min(100, Math.round((100 * taken) / of))} %${usage.cost === "" ? nothing : ` · ${usage.cost}`}</span>`;
}

function send(state: State, hand: Hand): TemplateResult {
  const isOff = state.draft.trim() === "" || state.server.state !== "ready";
  return html`<button type="button" class="icon-button send" data-testid="send" data-still aria-label=${t("Send")} title=${t("Send (Enter)")} ?disabled=${isOff} @click=${() => hand.act({ kind: "send" })}>${arrow()}</button>`;
}

const STOP_ENDS = t("Ends this turn and what it runs, and denies what waits (Esc). Commands in the background go on.");

function stop(hand: Hand): TemplateResult {
  return html`<button type="button" class="stop" data-testid="stop" data-still data-ends title=${STOP_ENDS} @click=${() => hand.act({ kind: "stop" })}>${square()}${t("Stop")}</button>`;
}
