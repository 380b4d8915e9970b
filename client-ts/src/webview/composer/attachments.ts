/** Pictures that go with a prompt: pasted into the composer, and taken out again. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { t } from "../../shared/l10n";
import type { Hand } from "../state/hand";
import { cross } from "../dom/icons";
import type { State } from "../state/model";

const KINDS: readonly string[] = ["image/png", "image/jpeg", "image/webp", "image/gif"];

/** So many bytes of a picture are sent at most, and so many pixels of its longer side are drawn. */
const MAX_PICTURE_BYTES = 1024 * 1024;
const MAX_SIDE_PX = 2000;

/** How a smaller one is written: without loss if that is small enough. */
const HOW: readonly ImageEncodeOptions[] = [
  { type: "image/png" },
  { type: "image/jpeg", quality: 0.85 },
  { type: "image/jpeg", quality: 0.5 },
];

/** Take the pictures of what was pasted; what else was pasted goes its own way. */
export function pasted(event: ClipboardEvent, hand: Hand): void {
  const files = Array.from(event.clipboardData?.files ?? []).filter(({ type }) => KINDS.includes(type));
  if (files.length === 0) return;
  event.preventDefault();
  for (const file of files) void read(file, hand);
}

/** The server looks at what it really is. */
async function read(file: File, hand: Hand): Promise<void> {
  const picture = await fitted(file);
  const address = await new Promise<string>((done) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => done(typeof reader.result === "string" ? reader.result : ""));
    reader.readAsDataURL(picture);
  });
  const isStill = picture !== file && (await moves(file).catch(() => true));
  hand.act({
    kind: "attach",
    image: address.slice(address.indexOf(",") + 1),
    ...(isStill ? { note: t("A picture that moves and is larger than 1 MiB is sent as a still one.") } : {}),
  });
}

/** Whether it has more than one frame; no frame is drawn for that. */
async function moves(file: File): Promise<boolean> {
  const decoder = new ImageDecoder({ data: await file.arrayBuffer(), type: file.type });
  await decoder.tracks.ready;
  const frames = decoder.tracks.selectedTrack?.frameCount ?? 1;
  decoder.close();
  return frames > 1;
}

/** A picture that is too large to be sent, drawn smaller; models look at no more of it. */
async function fitted(file: File): Promise<Blob> {
  if (file.size <= MAX_PICTURE_BYTES) return file;
  const whole = await createImageBitmap(file).catch(() => null);
  // What cannot be drawn is sent as it is, for the server to say why it is none.
  if (whole === null) return file;
  const share = Math.min(1, MAX_SIDE_PX / Math.max(whole.width, whole.height));
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(whole.width * share)), Math.max(1, Math.round(whole.height * share)));
  canvas.getContext("2d")?.drawImage(whole, 0, 0, canvas.width, canvas.height);
  whole.close();
  for (const how of HOW) {
    const smaller = await canvas.convertToBlob(how);
    if (smaller.size <= MAX_PICTURE_BYTES) return smaller;
  }
  return file;
}

/** One button for each picture, which takes it out. */
export function attachments({ images }: State, hand: Hand): TemplateResult | typeof nothing {
  if (images.length === 0) return nothing;
  return html`<div class="attachments" data-testid="attachments" role="group" aria-label=${t("Pictures to send")}>
    ${images.map((_, place) => html`<button type="button" class="second" data-still=${`${place} of ${images.length}`} title=${t("Do not send this picture")} @click=${() => hand.act({ kind: "attach", image: null, place })}>${t("Picture {0}", place + 1)} ${cross()}</button>`)}
  </div>`;
}
