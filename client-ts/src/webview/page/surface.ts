/**
 * The page itself: where the keyboard is, what is scrolled where, what has moved.
 *
 * It decides nothing. It draws a state, does what an errand says, and tells what it saw.
 */

import { render } from "lit/html.js";
import { exactCopy } from "../dom/exact-copy";
import type { Hand } from "../state/hand";
import { safeAddress } from "../markdown/nodes";
import { type FocusOn, shown, type State, type Where, type Sight } from "../state/model";
import type { Input } from "../state/moments";
import { type Place, Reader } from "./scroll-position";
import { Eyes, isCramped, isSame } from "./sight";
import { Still } from "../dom/click-guard";
import { header, type Stood } from "../header/header";
import { view } from "./page";

const PLACES: { readonly [place in Exclude<FocusOn, "unseen">]: string } = {
  card: ".cramped .in-tab, .panel:not(.cramped) .card",
  composer: ".composer textarea",
  partner: ".composer [data-testid=agent-select]",
  mode: ".composer [data-testid=mode-select]",
  allow: ".card [data-main=allow]",
  words: ".card .words input",
  fold: ".card .fold",
  list: ".card [data-list] button",
  rule: ".card .rule textarea",
  choice: ".card [data-testid=choose-part]",
  confirm: ".card [data-confirm]",
  allowWays: ".card [data-side=allow]",
  denyWays: ".card [data-side=deny]",
};

/** A focus that comes so soon after a press comes from it. */
const SAME_PRESS_MS = 50;

export class Surface {
  readonly #root: HTMLElement;
  readonly #act: (input: Input) => void;
  readonly #hand: Hand;
  readonly #still: Still;
  #buttonsAt = "";
  /** The chat and the card that were drawn last, and where the lines were. */
  #asked: string | null = null;
  #stood: Stood | null = null;
  readonly #reader = new Reader(() => this.#log());

  constructor(root: HTMLElement, act: (input: Input) => void) {
    this.#root = root;
    this.#act = act;
    this.#still = new Still(root, () => act({ kind: "tooSoon" }));
    this.#hand = { act, press: (event) => this.#still.press(event) };
    this.#listen();
  }

  draw(state: State): void {
    const ticket = shown(state);
    // Another chat moves everything anyway, so nothing is held for it.
    const asked = ticket && `${state.chatId ?? ""} ${ticket.request.approvalId}`;
    const isAsked = asked !== null && asked === this.#asked;
    const lines = header(state, this.#hand, isAsked ? this.#stood : null);
    this.#asked = asked;
    this.#stood = lines.stood;
    this.#reader.isHeld = isAsked;
    const place = document.activeElement?.closest(".call, .shells, .earlier, .notice, .stood, .chats");
    const row = document.activeElement?.closest(".batch li");
    const top = this.#reader.top;
    const height = this.#composer()?.getBoundingClientRect().height ?? 0;
    render(view(state, this.#hand, lines), this.#root);
    this.#hold(asked === null ? null : height);
    this.#reader.hold(top);
    // A button that went with what it was for leaves the keyboard where it stood.
    if (place && isLost()) {
      if (place.matches(".earlier, .notice")) this.#log()?.focus();
      else if (place.isConnected)
        (place.closest(".looks:not([open])") ?? place).querySelector<HTMLElement>("summary, [data-toggle]")?.focus();
      if (isLost()) this.focus("composer");
    }
    if (row?.matches(".gone")) this.#next(row);
    this.#root.querySelector(".mentions [aria-selected=true]")?.scrollIntoView({ block: "nearest" });
    this.#reader.stick();
    this.#watch();
    this.#look();
  }

  /** While something is asked, writing moves none of its buttons: the composer keeps its height. */
  #hold(height: number | null): void {
    const style = this.#composer()?.style;
    if (height === null) style?.removeProperty("--held");
    else if (style?.getPropertyValue("--held") === "" && height > 0) style.setProperty("--held", `${height}px`);
  }

  #composer(): HTMLElement | null {
    return this.#root.querySelector<HTMLElement>(PLACES.composer);
  }

  /** From a row that has left its list the keyboard goes on to the next one, or to the buttons. */
  #next(row: Element): void {
    const all = [...this.#root.querySelectorAll<HTMLElement>(".batch input, .card [data-main]")];
    all.find((each) => !each.matches(":disabled") && (row.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0)?.focus();
  }

  /** Where too little room is left to read what is asked, one line stands in place of the card. */
  #fit(): void {
    const { classList } = this.#root;
    const card = this.#card();
    const isHeld = card?.contains(document.activeElement) === true;
    classList.remove("cramped");
    if (card === null || !isCramped(card)) return;
    classList.add("cramped");
    if (isHeld) this.#root.querySelector<HTMLElement>(".in-tab")?.focus();
  }

  /** Tell what can be seen of the card, where that has changed. */
  #look(): void {
    this.#fit();
    const sight = this.sight;
    if (isSame(sight, this.#sight)) return;
    this.#sight = sight;
    this.#act({ kind: "sight", sight });
  }

  /** What has come before a person's eyes of the card, as it stands at this moment. */
  get sight(): Sight | null {
    return this.#eyes.look(this.#card());
  }

  #card(): HTMLElement | null {
    return this.#root.querySelector<HTMLElement>(".card");
  }

  focus(on: FocusOn): void {
    if (on === "unseen") {
      this.#eyes.lead(this.#card());
      return;
    }
    this.#root.querySelector<HTMLElement>(PLACES[on])?.focus();
  }

  toEnd(): void {
    this.#reader.toEnd();
  }

  get place(): Place | null {
    return this.#reader.place;
  }

  set place(place: Place | null) {
    this.#reader.place = place;
  }

  /** Whether a press on this page is what has just given it the focus. */
  isPressed(at: number): boolean {
    return at - this.#still.downAt < SAME_PRESS_MS;
  }

  get where(): Where {
    if (!document.hasFocus()) return "away";
    const at = document.activeElement;
    if (at !== null && at.closest(".dock") !== null) return "card";
    return at?.matches(PLACES.composer) === true ? "composer" : "elsewhere";
  }

  #log(): HTMLElement | null {
    return this.#root.querySelector<HTMLElement>("[data-log]");
  }

