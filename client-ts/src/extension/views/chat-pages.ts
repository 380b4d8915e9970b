/**
 * The two places where a chat can be seen: the view at the side, and a tab beside the files.
 *
 * Both show the same page, which asks the same server: a call that waits is one, wherever its card
 * stands, and a card is answered where it is before a person's eyes.
 */

import type { Disposable, Uri as EditorUri, WebviewPanel, WebviewPanelSerializer } from "vscode";
import type { ToView } from "../../shared/host-messages";
import { CHAT, ChatView, NOT_LOOKED_AT, type Looks, type ViewMessage } from "./chat-view";
import { Uri, ViewColumn, window } from "../editor/vscode";

export const CHAT_TAB = "assent.chatTab";

/** Where the pages put what they hear, and which of them said it. */
export interface PageEars {
  readonly heard: (message: ViewMessage, page: ChatView) => void;
  readonly looked: () => void;
  readonly odd: (message: unknown) => void;
}

export class Pages implements WebviewPanelSerializer, Disposable {
  readonly #root: EditorUri;
  readonly view: ChatView;
  readonly #tab: ChatView;
  readonly #registered: readonly Disposable[];
  #panel: WebviewPanel | null = null;

  constructor(root: EditorUri, { heard, looked, odd }: PageEars) {
    this.#root = root;
    const made = (): ChatView => {
      const page: ChatView = new ChatView(root, { heard: (message) => heard(message, page), looked, odd });
      return page;
    };
    [this.view, this.#tab] = [made(), made()];
    this.#registered = [window.registerWebviewViewProvider(CHAT, this.view), window.registerWebviewPanelSerializer(CHAT_TAB, this)];
  }

  /** The page that a key is meant for: the one with the focus, else one that shows a card. */
  get front(): ChatView {
    const both = [this.view, this.#tab];
    return both.find(({ looks }) => looks.focused) ?? both.find(({ looks }) => looks.cardShown !== null) ?? this.view;
  }

  /** What the page in front says of itself; nothing where it is not clear which of two cards is meant. */
  get looks(): Looks {
    const { front } = this;
    const isMeant =
      front.looks.focused ||
      this.view.looks.cardShown === null ||
      this.#tab.looks.cardShown === null ||
      this.view.looks.cardShown === this.#tab.looks.cardShown;
    return front.isVisible && isMeant ? front.looks : NOT_LOOKED_AT;
  }

  /** Whether a person has one of them before their eyes. */
  get isSeen(): boolean {
    return this.view.isSeen || this.#tab.isSeen;
  }

  /** News for whoever listens. */
  post(message: ToView): void {
    this.view.post(message);
    this.#tab.post(message);
  }

  /** The page that a command is for: the tab if its own button was pressed, or a key while it has the focus; else the view. */
  meant(pressed: unknown): ChatView {
    const isTabs = pressed instanceof Uri ? pressed.scheme === "webview-panel" : pressed === "key" && this.#tab.looks.focused;
    return this.#panel !== null && isTabs ? this.#tab : this.view;
  }

  /** A wish of a person's; false where the view cannot be shown. */
  async wish(page: ChatView, wish: ToView): Promise<boolean> {
    if (page === this.view && !(await page.reveal())) {
      return false;
    }
    page.wish(wish);
    return true;
  }

  /** Show a chat in the tab, and do there what is wished for. */
  showInTab(title: string, wishes: readonly ToView[]): void {
    if (this.#panel === null) {
      this.#fill(window.createWebviewPanel(CHAT_TAB, title, ViewColumn.Active));
    } else {
      this.#panel.reveal();
    }
    wishes.forEach((wish) => this.#tab.wish(wish));
  }

  /** The window was loaded anew, with the tab in it. */
  deserializeWebviewPanel(panel: WebviewPanel): Promise<void> {
    this.#panel?.dispose();
    this.#fill(panel);
    return Promise.resolve();
  }

  dispose(): void {
    this.#registered.forEach((each) => void each.dispose());
    this.#panel?.dispose();
    this.view.dispose();
    this.#tab.dispose();
  }

  #fill(panel: WebviewPanel): void {
    this.#panel = panel;
    panel.iconPath = Uri.joinPath(this.#root, "media", "assent.svg");
    this.#tab.fill({
      get title(): string | undefined {
        return panel.title;
      },
      set title(title) {
        panel.title = title ?? "Assent";
      },
      webview: panel.webview,
      get visible() {
        return panel.visible;
      },
      onDidChangeVisibility: (then) => panel.onDidChangeViewState(then),
      onDidDispose: (then) => panel.onDidDispose(then),
    });
    panel.onDidDispose(() => {
      if (this.#panel === panel) {
        this.#panel = null;
      }
    });
  }
}
