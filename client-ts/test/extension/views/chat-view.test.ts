import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import type { WebviewView } from "vscode";
import { LOST } from "../../../src/extension/server/bridge";
import { ChatView, NOT_LOOKED_AT, type Looks, type ViewMessage } from "../../../src/extension/views/chat-view";
import type { ToView } from "../../../src/shared/host-messages";
import { fake, Uri, window } from "../editor";
import { settle } from "../made";

/** A page that the editor shows. */
class Page {
  readonly posted: ToView[] = [];
  readonly webview = {
    options: {} as { localResourceRoots?: readonly Uri[]; enableScripts?: boolean },
    html: "",
    cspSource: "https://files.example",
    asWebviewUri: (uri: Uri): Uri => uri,
    onDidReceiveMessage: (listener: (message: unknown) => void): void => {
      this.say = listener;
    },
    postMessage: (message: ToView): void => {
      this.posted.push(message);
    },
  };
  visible = true;
  say: (message: unknown) => void = () => undefined;
  #seen: () => void = () => undefined;
  #gone: () => void = () => undefined;

  onDidChangeVisibility(listener: () => void): void {
    this.#seen = listener;
  }
  onDidDispose(listener: () => void): void {
    this.#gone = listener;
  }
  show(visible: boolean): void {
    this.visible = visible;
    this.#seen();
  }
  close(): void {
    this.#gone();
  }
}

const LOOKS: Looks = { focused: true, composerEmpty: false, cardShown: "a", title: "Rounding" };

let heard: ViewMessage[];
let looked: Looks[];
let odd: unknown[];
let view: ChatView;
let page: Page;

beforeEach(() => {
  fake.reset();
  [heard, looked, odd] = [[], [], []];
  view = new ChatView(Uri.file("/extension") as never, {
    heard: (message) => {
      heard.push(message);
      if (message.kind === "ready") {
        view.post({ kind: "server", state: "ready", text: "" });
      }
    },
    looked: (looks) => looked.push(looks),
    odd: (message) => odd.push(message),
  });
  page = new Page();
});

function resolve(): void {
  view.resolveWebviewView(page as unknown as WebviewView);
}

describe("the view", () => {
  test("may read its own two folders and nothing else", () => {
    resolve();
    assert.equal(page.webview.options.enableScripts, true);
    assert.deepEqual(page.webview.options.localResourceRoots?.map(String), ["file:/extension/dist", "file:/extension/media"]);
  });

  test("gets a fresh nonce for each page", () => {
    resolve();
    const first = page.webview.html;
    resolve();
    assert.notEqual(page.webview.html, first);
  });

  test("keeps a wish until the page listens, and tells it after the server's state", () => {
    resolve();
    view.wish({ kind: "command", command: "review" });
    view.post({ kind: "focusComposer" });
    assert.deepEqual(page.posted, []);
    page.say({ kind: "ready" });
    assert.deepEqual(
      page.posted.map(({ kind }) => kind),
      ["server", "command"],
    );
    view.post({ kind: "focusComposer" });
    assert.equal(page.posted.length, 3);
  });

  test("that is hidden begins anew when it is shown", () => {
    resolve();
    page.say({ kind: "ready" });
    page.posted.length = 0;
    page.show(false);
    view.post({ kind: "focusComposer" });
    page.show(true);
    view.wish({ kind: "newChat" });
    assert.deepEqual(page.posted, []);
    page.say({ kind: "ready" });
    assert.deepEqual(
      page.posted.map(({ kind }) => kind),
      ["server", "newChat"],
    );
  });

  test("answers the page that asked, and no other", async () => {
    resolve();
    page.say({ kind: "ready" });
    page.posted.length = 0;
    const asked = { kind: "request", id: 1, method: "agent/list", params: {} } as const;
    await view.answer(asked, Promise.resolve({ kind: "answer", id: 1, result: {} }));
    assert.deepEqual(page.posted, [{ kind: "answer", id: 1, result: {} }]);
    const late = view.answer(
      asked,
      settle().then(() => ({ kind: "answer", id: 1, result: {} }) as const),
    );
    page.show(false);
    page.show(true);
    page.say({ kind: "ready" });
    await late;
    assert.deepEqual(
      page.posted.map(({ kind }) => kind),
      ["answer", "server"],
    );
  });

  test("hands a message that was not taken to the next page where the page that sent it is gone", async () => {
    resolve();
    page.say({ kind: "ready" });
    const params = { chatId: "chat-1", text: "What is this?", images: ["AAAA"] };
    const asked = { kind: "request", id: 1, method: "agent/prompt", params } as const;
    const why = "Eliza cannot read pictures. Your message was not sent.";
    const late = view.answer(
      asked,
      settle().then(() => ({ kind: "answer", id: 1, error: why }) as const),
    );
    page.show(false);
    await late;
    page.posted.length = 0;
    page.show(true);
    page.say({ kind: "ready" });
    assert.deepEqual(page.posted, [
      { kind: "server", state: "ready", text: "" },
      { kind: "notSent", chatId: "chat-1", text: "What is this?", images: ["AAAA"], because: why },
    ]);
  });

  test("hands on no message of which nobody knows whether it was taken, as the server is gone", async () => {
    resolve();
    page.say({ kind: "ready" });
    const asked = { kind: "request", id: 1, method: "agent/prompt", params: { chatId: "chat-1", text: "Go." } } as const;
    const late = view.answer(
      asked,
      settle().then(() => ({ kind: "answer", id: 1, error: LOST }) as const),
    );
    page.show(false);
    await late;
    page.posted.length = 0;
    page.show(true);
    page.say({ kind: "ready" });
    assert.deepEqual(page.posted, [{ kind: "server", state: "ready", text: "" }]);
  });

  test("tells how it looks, and that nobody looks once it is hidden or gone", () => {
    resolve();
    page.say({ kind: "looks", ...LOOKS });
    assert.equal(view.looks.cardShown, "a");
    page.show(false);
    assert.deepEqual([view.looks, looked.at(-1)], [NOT_LOOKED_AT, NOT_LOOKED_AT]);
    page.show(true);
    page.say({ kind: "looks", ...LOOKS });
    page.close();
    assert.deepEqual(view.looks, NOT_LOOKED_AT);
    assert.equal(view.isVisible, false);
  });

  test("is not seen while the window has no focus", () => {
    resolve();
    assert.equal(view.isSeen, true);
    Object.assign(window, { state: { focused: false } });
    assert.equal(view.isSeen, false);
  });

  test("passes on what is a message and reports what is none", () => {
    resolve();
    page.say({ kind: "request", id: 1, method: "agent/list", params: {} });
    page.say({ kind: "request" });
    assert.equal(heard.length, 1);
    assert.deepEqual(odd, [{ kind: "request" }]);
  });

  test("can be shown, and says when it cannot", async () => {
    const shown = view.reveal();
    resolve();
    assert.equal(await shown, true);
    assert.deepEqual(
      fake.executed.map(({ command }) => command),
      ["assent.chat.focus"],
    );
    fake.commandFails.add("assent.chat.focus");
    assert.equal(await view.reveal(), false);
    await settle();
  });
});
