/** The view is shown once after Assent was installed. From then on it is where the person puts it. */

import type { Memento } from "vscode";
import { commands } from "../editor/vscode";
import { CHAT } from "./chat-view";

const SHOWN = "viewShown";

/** Show the view if it never was. The keyboard stays where it is. */
export async function showAtFirst(kept: Pick<Memento, "get" | "update">): Promise<void> {
  if (kept.get(SHOWN) !== true) {
    await kept.update(SHOWN, true);
    await commands.executeCommand(`${CHAT}.focus`, { preserveFocus: true });
  }
}
