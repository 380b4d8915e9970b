/** What is said to an agent that works and takes no more words meanwhile. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Chat, Event } from "../../../src/shared/protocol";
import { unsent } from "../../../src/webview/chats/message-queue";
import { step } from "../../../src/webview/page/fold";
import { START, type State } from "../../../src/webview/state/model";
import type { Input } from "../../../src/webview/state/moments";
import { chatOf, EPOCH, eventOf, snapshotOf } from "../shapes";

const FILE = { reference: { kind: "file", path: "/w/a.py" }, name: "a.py", says: "" } as const;
const ENDED: Event = { kind: "turnEnded", reason: "done", because: "" };

function after(state: State, ...inputs: readonly Input[]): State {
  return inputs.reduce((now, input) => step({ ...now, errands: [] }, { ...input, at: 10_000 }), state);
}

function live(...chats: readonly Chat[]): State {
  const result = { epoch: EPOCH, seq: 1, snapshot: snapshotOf({ chats }), events: [] };
  return after(
    START,
    { kind: "opened", viewId: "v", draft: "", chatId: null },
    { kind: "fromHost", message: { kind: "server", state: "ready", text: "" } },
    { kind: "fromHost", message: { kind: "answer", id: 1, result } },
  );
}

function atWork(chatId = "chat-1"): Chat {
  return chatOf(chatId, { agentId: "eliza", agentName: "Eliza", running: true });
}

function said(text: string): readonly Input[] {
  return [{ kind: "typed", text }, { kind: "send" }];
}

function happened(chatId: string, event: Event): Input {
  return { kind: "fromHost", message: { kind: "message", method: "agent/event", params: eventOf(2, chatId, event) } };
}

function prompts(state: State): readonly unknown[] {
  return state.errands.flatMap((errand) =>
    errand.kind === "post" && errand.message.kind === "request" && errand.message.method === "agent/prompt" ? [errand.message.params] : [],
  );
}

describe("what is said to an agent at work", () => {
  test("waits, with what goes with it, and is sent as one message once the turn is over", () => {
    const added = { kind: "fromHost", message: { kind: "addReferences", found: [FILE] } } as const;
    const waiting = after(live(atWork()), added, ...said("Not that file."), added, ...said("This one."));
    assert.deepEqual(prompts(waiting), []);
    assert.deepEqual([waiting.draft, waiting.references, waiting.live], ["", [], "This is sent as soon as Eliza is done."]);
    const writing = after(waiting, { kind: "typed", text: "And" });
    const sent = after(writing, happened("chat-1", ENDED));
    const message = { chatId: "chat-1", text: "Not that file.\n\nThis one.", references: [FILE.reference] };
    assert.deepEqual(prompts(sent), [message]);
    assert.equal(sent.draft, "And");
    assert.deepEqual(prompts(after(sent, { kind: "tick" })), []);
  });

  test("of another chat waits for that one's end alone", () => {
    const waiting = after(live(atWork(), atWork("chat-2")), { kind: "pickChat", chatId: "chat-1" }, ...said("Later."), {
      kind: "pickChat",
      chatId: "chat-2",
    });
    assert.deepEqual(prompts(after(waiting, happened("chat-2", ENDED))), []);
    assert.deepEqual(prompts(after(waiting, happened("chat-1", ENDED))), [{ chatId: "chat-1", text: "Later." }]);
  });

  for (const way of ["stop", "takeBack"] as const) {
    test(`comes back by ${way}, before what is being written, and is not sent`, () => {
      const now = after(live(atWork()), ...said("Not that file."), { kind: "typed", text: "And" }, { kind: way });
      assert.equal(now.draft, "Not that file.\n\nAnd");
      assert.deepEqual(now.queued, {});
      assert.deepEqual(prompts(after(now, happened("chat-1", ENDED))), []);
    });
  }

  test("is not sent while the server is away, and comes back where its chat is gone", () => {
    const away = { kind: "fromHost", message: { kind: "server", state: "restarting", text: "" } } as const;
    const waiting = after(live(atWork()), ...said("Later."), away);
    assert.deepEqual(prompts(waiting), []);
    assert.equal(unsent(waiting).draft, "Later.");
    const closed = after(
      live(atWork(), atWork("chat-2")),
      { kind: "pickChat", chatId: "chat-1" },
      ...said("Later."),
      happened("chat-1", { kind: "chatClosed" }),
    );
    assert.deepEqual([closed.draft, closed.queued], ["Later.", {}]);
  });

  test("comes back before what was written since, where it is not taken", () => {
    const sent = after(live(atWork()), ...said("Not that file."), happened("chat-1", ENDED), { kind: "typed", text: "And" });
    const [id] = Object.entries(sent.asked).find(([, { kind }]) => kind === "prompt") ?? [];
    const refused = after(sent, { kind: "fromHost", message: { kind: "answer", id: Number(id), error: "No." } });
    assert.deepEqual([refused.draft, refused.note], ["Not that file.\n\nAnd", "No."]);
  });

  test("is kept over a reload of the page as words that are being written, with what was named", () => {
    const added = { kind: "fromHost", message: { kind: "addReferences", found: [FILE] } } as const;
    const state = after(live(atWork()), added, ...said("One."), ...said("Two."), { kind: "typed", text: "Three." }, added);
    const kept = unsent(state);
    assert.deepEqual(kept, { draft: "One.\n\nTwo.\n\nThree.", references: [FILE] });
    const again = after(START, { kind: "opened", viewId: "v", ...kept, chatId: null });
    assert.deepEqual([again.draft, again.references], [kept.draft, kept.references]);
  });
});
