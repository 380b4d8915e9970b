/** The first frame of a picture that moves, on a canvas. */

import type { Picture } from "../../protocol";

/** The same picture is drawn once. */
const drawn = new WeakMap<Picture, HTMLCanvasElement>();

/** A picture that moves, while it stands still. */
export function stillOf(picture: Picture, words: string): HTMLCanvasElement {
  const canvas = drawn.get(picture) ?? document.createElement("canvas");
  if (!drawn.has(picture)) {
    drawn.set(picture, canvas);
    [canvas.width, canvas.height] = [picture.width, picture.height];
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", words);
    void draw(picture, canvas);
  }
  return canvas;
}

async function draw({ mime, data }: Picture, canvas: HTMLCanvasElement): Promise<void> {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const frame = await createImageBitmap(new Blob([bytes], { type: mime })).catch(() => null);
  if (frame === null) return;
  canvas.getContext("2d")?.drawImage(frame, 0, 0);
  frame.close();
}
