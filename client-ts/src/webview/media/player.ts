/**
 * Plays a sound: a button, where it is, and how long it takes.
 *
 * It begins at a press and at nothing else. One plays at a time, and none when its chat is left.
 * Nothing is decoded before that, and the bytes are let go of when another begins. Those of a file
 * are asked for whenever it begins: it is played as it is then.
 */

import type { TemplateResult } from "lit/html.js";
import { html, icon, render, t } from "../dom/lent-tools";
import { addressOf } from "./address";

interface Playing {
  /** What it is called. */
  readonly name: string;
  /** Its bytes; null as long as they are not there. */
  readonly sound: { readonly mime: string; readonly data: string } | null;
  /** Asks for them; null where they are there anyway. */
  readonly want: (() => void) | null;
}

/** How far the arrow keys go, in seconds. */
const STEP_S = 1;
const MINUTE_S = 60;

let current: HTMLAudioElement | null = null;

/** Let the page draw `<assent-player>`. */
export function definePlayer(): void {
  // Of a page that cannot be seen nothing is heard: another view may lie in its place.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") current?.pause();
  });
  customElements.define("assent-player", Player);
}

class Player extends HTMLElement {
  readonly #audio = new Audio();
  #playing: Playing | null = null;
  #isWanted = false;
  #trouble = false;

  constructor() {
    super();
    const again = (): void => this.#draw();
    for (const kind of ["play", "pause", "ended", "timeupdate", "durationchange", "emptied"]) this.#audio.addEventListener(kind, again);
    this.#audio.addEventListener("error", () => {
      this.#trouble = true;
      letGo(this.#audio);
      this.#draw();
    });
  }

  set playing(playing: Playing) {
    const before = this.#playing?.sound;
    this.#playing = playing;
    const { sound } = playing;
    if (sound !== null && this.#isWanted) this.#begin(sound);
    else if (sound?.data !== before?.data) {
      this.#trouble = false;
      letGo(this.#audio);
    }
    this.#draw();
  }

  disconnectedCallback(): void {
    this.#isWanted = false;
    letGo(this.#audio);
  }

  #press(): void {
    const { paused, currentTime, ended } = this.#audio;
    if (!paused) this.#audio.pause();
    else if (currentTime > 0 && !ended) this.#play();
    else if (this.#playing?.want) {
      this.#isWanted = true;
      this.#playing.want();
    } else if (this.#playing?.sound) this.#begin(this.#playing.sound);
  }

  #begin(sound: NonNullable<Playing["sound"]>): void {
    this.#isWanted = this.#trouble = false;
    if (current !== null) letGo(current);
    current = this.#audio;
    this.#audio.src = addressOf(sound);
    this.#play();
  }

  #play(): void {
    // What cannot be played tells it by its error.
    this.#audio.play().catch(() => this.#draw());
  }

  #draw(): void {
    if (this.#playing !== null) render(this.#drawn(this.#playing), this);
  }

  #drawn({ name }: Playing): TemplateResult {
    const { paused, currentTime, duration } = this.#audio;
    const whole = Number.isFinite(duration) ? duration : 0;
    const [at, of] = [clockOf(currentTime), clockOf(whole)];
    const word = paused ? t("Play") : t("Pause");
    const seek = ({ target }: Event): void => {
      this.#audio.currentTime = (target as HTMLInputElement).valueAsNumber;
    };
    return html`<div class="player" role="group" aria-label=${name} data-testid="player" data-playing=${String(!paused)}>
      <button class="second" data-testid="play" title=${word} aria-label=${`${word}: ${name}`} @click=${() => this.#press()}>
        ${icon(paused ? "M5 3v10l8-5z" : "M5 3v10M11 3v10")}
      </button>
      <bdi class="name">${name}</bdi>
      <input type="range" data-testid="position" min="0" step=${STEP_S / 10} max=${whole} .value=${`${currentTime}`} ?disabled=${whole === 0} aria-label=${t("Position in {0}", name)} aria-valuetext=${t("{0} of {1}", at, of)} @input=${seek} />
      <span class="muted" data-testid="time">${this.#trouble ? "" : whole === 0 ? at : `${at} / ${of}`}</span>
      <span class="trouble" role="status">${this.#trouble ? t("This sound cannot be played here.") : ""}</span>
    </div>`;
  }
}

/** Hold no bytes any more; what that changes is drawn when it tells of it. */
function letGo(audio: HTMLAudioElement): void {
  if (!audio.hasAttribute("src")) return;
  audio.removeAttribute("src");
  audio.load();
}

/** A time as players tell it, such as 1:05. */
function clockOf(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / MINUTE_S)}:${`${whole % MINUTE_S}`.padStart(2, "0")}`;
}
