/**
 * Every command, by its name without the section's. One about the shown card goes to the view, which
 * knows which that is. Where no view is before the person's eyes, it is asked for in a list instead,
 * and nothing is answered unseen.
 */

import type { Disposable, LogOutputChannel, SecretStorage, Uri as EditorUri } from "vscode";
import { t } from "../shared/l10n";
import type { CardCommand } from "../shared/host-messages";
import { addModel } from "./models/add-model";
import { addToChat } from "./chats/add-to-chat";
import { addAgent } from "./agents/add-agent";
import { optionOf } from "../shared/answer";
import { askAgain, stopAskingFor } from "./agents/bypass";
import { chatInTab, closeChat, logIn, newChat, pickChat, reviewInTab, setMode, stop } from "./chats/chats";
import { connectTerminal } from "./agents/connect-terminal";
import type { Diffs } from "./cards/diffs";
import { deleteChat, earlierChats, exportChat, renameChat } from "./chats/earlier-chats";
import { forgetRepository } from "./agents/forget-repository";
import type { Follower } from "./waiting/follower";
import type { HistoryTab } from "./history/history-tab";
import { showCollections } from "./catalogue/collections";
import { setAgentSecret, setModelKey } from "./models/keys";
import type { Outputs } from "./shells/outputs";
import type { Pages } from "./views/chat-pages";
import { inert } from "./editor/inert-text";
import { confirmed, type Review } from "./cards/review";
import { addProposedRule } from "./rules/proposed-rule";
import { ruleCommands } from "./rules/rule-commands";
import type { RulesTree } from "./rules/rules-list";
import type { Alarms } from "./waiting/alarms";
import { runningCommands } from "./shells/running-commands";
import type { Server } from "./server/server";
import { addTerminalSelection } from "./terminals/terminal-selection";
import type { ChatView } from "./views/chat-view";
import { showToolServers } from "./catalogue/tool-servers";
import { commands, window } from "./editor/vscode";
import { reasonOf } from "./editor/error-text";

/** What the commands work on. */
export interface Parts {
  readonly server: Server;
  readonly follower: Follower;
  readonly view: ChatView;
  readonly pages: Pages;
  readonly review: Review;
  readonly diffs: Diffs;
  readonly outputs: Outputs;
  readonly secrets: Pick<SecretStorage, "get" | "store" | "delete">;
  readonly rules: RulesTree;
  readonly alarms: Alarms;
  readonly history: HistoryTab;
  /** The address under which the editor shows a file of the settings. */
  readonly shownAs: (uri: EditorUri) => EditorUri;
  readonly log: LogOutputChannel;
}

/** Our own agent, for the models that a person has. */
const OWN_AGENT = "assent";

export type Command = (argument?: unknown, more?: unknown) => Promise<void>;

/** The table. */
export function commandTable(parts: Parts): Readonly<Record<string, Command>> {
  const { server, view } = parts;
  const card = (command: CardCommand) => () => onCard(parts, command);
  return {
    reviewNext: () => reviewNext(parts),
    reviewInTab: (approvalId) => reviewInTab(parts, approvalId),
    reviewTicket: (approvalId) => reviewTicket(parts, approvalId),
    allowOnce: card("allowOnce"),
    allowChat: card("allowChat"),
    allowBackground: card("allowBackground"),
    deny: card("deny"),
    denyTell: card("denyTell"),
    keepWaiting: card("keepWaiting"),
    stopAsking: card("stopAsking"),
    next: card("next"),
    previous: card("previous"),
    openDiff: card("openDiff"),
    acceptDiff: (uri) => answerDiff(parts, uri, "allowOnce"),
    rejectDiff: (uri) => answerDiff(parts, uri, "denyOnce"),
    askAgain: () => askAgain(parts),
    stopAskingFor: () => stopAskingFor(parts),
    addAgent: (id) => addAgentAndTalk(parts, typeof id === "string" ? id : null),
    addModel: () => addModelAndTalk(parts),
    forgetRepository: () => forgetRepository((method, params) => server.request(method, params)),
    showToolServers: () => showToolServers((method, params) => server.request(method, params)),
    showCollections: () => showCollections((method, params) => server.request(method, params)),
    connectTerminal: () => connectTerminal((method, params) => server.request(method, params)),
    ...chatCommands(parts),
    ...runningCommands(parts),
    setModelKey: async () => {
      if (await setModelKey(parts.secrets)) {
        await server.configurationChanged();
      }
    },
    setAgentSecret: async () => {
      await setAgentSecret(parts.secrets);
    },
    ...ruleCommands({
      request: (method, params) => server.request(method, params),
      refresh: () => parts.rules.refresh(),
      shownAs: parts.shownAs,
      showChat: (chatId) => showChat(parts, chatId),
    }),
    showRules: () => parts.rules.show(),
    showAlarms: () => parts.alarms.see(),
    ...serverCommands(parts),
    ...editorCommands(),
    ...viewCommands(view),
  };
}

