/**
 * The chats that are kept: shown again, searched, renamed, exported, deleted.
 *
 * What is typed into the list is looked for in what was said, by the server. Deleting is asked
 * about once more, since nothing of a deleted chat is left.
 */

import type { QuickPick, QuickPickItem } from "vscode";
import { locale, t } from "../../shared/l10n";
import type { ChatList, ChatText, KeptChat } from "../../shared/protocol";
import type { Surroundings } from "./chats";
import type { ChatView } from "../views/chat-view";
import { inert } from "../editor/inert-text";
import { ThemeIcon, Uri, window, workspace } from "../editor/vscode";

interface Line extends QuickPickItem {
  readonly chat: KeptChat;
}

type Deed = "show" | "rename" | "export" | "delete";

interface Chosen {
  readonly chat: KeptChat;
  readonly deed: Deed;
}

const BUTTONS = [
  { deed: "rename", iconPath: new ThemeIcon("edit"), tooltip: t("Rename") },
  { deed: "export", iconPath: new ThemeIcon("save-as"), tooltip: t("Export") },
  { deed: "delete", iconPath: new ThemeIcon("trash"), tooltip: t("Delete") },
] as const;

const WHERE = { here: t("open here"), elsewhere: t("open in another window"), closed: "" } as const;
const SEARCH_DELAY_MS = 150;

/** List them; show the one that is chosen, or do what its button says. */
export async function earlierChats(around: Surroundings, pressed?: unknown): Promise<void> {
  const chosen = await choose(around, t("Earlier chats"), "show");
  if (chosen === null) {
    return;
  }
  const { chat, deed } = chosen;
  switch (deed) {
    case "show":
      return show(around, chat, around.pages.meant(pressed));
    case "rename":
      return rename(around, chat);
    case "export":
      return exportOne(around, chat);
    case "delete":
      return deleteOne(around, chat);
  }
}

export async function renameChat(around: Surroundings): Promise<void> {
  const chosen = await choose(around, t("Rename a chat"), "rename");
  await (chosen === null ? undefined : rename(around, chosen.chat));
}

export async function exportChat(around: Surroundings): Promise<void> {
  const chosen = await choose(around, t("Export a chat"), "export");
  await (chosen === null ? undefined : exportOne(around, chosen.chat));
}

export async function deleteChat(around: Surroundings): Promise<void> {
  const chosen = await choose(around, t("Delete a chat"), "delete");
  await (chosen === null ? undefined : deleteOne(around, chosen.chat));
}

/** The chat that is meant, and what is to be done with it; null where the person drew back. */
function choose({ server }: Surroundings, title: string, deed: Deed): Promise<Chosen | null> {
  const list = window.createQuickPick<Line>();
  list.title = title;
  list.placeholder = t("Type to search in what was said.");
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  const search = async (find: string): Promise<void> => {
    asked += 1;
    const mine = asked;
    list.busy = true;
    const { chats } = (await server.request("chat/list", { find, limit: 200 })) as ChatList;
    if (mine === asked) {
      fill(list, chats, find, deed);
    }
  };
  return new Promise((resolve, reject) => {
    const end = (chosen: Chosen | null): void => {
      clearTimeout(timer);
      asked = -1;
      resolve(chosen);
      list.dispose();
    };
    const failed = (error: unknown): void => {
      reject(error instanceof Error ? error : new Error(String(error)));
      list.dispose();
    };
    list.onDidChangeValue((value) => {
      clearTimeout(timer);
      timer = setTimeout(() => void search(value.trim()).catch(failed), SEARCH_DELAY_MS);
    });
    list.onDidAccept(() => {
      const [line] = list.selectedItems;
      if (line !== undefined) {
        end({ chat: line.chat, deed });
      }
    });
    list.onDidTriggerItemButton(({ item, button }) => {
      const pressed = BUTTONS.find(({ tooltip }) => tooltip === button.tooltip);
      if (pressed !== undefined) {
        end({ chat: item.chat, deed: pressed.deed });
      }
    });
    list.onDidHide(() => end(null));
    list.show();
    void search("").catch(failed);
  });
}

function fill(list: QuickPick<Line>, chats: readonly KeptChat[], find: string, deed: Deed): void {
  list.busy = false;
  list.items = chats.map((chat) => lineOf(chat, deed));
  list.placeholder = chats.length > 0 || find !== "" ? t("Type to search in what was said.") : t("No chat is kept yet.");
}

function lineOf(chat: KeptChat, deed: Deed): Line {
  const when = new Date(chat.touched).toLocaleString(locale());
  const where = WHERE[chat.where];
  return {
    label: inert(chat.title),
    description: inert([chat.agentName, when, where].filter((it) => it !== "").join(" · ")),
    detail: inert(chat.found),
    // The server has looked for it in what was said, which does not stand here.
    alwaysShow: true,
    buttons: deed === "show" ? BUTTONS : [],
    chat,
  };
}

async function show({ server, pages }: Surroundings, { chatId }: KeptChat, page: ChatView): Promise<void> {
  await server.request("chat/open", { chatId });
  await pages.wish(page, { kind: "showChat", chatId });
}

async function rename({ server }: Surroundings, { chatId, title }: KeptChat): Promise<void> {
  const wanted = await window.showInputBox({ title: t("Rename the chat"), value: title, prompt: t("What shall it be called?") });
  if (wanted !== undefined && wanted.trim() !== "") {
    await server.request("chat/rename", { chatId, title: wanted.trim().slice(0, 200) });
  }
}

async function exportOne({ server }: Surroundings, { chatId }: KeptChat): Promise<void> {
  const format = await window.showQuickPick(["Markdown", "JSON"], { title: t("Export as") });
  if (format === undefined) {
    return;
  }
  const wanted = { chatId, format: format === "JSON" ? "json" : "markdown" } as const;
  const written = (await server.request("chat/export", wanted)) as ChatText;
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const near = folder === undefined ? Uri.file(written.name) : Uri.joinPath(folder, written.name);
  const uri = await window.showSaveDialog({ defaultUri: near });
  if (uri === undefined) {
    return;
  }
  await workspace.fs.writeFile(uri, new TextEncoder().encode(written.text));
  const cut = written.isCut ? ` ${t("Its oldest entries had no room in it.")}` : "";
  void window.showInformationMessage(`${t("The chat was written down.")}${cut}`);
}

async function deleteOne({ server }: Surroundings, { chatId, title, where }: KeptChat): Promise<void> {
  const yes = t("Delete the Chat");
  const ends = where === "here" ? ` ${t("It is open here and will be closed.")}` : "";
  const answer = await window.showWarningMessage(
    t("Delete “{0}”?", inert(title)),
    {
      modal: true,
      detail: `${t("Nothing of it is kept, and it cannot be brought back.")}${ends} ${t("What was decided stays in the journal.")}`,
    },
    yes,
  );
  if (answer === yes) {
    await server.request("chat/delete", { chatId });
  }
}
