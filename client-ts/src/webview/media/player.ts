/**
 * Plays a sound: a button, where it is, and how long it takes.
 *
 * It begins at a press and at nothing else. One plays at a time, and none when its chat is left.
 * The bytes of a file are asked for with the first press.
 */

import type { TemplateResult } from "lit/html.js";
import { addressOf, html, render, t } from "./tools";

interface Playing {
  /** What it is called. */
  readonly name: string;
  /** Its bytes; null as long as they are not there. */
  readonly sound: { readonly mime: string; readonly data: string } | null;
  /** Asks for them; null where they are there anyway. */
  readonly want: (() => void) | null;
}

/** How far the arrow keys go, in seconds. */
const STEP = 1;
const MINUTE = 60;

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
    for (const kind of ["play", "pause", "ended", "timeupdate", "durationchange"]) this.#audio.addEventListener(kind, again);
    this.#audio.addEventListener("error", () => {
      this.#trouble = true;
      this.#draw();
    });
  }

  set playing(playing: Playing) {
    const before = this.#playing?.sound;
    this.#playing = playing;
    const { sound } = playing;
    if (sound !== null && sound.data !== before?.data) {
      this.#trouble = false;
      this.#audio.src = addressOf(sound);
      if (this.#isWanted) this.#play();
    }
    this.#draw();
  }

  disconnectedCallback(): void {
    this.#isWanted = false;
    this.#audio.pause();
  }

  #press(): void {
    if (!this.#audio.paused) this.#audio.pause();
    else if (this.#audio.src !== "" && !this.#trouble) this.#play();
    else {
      this.#isWanted = true;
      this.#playing?.want?.();
    }
  }

  #play(): void {
    this.#isWanted = false;
    if (current !== this.#audio) current?.pause();
    current = this.#audio;
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
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d=${paused ? "M5 3v10l8-5z" : "M5 3v10M11 3v10"} /></svg>
      </button>
      <bdi class="name">${name}</bdi>
      <input type="range" data-testid="position" min="0" step=${STEP / 10} max=${whole} .value=${`${currentTime}`} ?disabled=${whole === 0} aria-label=${t("Position in {0}", name)} aria-valuetext=${t("{0} of {1}", at, of)} @input=${seek} />
      <span class="muted" data-testid="time">${this.#trouble ? "" : whole === 0 ? at : `${at} / ${of}`}</span>
      <span class="trouble" role="status">${this.#trouble ? t("This sound cannot be played here.") : ""}</span>
    </div>`;
  }
}

/** A time as players tell it, such as 1:05. */
function clockOf(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / MINUTE)}:${`${whole % MINUTE}`.padStart(2, "0")}`;
}
