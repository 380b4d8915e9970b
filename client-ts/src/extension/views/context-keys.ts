/**
 * The context keys that say when a command or a key makes sense.
 */

import type { Looks } from "./chat-view";
import { commands } from "../editor/vscode";
import { bypassed, type Waiting } from "../waiting/waiting";

/** Keep the keys true for what waits and runs. */
export function tellWaiting(waiting: Waiting): void {
  set("pending", waiting.tickets.length);
  set("bypassActive", bypassed(waiting).length > 0);
  set(
    "running",
    waiting.chats.some(({ running }) => running),
  );
  set("chats", waiting.chats.length);
}

/** Keep the keys true for what the view shows. */
export function tellLooks(looks: Looks): void {
  set("viewFocused", looks.focused);
  set("composerEmpty", looks.composerEmpty);
  set("cardShown", looks.cardShown !== null);
  set("cardFocused", looks.cardFocused ?? false);
}

function set(key: string, value: boolean | number): void {
  void commands.executeCommand("setContext", `assent.${key}`, value);
}
