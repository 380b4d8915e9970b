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

function idle(chatId = "chat-1"): Chat {
  return { ...atWork(chatId), running: false };
}

describe("a message that was not taken", () => {
  const notSent = {
    kind: "notSent",
    chatId: "chat-1",
    text: "What is this?",
    images: ["AAAA"],
    because: "Eliza cannot read pictures.",
  } as const;
  const back = { kind: "fromHost", message: notSent } as const;

  test("by whom a page of before sent it to stands before what is written, with its pictures and the reason", () => {
    const state = after(live(idle()), { kind: "pickChat", chatId: "chat-1" }, { kind: "typed", text: "And this?" }, back);
    assert.deepEqual([state.draft, state.images, state.note], ["What is this?\n\nAnd this?", ["AAAA"], "Eliza cannot read pictures."]);
  });

  test("in another chat stands there once that is shown, and goes with nothing that is said here", () => {
    const here = after(live(idle(), idle("chat-2")), { kind: "pickChat", chatId: "chat-2" }, ...said("And this?").slice(0, 1), back);
    assert.deepEqual([here.draft, here.images, here.note], ["And this?", [], "Eliza cannot read pictures."]);
    const sent = after(here, { kind: "send" });
    assert.deepEqual(prompts(sent), [{ chatId: "chat-2", text: "And this?" }]);
    const there = after(sent, { kind: "pickChat", chatId: "chat-1" });
    assert.deepEqual([there.draft, there.images], ["What is this?", ["AAAA"]]);
  });
});

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

  test("of another chat waits for that one's end alone, and moves nothing in the one that is shown", () => {
    const waiting = after(live(atWork(), atWork("chat-2")), { kind: "pickChat", chatId: "chat-1" }, ...said("Later."), {
      kind: "pickChat",
      chatId: "chat-2",
    });
    assert.deepEqual(prompts(after(waiting, happened("chat-2", ENDED))), []);
    const noted = { ...waiting, note: "Something." };
    const sent = after(noted, happened("chat-1", ENDED));
    assert.deepEqual(prompts(sent), [{ chatId: "chat-1", text: "Later." }]);
    assert.deepEqual([sent.note, sent.live, sent.errands.length], ["Something.", noted.live, 1]);
  });

  test("is announced as sent, behind the end of the turn", () => {
    const sent = after(live(atWork()), ...said("Later."), happened("chat-1", ENDED));
    assert.equal(sent.live, "Eliza has finished. Your message is sent.");
  });

  for (const reason of ["stopped", "limit", "refused", "error"] as const) {
    test(`comes back where the turn ended otherwise: ${reason}`, () => {
      const now = after(live(atWork()), ...said("Later."), happened("chat-1", { kind: "turnEnded", reason, because: "So." }));
      assert.deepEqual([prompts(now), now.draft, now.queued], [[], "Later.", {}]);
      assert.equal(now.note, "This was not sent: the agent did not come to its end.");
    });
  }

  test("comes back once its chat is shown, where the end was missed", () => {
    const waiting = after(live(atWork(), atWork("chat-2")), { kind: "pickChat", chatId: "chat-1" }, ...said("Later."), {
      kind: "pickChat",
      chatId: "chat-2",
    });
    const result = {
      epoch: "run-2",
      seq: 1,
      snapshot: snapshotOf({ chats: [{ ...atWork(), running: false }, atWork("chat-2")] }),
      events: [],
    };
    const lost = after(waiting, { kind: "fromHost", message: { kind: "server", state: "ready", text: "" } });
    const [id] = Object.entries(lost.asked).find(([, { kind }]) => kind === "subscribe") ?? [];
    const back = after(lost, { kind: "fromHost", message: { kind: "answer", id: Number(id), result } });
    assert.deepEqual([prompts(back), back.draft], [[], ""]);
    assert.equal(after(back, { kind: "pickChat", chatId: "chat-1" }).draft, "Later.");
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
    assert.equal(unsent(waiting).queued["chat-1"]?.text, "Later.");
    const added = { kind: "fromHost", message: { kind: "addReferences", found: [FILE] } } as const;
    const picture = { kind: "attach", image: "AA" } as const;
    const closed = after(
      live(atWork(), atWork("chat-2")),
      { kind: "pickChat", chatId: "chat-1" },
      added,
      picture,
      ...said("Later."),
      happened("chat-1", { kind: "chatClosed" }),
    );
    assert.deepEqual([closed.draft, closed.references, closed.images, closed.queued], ["Later.", [FILE], ["AA"], {}]);
    assert.equal(closed.note, "This was not sent: its chat is gone.");
  });

  test("comes back before what was written since, where it is not taken", () => {
    const sent = after(live(atWork()), ...said("Not that file."), happened("chat-1", ENDED), { kind: "typed", text: "And" });
    const [id] = Object.entries(sent.asked).find(([, { kind }]) => kind === "prompt") ?? [];
    const refused = after(sent, { kind: "fromHost", message: { kind: "answer", id: Number(id), error: "No." } });
    assert.deepEqual([refused.draft, refused.note], ["Not that file.\n\nAnd", "No."]);
  });

  test("is kept by a page that is hidden, with what was named and without pictures, and waits in the next", () => {
    const added = { kind: "fromHost", message: { kind: "addReferences", found: [FILE] } } as const;
    const picture = { kind: "attach", image: "AA" } as const;
    const state = after(live(atWork()), added, picture, ...said("One."), ...said("Two."), { kind: "typed", text: "Three." }, added);
    const kept = unsent(state);
    assert.deepEqual(kept, {
      draft: "Three.",
      references: [FILE],
      queued: { "chat-1": { text: "One.\n\nTwo.", images: [], references: [FILE] } },
    });
    const result = { epoch: EPOCH, seq: 1, snapshot: snapshotOf({ chats: [atWork()] }), events: [] };
    const again = after(
      START,
      { kind: "opened", viewId: "v", ...kept, chatId: null },
      { kind: "fromHost", message: { kind: "server", state: "ready", text: "" } },
      { kind: "fromHost", message: { kind: "answer", id: 1, result } },
    );
    assert.deepEqual(unsent(again), kept);
    assert.equal(prompts(after(again, happened("chat-1", ENDED))).length, 1);
  });
});