  #listen(): void {
    this.#root.addEventListener("click", (event) => this.#link(event));
    this.#root.addEventListener("scroll", (event) => this.#scrolled(event), true);
    this.#root.addEventListener("toggle", () => this.#look(), true);
    document.addEventListener("visibilitychange", () => this.#look());
    for (const late of ["animationend", "pointerout"]) {
      this.#root.addEventListener(late, () => this.#reader.stick());
    }
    document.addEventListener("copy", (event) => copied(event));
    const moved = new ResizeObserver(() => this.#moved());
    moved.observe(this.#root);
    this.#sizes = moved;
  }

  #sizes: ResizeObserver | null = null;
  readonly #eyes = new Eyes();
  #sight: Sight | null = null;
  readonly #watched = new WeakSet<Element>();

  /**
   * The composer's height decides where the card's buttons stand, and the transcript may grow
   * without being drawn, as when a font comes late.
   */
  #watch(): void {
    for (const each of this.#root.querySelectorAll(".top, .composer, .log, .talk, .content, .body")) {
      if (this.#watched.has(each)) continue;
      this.#watched.add(each);
      this.#sizes?.observe(each);
    }
  }

  #moved(): void {
    this.#reader.stick();
    // What is laid out only near the screen may be of another height than it was taken for.
    this.#reader.hold(this.#reader.top);
    this.#look();
    this.#still.look();
    const box = this.#root.querySelector("[data-acts]")?.getBoundingClientRect();
    const at = box === undefined ? "" : `${box.left} ${box.bottom} ${box.width}`;
    if (at === this.#buttonsAt) return;
    const before = this.#buttonsAt;
    this.#buttonsAt = at;
    if (at !== "" && before !== "") this.#act({ kind: "moved" });
  }

  #scrolled(event: Event): void {
    if (event.target instanceof Element && event.target.closest(".card") !== null) this.#look();
    if (event.target === this.#log()) this.#reader.scrolled();
  }

  /** Links are opened by the host, and by nobody else. */
  #link(event: Event): void {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (link === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.isTrusted) return;
    const leads = link.getAttribute("href") ?? "";
    const url = safeAddress(leads);
    // An address of a file is the server's: texts of agents and commands only name places.
    const file = leads.startsWith("file:") ? ({ kind: "reveal", uri: leads } as const) : ({ kind: "openPlace", place: leads } as const);
    this.#act({ kind: "post", message: url === null ? file : { kind: "openLink", url } });
  }
}

/** Whether the focus is nowhere, or on a line that has ended. */
function isLost(): boolean {
  const at = document.activeElement;
  return at === null || at === document.body || at.closest(".ended") !== null;
}

function copied(event: ClipboardEvent): void {
  const text = exactCopy(document.getSelection());
  if (text === null || event.target instanceof HTMLTextAreaElement) return;
  event.clipboardData?.setData("text/plain", text);
  event.preventDefault();
}
