/**
 * A picture opened large: over the conversation, and over nothing else.
 *
 * A card, what is written and the answers beside it are never covered: a key of the editor may
 * answer what stands there. Escape closes it, and the keyboard is where it was.
 */

import type { TemplateResult } from "lit/html.js";
import { html, render, t } from "../dom/lent-tools";
import { addressOf } from "./address";
import type { Picture } from "../../shared/protocol";
import type { Hand } from "../state/hand";

/** A picture in the chat, and who is told what a person does there. */
export interface Shown {
  readonly picture: Picture;
  /** Whose it is. */
  readonly words: string;
  readonly hand: Hand;
}

let closing: (() => void) | null = null;

/** Show it, in the place of any other; what comes back closes it. */
export function openLarge(shown: Shown): () => void {
  closing?.();
  const before = document.activeElement;
  const log = document.querySelector<HTMLElement>("[data-log]");
  const box = document.createElement("div");
  box.className = "large";
  box.dataset["testid"] = "large";
  box.setAttribute("role", "dialog");
  box.setAttribute("aria-label", shown.words);
  const close = (): void => {
    if (closing !== close) return;
    closing = null;
    const isHere = box.contains(document.activeElement);
    box.remove();
    if (log !== null) log.inert = false;
    if (isHere && before instanceof HTMLElement) before.focus();
  };
  closing = close;
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    // It is meant for this alone, and not for an agent that works meanwhile.
    event.preventDefault();
    event.stopPropagation();
    close();
  });
  log?.parentElement?.append(box);
  if (log !== null) log.inert = true;
  draw(box, shown, { isFitted: true, isMoving: shown.picture.moves && !wantsStill() }, close);
  box.querySelector<HTMLElement>("[data-testid=close-large]")?.focus();
  return close;
}

interface Look {
  readonly isFitted: boolean;
  readonly isMoving: boolean;
}

function draw(box: HTMLElement, shown: Shown, look: Look, close: () => void): void {
  const turn = (now: Partial<Look>) => () => draw(box, shown, { ...look, ...now }, close);
  render(drawn(shown, look, turn, close), box);
}

type Turn = (now: Partial<Look>) => () => void;

function drawn({ picture, words, hand }: Shown, { isFitted, isMoving }: Look, turn: Turn, close: () => void): TemplateResult {
  const { uri, moves } = picture;
  const open = (): void => hand.act({ kind: "post", message: { kind: "reveal", uri } });
  const isStill = moves && !isMoving;
  return html`<div class="ways-out">
      ${uri === "" ? "" : html`<button class="second" data-testid="open-file" @click=${open}>${t("Open in the editor")}</button>`}
      ${moves ? html`<button class="second" data-testid="move" @click=${turn({ isMoving: !isMoving })}>${isMoving ? t("Pause") : t("Play")}</button>` : ""}
      <button class="second" data-testid="fit" @click=${turn({ isFitted: !isFitted })}>${isFitted ? t("Full size") : t("Fit")}</button>
      <button class="second" data-testid="close-large" @click=${close}>${t("Close")}</button>
    </div>
    <div data-fit=${String(isFitted)} tabindex="0" role="group" aria-label=${words}>
      ${isStill ? html`<assent-still .standing=${{ picture, words, most: Infinity }}></assent-still>` : html`<img src=${addressOf(picture)} alt=${words} />`}
    </div>`;
}

/** Whether the person wants nothing to move by itself; the editor has a setting of its own for it. */
function wantsStill(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches || document.body.classList.contains("vscode-reduce-motion");
}
