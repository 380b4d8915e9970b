/** Pictures that go with a prompt: pasted into the composer, and taken out again. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import type { Hand } from "./hand";
import { cross } from "./icons";
import type { State } from "./model";

const KINDS: readonly string[] = ["image/png", "image/jpeg", "image/webp"];

/** Take the pictures of what was pasted; what else was pasted goes its own way. */
export function pasted(event: ClipboardEvent, hand: Hand): void {
  const files = Array.from(event.clipboardData?.files ?? []).filter(({ type }) => KINDS.includes(type));
  if (files.length === 0) return;
  event.preventDefault();
  for (const file of files) void read(file, hand);
}

/** The server looks at what it really is. */
async function read(file: File, hand: Hand): Promise<void> {
  const address = await new Promise<string>((done) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => done(typeof reader.result === "string" ? reader.result : ""));
    reader.readAsDataURL(file);
  });
  hand.act({ kind: "attach", image: address.slice(address.indexOf(",") + 1) });
}

/** One button for each picture, which takes it out. */
export function attachments({ images }: State, hand: Hand): TemplateResult | typeof nothing {
  if (images.length === 0) return nothing;
  return html`<div class="attachments" data-testid="attachments" role="group" aria-label="Pictures to send">
    ${images.map((_, place) => html`<button type="button" class="second" title="Do not send this picture" @click=${() => hand.act({ kind: "attach", image: null, place })}>Picture ${place + 1} ${cross()}</button>`)}
  </div>`;
}
