/** Which chat a page shows that was there before, while the chats come back one by one. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { START, type State } from "../../../src/webview/state/model";
import type { Input } from "../../../src/webview/state/moments";
import { step } from "../../../src/webview/page/fold";
import { chatOf, EPOCH, eventOf, snapshotOf } from "../shapes";

function after(state: State, ...inputs: readonly Input[]): State {
  return inputs.reduce((now, input) => step({ ...now, errands: [] }, { ...input, at: 10_000 }), state);
}

/** A page that showed this chat, in a window in which another is there already. */
function back(chatId: string): State {
  const snapshot = snapshotOf({ chats: [chatOf("other")] });
  return after(
    START,
    { kind: "opened", viewId: "v", draft: "half a sen", chatId },
    { kind: "fromHost", message: { kind: "server", state: "ready", text: "" } },
    { kind: "fromHost", message: { kind: "answer", id: 1, result: { epoch: EPOCH, seq: 1, snapshot, events: [] } } },
  );
}

function comes(chatId: string, seq: number): Input {
  const event = eventOf(seq, chatId, { kind: "chatOpened", chat: chatOf(chatId) });
  return { kind: "fromHost", message: { kind: "message", method: "agent/event", params: event } };
}

describe("a page that comes back", () => {
  test("shows another chat until its own is there, and then that one", () => {
    const early = back("mine");
    assert.equal(early.chatId, "other");
    const both = after(early, comes("mine", 2));
    assert.deepEqual([both.chatId, both.draft], ["mine", "half a sen"]);
    assert.equal(after(both, comes("third", 3)).chatId, "mine");
  });

  test("stays with what was chosen or written into meanwhile", () => {
    for (const act of [
      { kind: "pickChat", chatId: "other" },
      { kind: "typed", text: "half a sentence" },
    ] as const) {
      assert.equal(after(back("mine"), act, comes("mine", 2)).chatId, "other");
    }
    const wish = { kind: "fromHost", message: { kind: "showChat", chatId: "other" } } as const;
    assert.equal(after(back("mine"), wish, comes("mine", 2)).chatId, "other");
  });
});
