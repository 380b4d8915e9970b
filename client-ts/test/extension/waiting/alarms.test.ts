import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import type { Memento } from "vscode";
import { Alarms } from "../../../src/extension/waiting/alarms";
import type { AgentEvent } from "../../../src/shared/protocol";
import { fake } from "../editor";

const CHEATED = "Eliza ran “touch cheated” without asking.";

function told(text: string, alarm: boolean, chatId = "chat-1"): AgentEvent {
  const notice = { kind: "notice", level: "error", text, at: 0, offer: null, backTo: null, alarm } as const;
  return { epoch: "1", seq: 1, chatId, event: { kind: "notice", notice } };
}

function kept(): Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (key: string, otherwise?: unknown) => values.get(key) ?? otherwise,
    update: (key: string, value: unknown) => Promise.resolve(void values.set(key, value)),
  } as Memento;
}

describe("alarms", () => {
  let memento: Memento;
  let chats: string[];
  let closed: string[];
  let counts: number[];
  let alarms: Alarms;

  function begin(): Alarms {
    return new Alarms(memento, {
      isOpen: (chatId) => !closed.includes(chatId),
      show: (chatId) => Promise.resolve(chats.push(chatId) > 0),
      counted: (count) => void counts.push(count),
    });
  }

  beforeEach(() => {
    fake.reset();
    memento = kept();
    chats = [];
    closed = [];
    counts = [];
    alarms = begin();
  });

  test("the first is told, and all of them are counted until they are seen", async () => {
    const item = fake.statusItems[0];
    assert.equal(item?.visible, false);
    alarms.take("agent/event", told(CHEATED, true));
    alarms.take("agent/event", told("Eliza ran 2 more calls without asking; each stands in the history.", true, "chat-2"));
    assert.deepEqual(
      fake.messages.map(({ kind, text, buttons }) => ({ kind, text, buttons })),
      [{ kind: "error", text: CHEATED, buttons: ["Show"] }],
    );
    assert.equal(item.visible, true);
    assert.equal(item.text, "$(warning) 2 alarms");
    await alarms.see();
    assert.deepEqual(chats, ["chat-2"]);
    assert.equal(item.text, "$(warning) 1 alarm");
    await alarms.see();
    assert.deepEqual(chats, ["chat-2", "chat-1"]);
    assert.equal(item.visible, false);
    assert.deepEqual(counts, [1, 2, 1, 0]);
    assert.equal(alarms.count, 0);
  });

  test("the notification leads to the chat, and with that they are seen", async () => {
    fake.presses.push("Show");
    alarms.take("agent/event", told(CHEATED, true));
    await new Promise(setImmediate);
    assert.deepEqual(chats, ["chat-1"]);
    assert.equal(fake.statusItems[0]?.visible, false);
  });

  test("of a closed chat it is told once more, with the way to the history", async () => {
    alarms.take("agent/event", told(CHEATED, true));
    closed = ["chat-1"];
    fake.presses.push("Show History");
    await alarms.see();
    assert.deepEqual(
      fake.messages.map(({ text }) => text),
      [CHEATED, CHEATED],
    );
    assert.deepEqual(
      fake.executed.map(({ command }) => command),
      ["assent.showHistory"],
    );
    assert.deepEqual(chats, []);
  });

  test("another notice is no alarm", () => {
    alarms.take("agent/event", told("Eliza ended by itself.", false));
    assert.deepEqual(fake.messages, []);
    assert.equal(fake.statusItems[0]?.visible, false);
  });

  test("those that nobody has seen are there after a reload, and are not told again", () => {
    alarms.take("agent/event", told(CHEATED, true));
    assert.equal(begin().count, 1);
    assert.equal(fake.statusItems[1]?.visible, true);
    assert.equal(fake.statusItems[1].text, "$(warning) 1 alarm");
    assert.equal(fake.messages.length, 1);
  });

  test("where there is none, that is said", async () => {
    await alarms.see();
    assert.deepEqual(
      fake.messages.map(({ text }) => text),
      ["There is no alarm that you have not seen."],
    );
    assert.deepEqual(chats, []);
  });
});
