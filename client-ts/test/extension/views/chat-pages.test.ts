import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import type { WebviewPanel } from "vscode";
import { Pages } from "../../../src/extension/views/chat-pages";
import type { ChatView, ViewMessage } from "../../../src/extension/views/chat-view";
import { inert } from "../../../src/extension/editor/inert-text";
import type { ToView } from "../../../src/shared/host-messages";
import { fake, Uri, window } from "../editor";

/** A place for a page, as a view and as a tab. */
class Place {
  readonly posted: ToView[] = [];
  title: string | undefined = "";
  iconPath: unknown = null;
  visible = true;
  revealed = 0;
  say: (message: unknown) => void = () => undefined;
  gone: (() => void)[] = [];
  readonly webview = {
    options: {},
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
  onDidChangeVisibility(): void {
    return undefined;
  }
  onDidChangeViewState(): void {
    return undefined;
  }
  onDidDispose(listener: () => void): void {
    this.gone.push(listener);
  }
  reveal(): void {
    this.revealed += 1;
  }
  dispose(): void {
    this.gone.forEach((each) => each());
  }
}

let made: Place[];
let heard: [ViewMessage, ChatView][];
let pages: Pages;

beforeEach(() => {
  fake.reset();
  [made, heard] = [[], []];
  Object.assign(window, {
    registerWebviewViewProvider: () => ({ dispose: () => undefined }),
    registerWebviewPanelSerializer: () => ({ dispose: () => undefined }),
    createWebviewPanel: () => {
      const place = new Place();
      made.push(place);
      return place;
    },
  });
  pages = new Pages(Uri.file("/extension") as never, {
    heard: (message, page) => heard.push([message, page]),
    looked: () => undefined,
    odd: () => undefined,
  });
});

const looks = (focused: boolean, cardShown: string | null, title: string | null = null): object => ({
  kind: "looks",
  focused,
  composerEmpty: true,
  cardShown,
  title,
});

function side(): Place {
  const place = new Place();
  pages.view.resolveWebviewView(place as never);
  place.say({ kind: "ready" });
  return place;
}

function tab(): Place {
  pages.showInTab("A chat", [{ kind: "showCard", approvalId: "a" }]);
  const [place] = made;
  assert.ok(place !== undefined);
  place.say({ kind: "ready" });
  return place;
}

describe("a chat in a tab", () => {
  test("is one tab, whatever is shown in it, and gets its wish once its page listens", () => {
    const place = tab();
    pages.showInTab("Another", [{ kind: "showChat", chatId: "c" }]);
    assert.deepEqual([made.length, place.revealed], [1, 1]);
    assert.deepEqual(
      place.posted.map(({ kind }) => kind),
      ["showCard", "showChat"],
    );
  });

  test("and the view are called as the chat that each shows, and by their own names where they show none", () => {
    const [left, right] = [side(), tab()];
    left.say(looks(true, null, "Rounding"));
    right.say(looks(false, null, "The $(zap) till"));
    assert.deepEqual([left.title, right.title], ["Rounding", inert("The $(zap) till")]);
    // A page that was loaded anew cannot tell at first.
    left.say(looks(true, null));
    right.say(looks(false, null));
    assert.deepEqual([left.title, right.title], ["Rounding", inert("The $(zap) till")]);
    left.say(looks(true, null, ""));
    right.say(looks(false, null, ""));
    assert.deepEqual([left.title, right.title], [undefined, "Assent"]);
  });

  test("is meant where its own button is pressed or it has the focus, and else the view is", async () => {
    const [left, right] = [side(), tab()];
    [left, right].forEach(({ posted }) => posted.splice(0));
    const button = Uri.from({ scheme: "webview-panel", path: "webview-panel/assent.chatTab" });
    assert.equal(pages.meant(undefined), pages.view);
    assert.equal(await pages.wish(pages.meant(undefined), { kind: "focusComposer" }), true);
    assert.equal(await pages.wish(pages.meant(button), { kind: "newChat" }), true);
    assert.deepEqual([left.posted, right.posted], [[{ kind: "focusComposer" }], [{ kind: "newChat" }]]);
    right.say(looks(true, null));
    assert.equal(pages.meant("key"), pages.meant(button));
    // The view's own button says nothing of itself, and may be pressed while the tab has the focus.
    assert.equal(pages.meant(undefined), pages.view);
    right.dispose();
    assert.equal(pages.meant(button), pages.view);
  });

  test("hears the news that the view hears, and what each of them asks is answered to it alone", () => {
    const [left, right] = [side(), tab()];
    right.posted.length = 0;
    pages.post({ kind: "focusComposer" });
    assert.deepEqual([left.posted.length, right.posted.length], [1, 1]);
    right.say({ kind: "request", id: 1, method: "agent/list", params: {} });
    const [, page] = heard.at(-1) ?? [];
    assert.notEqual(page, pages.view);
  });

  test("takes a key where it has the focus, and the view does where that has it", () => {
    const [left, right] = [side(), tab()];
    left.say(looks(false, "a"));
    right.say(looks(true, "b"));
    assert.equal(pages.looks.cardShown, "b");
    left.say(looks(true, "a"));
    right.say(looks(false, "b"));
    assert.equal(pages.looks.cardShown, "a");
    assert.equal(pages.front, pages.view);
  });

  test("leaves it to the list where each shows another card and neither has the focus", () => {
    const [left, right] = [side(), tab()];
    left.say(looks(false, "a"));
    right.say(looks(false, "b"));
    assert.equal(pages.looks.cardShown, null);
    right.say(looks(false, "a"));
    assert.equal(pages.looks.cardShown, "a");
  });

  test("that is closed takes no key, and is made anew when it is wished for", () => {
    const [, right] = [side(), tab()];
    right.say(looks(true, "b"));
    right.dispose();
    assert.equal(pages.looks.cardShown, null);
    pages.showInTab("Again", []);
    assert.equal(made.length, 2);
  });

  test("comes back with the window", async () => {
    const place = new Place();
    await pages.deserializeWebviewPanel(place as unknown as WebviewPanel);
    pages.showInTab("Back", []);
    assert.deepEqual([made.length, place.revealed], [0, 1]);
  });
});
