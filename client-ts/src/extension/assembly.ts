/**
 * Where the parts of the extension meet.
 *
 * What one part says is passed on to the others here, and nowhere else.
 */

import type { Disposable, ExtensionContext, LogOutputChannel, Uri } from "vscode";
import { t } from "../shared/l10n";
import type { CardShown, MethodName, Subscribed } from "../shared/protocol";
import { optionOf } from "../shared/answer";
import { answers, Helpers } from "./connection/server-requests";
import { type Hearer, StatusItem, statusOf } from "./waiting/status-item";
import { pass, type Request } from "./server/bridge";
import { commandTable, registerCommands, showChat } from "./commands";
import { tellLooks, tellWaiting } from "./views/context-keys";
import { Diffs } from "./cards/diffs";
import { Follower } from "./waiting/follower";
import { HistoryTab } from "./history/history-tab";
import { askAboutInterpreter, findCommand, launchWish } from "./server/launch";
import { openLink } from "./connection/connection";
import { ANSWERS, Notifier, showNotice, type Button, type Notice } from "./cards/notification";
import { doOutside } from "./editor/page-requests";
import { Outputs } from "./shells/outputs";
import { Pages } from "./views/chat-pages";
import { Review } from "./cards/review";
import { RulesTree } from "./rules/rules-list";
import { ofPerson } from "./settings/settings";
import { shownAs } from "./settings/settings-files";
import { watchSettings } from "./settings/settings-watch";
import { Server, type State } from "./server/server";
import { Settling } from "./cards/settled-tickets";
import { complain, tellFailure } from "./server/failure-messages";
import { asTyped, Texts } from "./cards/text-documents";
import { showAtFirst } from "./views/shown-at-first";
import { ShellsTree } from "./shells/shells-list";
import { Alarms } from "./waiting/alarms";
import { WaitingTree } from "./waiting/waiting-list";
import { openPlace } from "./workspace/places";
import { NOT_LOOKED_AT, type ChatView, type ViewMessage } from "./views/chat-view";
import { window } from "./editor/vscode";
import type { Waiting } from "./waiting/waiting";

export class Assembly {
  readonly #context: ExtensionContext;
  readonly #log: LogOutputChannel = window.createOutputChannel("Assent", { log: true });
  readonly #status = new StatusItem();
  readonly #trees = [new WaitingTree(), new ShellsTree()] as const;
  readonly #helpers = new Helpers((method, params) => this.#server.request(method, params));
  readonly #rules: RulesTree;
  readonly #alarms: Alarms;
  readonly #history: HistoryTab;
  readonly #settling = new Settling();
  readonly #server: Server;
  /** Sends what the person does, from whichever surface. */
  readonly #request: Request;
  readonly #follower: Follower;
  readonly #diffs: Diffs;
  readonly #texts: Texts;
  readonly #outputs: Outputs;
  readonly #review: Review;
  readonly #notifier: Notifier;
  readonly #pages: Pages;
  readonly #registered: readonly Pick<Disposable, "dispose">[];
  /** The interpreters of the workspace that were asked about in this window. */
  readonly #askedAbout = new Set<string>();
  /** What the running server was started from. */
  #launched = "";

