/**
 * What is selected in the terminal, for the words that are being written.
 *
 * Editors let no extension ask for it, but for the clipboard: so it is copied there, read, and the
 * text that was there before is put back. It happens only when the person says so.
 */

import { quoted } from "../chats/add-to-chat";
import type { ChatView } from "../views/chat-view";
import { commands, env, window } from "../editor/vscode";

const NOTHING = "Nothing is selected in the terminal. Select what you want to show, and try again.";
/** In letters: of more than that the end is taken, where terminals have what was printed last. */
const MAX_SELECTION_LETTERS = 20_000;

/** Put what is selected in the terminal behind what is being written; the person sends it, or not. */
export async function addTerminalSelection(view: Pick<ChatView, "reveal" | "wish">): Promise<void> {
  // Before the view takes the focus from the terminal.
  const text = await terminalSelection();
  if (text !== null && (await view.reveal())) {
    view.wish({ kind: "addWords", text });
  }
}

/** The selected text as it stands in a message; null where nothing is selected. */
export async function terminalSelection(mark = `assent ${Math.random()}`): Promise<string | null> {
  const before = await env.clipboard.readText();
  let found = mark;
  try {
    // By what stands there afterwards it is known whether anything was copied.
    await env.clipboard.writeText(mark);
    await commands.executeCommand("workbench.action.terminal.copySelection");
    found = await env.clipboard.readText();
  } finally {
    await env.clipboard.writeText(before);
  }
  if (found === mark || found.trim() === "") {
    void window.showInformationMessage(NOTHING);
    return null;
  }
  const text = found.trimEnd();
  const kept = text.length > MAX_SELECTION_LETTERS ? `…${text.slice(-MAX_SELECTION_LETTERS)}` : text;
  return quoted("From the terminal:", kept);
}