/** Those that open a page of the editor. */
function editorCommands(): Readonly<Record<string, Command>> {
  return {
    openSettings: async () => {
      await commands.executeCommand("workbench.action.openSettings", "@ext:assent.assent");
    },
    help: async () => {
      await commands.executeCommand("workbench.action.openWalkthrough", "assent.assent#start");
    },
  };
}

/** Those that lead to where one writes. */
function viewCommands(view: ChatView): Readonly<Record<string, Command>> {
  return {
    addTerminalSelection: () => addTerminalSelection(view),
    addToChat: (clicked, chosen) => addToChat(view, clicked, chosen),
    focusChat: async () => {
      if (await view.reveal()) {
        view.wish({ kind: "focusComposer" });
      }
    },
  };
}

/** Those about chats, open ones and earlier ones. */
function chatCommands(parts: Parts): Readonly<Record<string, Command>> {
  return {
    newChat: (pressed) => newChat(parts, pressed),
    pickChat: () => pickChat(parts),
    chatInTab: () => chatInTab(parts),
    closeChat: () => closeChat(parts),
    earlierChats: (pressed) => earlierChats(parts, pressed),
    renameChat: () => renameChat(parts),
    exportChat: () => exportChat(parts),
    deleteChat: () => deleteChat(parts),
    stop: () => stop(parts),
    logIn: () => logIn(parts),
    setMode: () => setMode(parts),
  };
}

/** Those about the server and what it keeps. */
function serverCommands({ server, log, history }: Parts): Readonly<Record<string, Command>> {
  return {
    showHistory: () => {
      history.show();
      return Promise.resolve();
    },
    showInsights: () => history.insights.show(),
    addProposedRule: () => addProposedRule((method, params) => server.request(method, params)),
    // The server asks once more before it sets anything aside.
    startNewJournal: async () => {
      await server.request("journal/startNew", {});
    },
    restartServer: () => server.restart(),
    showLog: () => {
      log.show();
      return Promise.resolve();
    },
  };
}

/** Register them all. What one of them fails with is said to the person. */
export function registerCommands(table: Readonly<Record<string, Command>>): readonly Disposable[] {
  return Object.entries(table).map(([name, command]) =>
    commands.registerCommand(`assent.${name}`, async (argument: unknown, more: unknown) => {
      try {
        await command(argument, more);
      } catch (error) {
        void window.showErrorMessage(inert(reasonOf(error)));
      }
    }),
  );
}

/** An agent that was just added is there to be talked to. */
async function addAgentAndTalk({ server, view }: Parts, wanted: string | null): Promise<void> {
  const agentId = await addAgent((method, params) => server.request(method, params), wanted);
  if (agentId !== null && (await view.reveal())) {
    await server.request("agent/newChat", { agentId });
  }
}

/** So is a model. */
async function addModelAndTalk({ server, secrets, view }: Parts): Promise<void> {
  const modelId = await addModel({ request: (method, params) => server.request(method, params), secrets });
  if (modelId !== null && (await view.reveal())) {
    view.wish({ kind: "beginWith", agentId: OWN_AGENT, modelId });
  }
}

async function reviewNext({ view, review, follower }: Parts): Promise<void> {
  const isShown = await view.reveal();
  if (isShown) {
    view.wish({ kind: "command", command: "review" });
  }
  if (!isShown || follower.waiting.tickets.length === 0) {
    // Where nothing waits, that is said.
    await review.next();
  }
}

async function reviewTicket({ follower, review }: Parts, approvalId: unknown): Promise<void> {
  const { tickets } = follower.waiting;
  const ticket = tickets.find((open) => open.approvalId === approvalId);
  await (ticket === undefined ? review.next() : review.show(ticket));
}

export async function showChat({ view }: Pick<Parts, "view">, chatId: string): Promise<boolean> {
  const isShown = await view.reveal();
  if (isShown) view.wish({ kind: "showChat", chatId });
  return isShown;
}

async function onCard({ pages, review }: Parts, command: CardCommand): Promise<void> {
  if (pages.looks.cardShown !== null) {
    pages.front.wish({ kind: "command", command });
  } else {
    await review.next();
  }
}

async function answerDiff({ diffs, review }: Parts, uri: unknown, kind: "allowOnce" | "denyOnce"): Promise<void> {
  const shown = diffs.ticketAt((uri as EditorUri | undefined) ?? activeUri());
  const option = shown === null ? undefined : optionOf(shown.ticket, kind);
  if (shown === null || option === undefined) {
    await window.showInformationMessage(t("No card waits for an answer to this diff."));
    return;
  }
  const { ticket, shownMs } = shown;
  if ((await confirmed(ticket, option)) && (await review.answer(ticket, option, { shownMs }))) {
    await diffs.close(ticket.approvalId);
  }
}

function activeUri(): EditorUri | undefined {
  return window.activeTextEditor?.document.uri;
}