  constructor(context: ExtensionContext) {
    this.#context = context;
    this.#server = this.#makeServer();
    const request: Request = (method, params) => this.#server.request(method, params);
    this.#rules = new RulesTree(request);
    this.#alarms = new Alarms(context.workspaceState, {
      isOpen: (chatId) => this.#follower.chats.some((chat) => chat.chatId === chatId),
      show: (chatId) => showChat(this.#pages, chatId),
      counted: (count) => this.#pages.post({ kind: "alarms", count }),
    });
    this.#history = new HistoryTab(context.extensionUri, this.#server);
    this.#follower = new Follower(
      (params) => request("agent/subscribe", params) as Promise<Subscribed>,
      (params) => request("tool/card", params) as Promise<CardShown>,
      (waiting) => this.#show(waiting),
      (error) => this.#log.warn(`What waits could not be asked for: ${String(error)}`),
    );
    this.#diffs = new Diffs((approvalId) => this.#follower.waiting.tickets.find((ticket) => ticket.approvalId === approvalId));
    this.#texts = new Texts(request, complain);
    this.#request = asTyped(request, this.#texts);
    this.#outputs = new Outputs(request);
    this.#review = new Review({
      tickets: () => this.#follower.waiting.tickets,
      request: this.#request,
      whenSettled: (approvalId) => this.#settling.signalFor(approvalId),
      editText: (approvalId) => this.#texts.open(approvalId),
    });
    this.#notifier = this.#makeNotifier();
    this.#pages = new Pages(context.extensionUri, {
      heard: (message, page) => this.#heardFromPage(message, page),
      looked: () => this.#looked(),
      odd: (message) => this.#log.warn(`The view sent what is no message: ${JSON.stringify(message)}`),
    });
    this.#registered = this.#register();
  }

  /** Begin to work. */
  start(): void {
    tellLooks(NOT_LOOKED_AT);
    void this.#server.start();
    showAtFirst(this.#context.globalState).catch((error: unknown) => this.#log.warn(String(error)));
    this.#askAboutInterpreter();
  }

  dispose(): void {
    // Where the editor does not wait, the end of its process ends the server's input.
    void this.#server.stop().finally(() => this.#log.dispose());
    this.#registered.forEach((part) => void part.dispose());
  }

  #makeServer(): Server {
    return new Server({
      open: async (ears) => {
        this.#launched = launchWish(this.#context.globalState);
        const command = await findCommand(this.#context);
        return openLink(command, ears, answers(this.#context, this.#diffs, this.#helpers), this.#log, (uri) => this.#shownAs(uri));
      },
      heard: (method, params) => this.#heardFromServer(method, params),
      changed: (state, text) => this.#changed(state, text),
      openTickets: () => this.#follower.waiting.tickets.length,
      tell: (grave, message, failure) => void tellFailure(grave, message, failure),
      now: () => Date.now(),
    });
  }

  #makeNotifier(): Notifier {
    return new Notifier({
      isOn: () => ofPerson("notifications") !== false,
      isSeen: () => this.#pages.isSeen,
      show: showNotice,
      chosen: (notice, button, shownMs) => this.#answer(notice, button, shownMs),
    });
  }

  #register(): readonly Pick<Disposable, "dispose">[] {
    const table = commandTable({
      server: this.#server,
      follower: this.#follower,
      view: this.#pages.view,
      pages: this.#pages,
      review: this.#review,
      diffs: this.#diffs,
      outputs: this.#outputs,
      secrets: this.#context.secrets,
      rules: this.#rules,
      alarms: this.#alarms,
      history: this.#history,
      shownAs: (uri) => this.#shownAs(uri),
      log: this.#log,
    });
    return [
      this.#status,
      ...this.#trees,
      this.#helpers,
      this.#alarms,
      this.#rules,
      this.#history,
      this.#diffs,
      this.#texts,
      this.#outputs,
      this.#notifier,
      this.#pages,
      window.onDidChangeWindowState(() => this.#notifier.look()),
      ...watchSettings({
        changed: () => this.#settingsChanged(),
        saved: () => void this.#server.configurationChanged(),
      }),
      ...registerCommands(table),
    ];
  }

  #shownAs(uri: Uri): Uri {
    return shownAs(uri, this.#context.globalStorageUri);
  }

  #heardFromServer(method: MethodName, params: unknown): void {
    const hearers: readonly Hearer[] = [this.#follower, this.#alarms, this.#rules, this.#history, this.#status.collections];
    hearers.forEach((part) => part.take(method, params));
    this.#pages.post({ kind: "message", method, params });
  }

  #heardFromPage(message: ViewMessage, page: ChatView): void {
    switch (message.kind) {
      case "ready":
        page.post({ kind: "server", state: this.#server.state, text: this.#server.text });
        page.post({ kind: "alarms", count: this.#alarms.count });
        return;
      case "request":
        void page.answer(message, pass(message, this.#request));
        return;
      case "showOutput":
        void this.#outputs.show(message).catch(complain);
        return;
      case "editText":
        void this.#texts.open(message.approvalId).catch(complain);
        return;
      case "openPlace":
        void openPlace(message.place).catch(complain);
        return;
      case "openLink":
      case "reveal":
      case "runCommand":
        void doOutside(message).catch(complain);
    }
  }

  /** The settings, or the trust in the workspace, are others: the server reads them anew. */
  #settingsChanged(): void {
    if (launchWish(this.#context.globalState) === this.#launched) {
      void this.#server.configurationChanged();
    } else {
      void this.#server.restart();
    }
    this.#askAboutInterpreter();
  }

  #changed(state: State, text: string): void {
    this.#log.info(text === "" ? t("Assent's server is ready.") : text);
    if (state === "ready") {
      this.#follower.begin();
      this.#history.serverIsReady();
    } else {
      this.#follower.end();
      this.#status.collections.forget();
    }
    this.#pages.post({ kind: "server", state, text });
    this.#rules.refresh();
  }

  #show(waiting: Waiting): void {
    tellWaiting(waiting);
    this.#settling.ticketsAre(waiting.tickets);
    this.#texts.ticketsAre(waiting.tickets);
    this.#status.show(statusOf(waiting, this.#server.state, this.#server.text));
    this.#trees.forEach((tree) => tree.show(waiting));
    this.#notifier.ticketsAre(waiting.tickets);
  }

  #looked(): void {
    tellLooks(this.#pages.looks);
    this.#notifier.look();
  }

  async #answer({ ticket }: Notice, button: Button, shownMs: number): Promise<void> {
    const option = button === "Review" ? undefined : optionOf(ticket, ANSWERS[button]);
    try {
      await (option ? this.#review.answer(ticket, option, { shownMs }) : this.#review.show(ticket));
    } catch (error) {
      complain(error);
    }
  }

  #askAboutInterpreter(): void {
    void askAboutInterpreter(this.#context.globalState, this.#askedAbout).then((changed) => (changed ? this.#server.restart() : undefined));
  }
}
