/**
 * Where the parts of the extension meet.
 *
 * What one part says is passed on to the others here, and nowhere else.
 */

import type { Disposable, ExtensionContext, LogOutputChannel } from "vscode";
import type { MethodName, Subscribed } from "../protocol";
import { optionOf } from "./answer";
import { answers } from "./asked";
import { StatusItem, statusOf } from "./badge";
import { pass, type Request } from "./bridge";
import { commandTable, registerCommands } from "./commands";
import { tellLooks, tellWaiting } from "./context";
import { Diffs } from "./diffs";
import { Follower } from "./follow";
import { askAboutInterpreter, findCommand } from "./launch";
import { openLink } from "./link";
import { Notifier, type Button, type Notice } from "./notice";
import { doOutside } from "./outside";
import { Review } from "./quickpick";
import { SECTION } from "./settings";
import { Server, type State } from "./server";
import { Settling } from "./settling";
import { tellFailure } from "./telling";
import { WaitingTree } from "./trees";
import { CHAT, ChatView, NOT_LOOKED_AT, type Looks, type ViewMessage } from "./views";
import { window, workspace } from "./vscode";
import type { Waiting } from "./waiting";

/** The settings that say what to start. */
const STARTS = ["interpreter", "serverCommand"] as const;
const ANSWERS = { Deny: "denyOnce", Allow: "allowOnce" } as const;

export class Assembly {
  readonly #context: ExtensionContext;
  readonly #log: LogOutputChannel = window.createOutputChannel("Assent", { log: true });
  readonly #status = new StatusItem();
  readonly #tree = new WaitingTree();
  readonly #settling = new Settling();
  readonly #server: Server;
  readonly #follower: Follower;
  readonly #diffs: Diffs;
  readonly #review: Review;
  readonly #notifier: Notifier;
  readonly #view: ChatView;
  readonly #registered: readonly Pick<Disposable, "dispose">[];

  constructor(context: ExtensionContext) {
    this.#context = context;
    this.#server = this.#makeServer();
    const request: Request = (method, params) => this.#server.request(method, params);
    this.#follower = new Follower(
      (params) => request("agent/subscribe", params) as Promise<Subscribed>,
      (waiting) => this.#show(waiting),
      (error) => this.#log.warn(`What waits could not be asked for: ${String(error)}`),
    );
    this.#diffs = new Diffs((approvalId) =>
      this.#follower.waiting.tickets.find((ticket) => ticket.approvalId === approvalId),
    );
    this.#review = new Review({
      tickets: () => this.#follower.waiting.tickets,
      request,
      whenSettled: (approvalId) => this.#settling.signalFor(approvalId),
    });
    this.#notifier = this.#makeNotifier();
    this.#view = new ChatView(context.extensionUri, {
      heard: (message) => this.#heardFromView(message),
      looked: (looks) => this.#looked(looks),
      odd: (message) =>
        this.#log.warn(`The view sent what is no message: ${JSON.stringify(message)}`),
    });
    this.#registered = this.#register();
  }

  /** Begin to work. */
  start(): void {
    tellLooks(NOT_LOOKED_AT);
    void this.#server.start();
    void this.#askAboutInterpreter();
  }

  dispose(): void {
    // If the editor does not wait for this, the end of its process ends the server's input.
    void this.#server.stop().finally(() => this.#log.dispose());
    for (const part of this.#registered) {
      part.dispose();
    }
  }

  #makeServer(): Server {
    return new Server({
      open: async (ears) =>
        openLink(
          await findCommand(this.#context),
          ears,
          answers(this.#context, this.#diffs),
          this.#log,
        ),
      heard: (method, params) => this.#heardFromServer(method, params),
      changed: (state, text) => this.#changed(state, text),
      openTickets: () => this.#follower.waiting.tickets.length,
      tell: (grave, message, failure) => void tellFailure(grave, message, failure),
      now: () => Date.now(),
    });
  }

  #makeNotifier(): Notifier {
    return new Notifier({
      isOn: () => workspace.getConfiguration(SECTION).get("notifications") !== false,
      isSeen: () => this.#view.isSeen,
      show: async ({ text, buttons }) => window.showInformationMessage<Button>(text, ...buttons),
      chosen: (notice, button, shownMs) => this.#answer(notice, button, shownMs),
    });
  }

  #register(): readonly Pick<Disposable, "dispose">[] {
    const table = commandTable({
      server: this.#server,
      follower: this.#follower,
      view: this.#view,
      review: this.#review,
      diffs: this.#diffs,
      log: this.#log,
    });
    return [
      this.#status,
      this.#tree,
      this.#diffs,
      this.#notifier,
      this.#view,
      window.registerWebviewViewProvider(CHAT, this.#view),
      window.onDidChangeWindowState(() => this.#notifier.look()),
      workspace.onDidGrantWorkspaceTrust(() => {
        void this.#server.configurationChanged();
        void this.#askAboutInterpreter();
      }),
      workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(SECTION)) {
          void this.#server.configurationChanged();
        }
        if (STARTS.some((key) => change.affectsConfiguration(`${SECTION}.${key}`))) {
          void this.#server.restart();
          void this.#askAboutInterpreter();
        }
      }),
      ...registerCommands(table),
    ];
  }

  #heardFromServer(method: MethodName, params: unknown): void {
    this.#follower.take(method, params);
    this.#view.post({ kind: "message", method, params });
  }

  #heardFromView(message: ViewMessage): void {
    switch (message.kind) {
      case "ready":
        this.#view.post({ kind: "server", state: this.#server.state, text: this.#server.text });
        return;
      case "request":
        void pass(message, (method, params) => this.#server.request(method, params)).then(
          (answer) => this.#view.post(answer),
        );
        return;
      case "openLink":
      case "reveal":
      case "runCommand":
        void doOutside(message);
    }
  }

  #changed(state: State, text: string): void {
    this.#log.info(text === "" ? "Assent's server is ready." : text);
    if (state === "ready") {
      this.#follower.begin();
    } else {
      this.#follower.end();
    }
    this.#view.post({ kind: "server", state, text });
  }

  #show(waiting: Waiting): void {
    tellWaiting(waiting);
    this.#settling.ticketsAre(waiting.tickets);
    this.#status.show(statusOf(waiting, this.#server.state, this.#server.text));
    this.#tree.show(waiting);
    this.#notifier.ticketsAre(waiting.tickets);
  }

  #looked(looks: Looks): void {
    tellLooks(looks);
    this.#notifier.look();
  }

  async #answer({ ticket }: Notice, button: Button, shownMs: number): Promise<void> {
    const option = button === "Review" ? undefined : optionOf(ticket, ANSWERS[button]);
    await (option === undefined
      ? this.#review.show(ticket)
      : this.#review.answer(ticket, option, { shownMs }));
  }

  async #askAboutInterpreter(): Promise<void> {
    if (await askAboutInterpreter(this.#context.globalState)) {
      await this.#server.restart();
    }
  }
}
