/**
 * The pictures and sounds of a chat: what an agent shows, what its calls gave, and what it had
 * spoken. Nothing plays and nothing moves in the chat by itself.
 */

import type { TemplateResult } from "lit/html.js";
import type { Picture, Sound, SoundKept, WantRecord } from "../../shared/protocol";
import type { Hand } from "../state/hand";
import { html, t } from "../dom/lent-tools";
import { definePicture } from "./picture";
import { definePlayer } from "./player";
import { defineStill } from "./still-picture";

/** An entry of the chat; or a file that a call made, with what the server gave of it. */
type Drawn =
  | { readonly item: Picture | Sound; readonly agentName: string; readonly hand: Hand }
  | { readonly name: string; readonly heard: SoundKept | null; readonly ref: WantRecord; readonly hand: Hand };

/** Let the page draw the parts of which they are made. */
export function defineMedia(): void {
  definePlayer();
  definePicture();
  defineStill();
}

/** One of them. */
export function media(what: Drawn): TemplateResult {
  if ("item" in what) return entry(what.item, what.agentName, what.hand);
  const { name, heard, ref, hand } = what;
  const want = (): void => hand.act({ kind: "wantSound", ref });
  return html`<assent-player .playing=${{ name, sound: heard, want }}></assent-player>`;
}

/** In a frame that says whose it is, so that it is taken for nothing of ours. */
function entry(item: Picture | Sound, agentName: string, hand: Hand): TemplateResult {
  const whose = item.callId === null ? agentName : t("a call of {0}", agentName);
  if (item.kind === "sound") {
    const name = t("Sound from {0}", whose);
    return html`<figure class="picture" data-testid="sound">
      <figcaption>${name}</figcaption>
      <assent-player .playing=${{ name, sound: item, want: null }}></assent-player>
    </figure>`;
  }
  const words = item.isOwn ? t("Your picture") : t("Picture from {0}", whose);
  return html`<figure class="picture" data-testid="picture">
    <figcaption>${words}, ${item.width} × ${item.height}${item.moves ? html` · ${t("it moves")}` : ""}</figcaption>
    <assent-picture .shown=${{ picture: item, words, hand }}></assent-picture>
  </figure>`;
}
