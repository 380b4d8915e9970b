/**
 * The chat view: a page that comes and goes, and what the extension tells it.
 *
 * Nothing is kept for a page that is gone: a new one asks the server for all that it has to know.
 */

import { randomBytes } from "node:crypto";
import type { Disposable, Uri as EditorUri, Webview, WebviewView, WebviewViewProvider } from "vscode";
import type { ToHost, ToView } from "../../shared/host-messages";
import type { Prompt } from "../../shared/protocol";
import { LOST, readFromView } from "../server/bridge";
import { pageOf } from "../editor/html-page";
import { inert } from "../editor/inert-text";
import { SPOKEN } from "../editor/language";
import { commands, Uri, window } from "../editor/vscode";

export const CHAT = "assent.chat";

/** What a page says of itself. */
export type Looks = Omit<Extract<ToHost, { readonly kind: "looks" }>, "kind">;

/** What a page says besides. */
export type ViewMessage = Exclude<ToHost, { readonly kind: "looks" }>;

type Wanted = Extract<ToHost, { readonly kind: "request" }>;
type Answer = Extract<ToView, { readonly kind: "answer" }>;

/** A place of the editor in which a page can be: a view, or a tab. */
export interface Pane {
  /** What the editor writes above the page. Undefined: the name in the manifest. */
  title?: string | undefined;
  readonly webview: Webview;
  readonly visible: boolean;
  readonly onDidChangeVisibility: (then: () => void) => unknown;
  readonly onDidDispose: (then: () => void) => unknown;
}

/** Where the view puts what it hears. */
export interface ViewEars {
  readonly heard: (message: ViewMessage) => void;
  /** Also when the view is shown or hidden, or the window gains or loses the focus. */
  readonly looked: (looks: Looks) => void;
  readonly odd: (message: unknown) => void;
}

export const NOT_LOOKED_AT: Looks = {
  focused: false,
  composerEmpty: true,
  cardShown: null,
  cardFocused: false,
  title: null,
};

const SHOW_TIMEOUT_MS = 5_000;

export class ChatView implements WebviewViewProvider, Disposable {
  readonly #root: EditorUri;
  readonly #ears: ViewEars;
  #view: Pane | null = null;
  /** What to tell the page once it says that it listens; null while it listens already. */
  #later: ToView[] | null = [];
  #resolved: (() => void)[] = [];
  #looks = NOT_LOOKED_AT;
  /** Counts the pages that began to listen. */
  #page = 0;

  constructor(root: EditorUri, ears: ViewEars) {
    this.#root = root;
    this.#ears = ears;
  }

  /** What the page last said of itself; a page that nobody can see says nothing. */
  get looks(): Looks {
    return this.isVisible ? this.#looks : NOT_LOOKED_AT;
  }

  get isVisible(): boolean {
    return this.#view?.visible ?? false;
  }

  /** Whether a person has the page before their eyes. */
  get isSeen(): boolean {
    return this.isVisible && window.state.focused;
  }

  resolveWebviewView(view: WebviewView): void {
    this.fill(view);
  }

  /** Put a fresh page into a place. */
  fill(view: Pane): void {
    this.#view = view;
    this.#later ??= [];
    view.webview.options = {
      enableScripts: true,
      localResourceRoots: [Uri.joinPath(this.#root, "dist"), Uri.joinPath(this.#root, "media")],
    };
    view.webview.onDidReceiveMessage((message: unknown) => this.#heard(message));
    view.onDidChangeVisibility(() => {
      if (view.visible) {
        this.#isThere();
      } else {
        this.#isGone();
      }
    });
    view.onDidDispose(() => {
      if (this.#view !== view) {
        return;
      }
      this.#view = null;
      this.#isGone();
    });
    view.webview.html = pageOf({
      nonce: randomBytes(18).toString("base64url"),
      cspSource: view.webview.cspSource,
      script: this.#address(view, "dist", "webview.js"),
      style: this.#address(view, "dist", "webview.css"),
      ...SPOKEN,
    });
    this.#isThere();
  }

  /** Answer the page that asked. A message that was refused goes to the next page, where that one is gone; of one that a server took with it nobody knows whether it was given. */
  async answer({ method, params }: Wanted, coming: Promise<Answer>): Promise<void> {
    const page = this.#page;
    const answer = await coming;
    if (page === this.#page) {
      this.post(answer);
    } else if (method === "agent/prompt" && answer.error !== undefined && answer.error !== LOST) {
      const { chatId, text, images = [] } = params as Prompt;
      this.wish({ kind: "notSent", chatId, text, images, because: answer.error });
    }
  }

  /** News, which a page that does not listen yet will be told by the server anyway. */
  post(message: ToView): void {
    if (this.#later === null) {
      void this.#view?.webview.postMessage(message);
    }
  }

  /** A person's wish, which waits for a page that is still loading. */
  wish(message: ToView): void {
    if (this.#later === null) {
      this.post(message);
    } else {
      this.#later.push(message);
    }
  }

  /** Show the view and give it the focus. False where this editor cannot show it. */
  async reveal(): Promise<boolean> {
    try {
      await commands.executeCommand(`${CHAT}.focus`);
    } catch {
      return false;
    }
    return this.isVisible || this.#appears();
  }

  dispose(): void {
    this.#view = null;
  }

  #heard(message: unknown): void {
    const read = readFromView(message);
    if (read === null) {
      this.#ears.odd(message);
      return;
    }
    if (read.kind === "looks") {
      this.#looks = read;
      this.#entitle(read.title);
      this.#ears.looked(this.looks);
      return;
    }
    const later = read.kind === "ready" ? (this.#later ?? []) : [];
    if (read.kind === "ready") {
      this.#page += 1;
      this.#later = null;
    }
    this.#ears.heard(read);
    later.forEach((wish) => this.post(wish));
  }

  /** Whether it comes within the time that a busy editor takes. */
  #appears(): Promise<boolean> {
    return new Promise((resolve) => {
      const tooLate = setTimeout(() => resolve(this.isVisible), SHOW_TIMEOUT_MS);
      this.#resolved.push(() => {
        clearTimeout(tooLate);
        resolve(true);
      });
    });
  }

  #isThere(): void {
    this.#ears.looked(this.looks);
    for (const resolved of this.#resolved.splice(0)) {
      resolved();
    }
  }

  /** A hidden page is thrown away, and a shown one begins anew. */
  #isGone(): void {
    this.#page += 1;
    this.#later ??= [];
    this.#looks = NOT_LOOKED_AT;
    this.#ears.looked(this.looks);
  }

  #entitle(title: string | null): void {
    if (this.#view !== null && title !== null) {
      this.#view.title = inert(title) || undefined;
    }
  }

  #address(view: Pane, ...path: readonly string[]): string {
    return view.webview.asWebviewUri(Uri.joinPath(this.#root, ...path)).toString();
  }
}
