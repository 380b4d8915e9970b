/** The view is shown once after Assent was installed: its bar may be hidden. */

import type { Memento } from "vscode";
import { commands, workspace } from "../editor/vscode";
import { CHAT } from "./chat-view";

const SHOWN = "viewShown";

/** Show the view if it never was and a folder is open. The keyboard stays where it is. */
export async function showAtFirst(kept: Pick<Memento, "get" | "update">): Promise<void> {
  if (kept.get(SHOWN) === true || workspace.workspaceFolders === undefined) return;
  await commands.executeCommand(`${CHAT}.focus`, { preserveFocus: true });
  await kept.update(SHOWN, true);
}
