/** Where the view meets the editor: its one API, its clock, its window. */

import { WORDS } from "./dom/language";
import type { ToHost, ToView } from "../shared/host-messages";
import { defineForms } from "./cards/form-body";
import { beside } from "./markdown/fetched-readers";
import { defineFetched, fetching } from "./drawings/fetched-drawings";
import { Loop, type Kept } from "./page/loop";
import { defineProse } from "./markdown/prose";
import { keepReadable } from "./dom/contrast";

declare function acquireVsCodeApi(): {
  readonly postMessage: (message: ToHost) => void;
  readonly getState: () => Partial<Kept> | undefined;
  readonly setState: (kept: Kept) => void;
};

const editor = acquireVsCodeApi();
document.body.classList.add("panel");
keepReadable();
const script = (document.currentScript as HTMLScriptElement).src;
const fetched = beside(script);
defineProse(fetched);
const drawings = fetching(script);
defineForms(drawings);
for (const name of ["flow", "media", "printed", "rewind"] as const) defineFetched(name, drawings);

// In English each sentence stays as it came, and nothing is waited for.
if (Object.keys(WORDS).length === 0) begin();
else void fetched.sentences(WORDS).then(begin);

function begin(): void {
  const kept: Kept = { draft: "", references: [], queued: {}, chatId: null, place: null, ...editor.getState() };
  const port = {
    now: () => performance.now(),
    post: (message: ToHost) => editor.postMessage(message),
    later: (ms: number, then: () => void) => window.setTimeout(then, ms),
    cancel: (timer: number) => window.clearTimeout(timer),
    frame: (then: () => void) => void requestAnimationFrame(then),
    keep: (now: Kept) => editor.setState(now),
  };
  const loop = new Loop(document.body, port, crypto.randomUUID(), kept);

  window.addEventListener("message", (event: MessageEvent<ToView>) => loop.hear(event.data));
  window.addEventListener("focus", () => loop.regained());
  window.addEventListener("blur", () => loop.looked());
  document.addEventListener("focusin", () => loop.looked());
  window.addEventListener("pagehide", () => loop.save());
}
