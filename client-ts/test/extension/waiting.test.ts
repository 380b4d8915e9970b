import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { badgeOf, statusOf } from "../../src/extension/badge";
import { Follower, RETRY_MS } from "../../src/extension/follow";
import { bypassed, NOTHING_KNOWN, waitingOf, type Waiting } from "../../src/extension/waiting";
import type { AgentInfo, ApprovalRequest, Delivered, MethodName, Subscribe, Subscribed } from "../../src/protocol";
import { EMPTY, heard, subscribed, type Replica } from "../../src/replica";
import { asked, EPOCH, happened, settle, settled, snapshot, ticket } from "./made";

const NAMES = {
  request: "tool/approvalRequest",
  settled: "tool/approvalSettled",
  event: "agent/event",
} as const satisfies Record<Delivered["kind"], MethodName>;

function agent(name: string, isBypassed: boolean): AgentInfo {
  return { id: name.toLowerCase(), name, state: "ready", because: "", bypassed: isBypassed, models: [] };
}

function replica(...delivered: readonly Delivered[]): Replica {
  const live = subscribed(EMPTY, snapshot(0), 0);
  return delivered.reduce((now, each) => heard(now, each, 0), live);
}

function known(...delivered: readonly Delivered[]): Waiting {
  return waitingOf(replica(...delivered));
}

function ids(waiting: Waiting): readonly string[] {
  return waiting.tickets.map(({ approvalId }) => approvalId);
}

describe("what is known", () => {
  test("counts what was asked and not yet settled, in its order", () => {
    const waiting = known(asked(1, "a"), asked(2, "b"), asked(3, "c"), settled(4, "b"));
    assert.deepEqual(ids(waiting), ["a", "c"]);
    assert.deepEqual(badgeOf(waiting), { value: 2, tooltip: "2 cards wait for your answer." });
  });

  test("a revised card takes the place of the older one", () => {
    const waiting = known(asked(1, "a"), asked(2, "b"), asked(3, "a", { revision: 2 }));
    assert.deepEqual(ids(waiting), ["a", "b"]);
    assert.equal(waiting.tickets[0]?.revision, 2);
  });

  test("settling what is unknown changes nothing that waits", () => {
    assert.deepEqual(ids(known(asked(1, "a"), settled(2, "z"))), ["a"]);
  });

  test("nothing waits, so there is no badge and no item in the status bar", () => {
    assert.equal(badgeOf(known()), undefined);
    assert.equal(statusOf(known(), "ready", ""), null);
  });

  test("a chat's mode and its turns are followed", () => {
    const chat = {
      chatId: "chat",
      agentId: "eliza",
      agentName: "Eliza",
      title: "T",
      mode: "default",
      running: false,
      gate: "verified",
      model: "",
      plan: [],
      shells: [],
      usage: null,
    first: 0,
      items: [],
    } as const;
    const opened = [
      happened(1, { kind: "chatOpened", chat }),
      happened(2, { kind: "turnBegan" }),
      happened(3, { kind: "mode", mode: "plan" }),
    ];
    assert.deepEqual(known(...opened).chats, [
      { chatId: "chat", agentName: "Eliza", title: "T", mode: "plan", running: true },
    ]);
    const ended = [...opened, happened(4, { kind: "turnEnded", reason: "done", because: "" })];
    assert.equal(known(...ended).chats[0]?.running, false);
    assert.deepEqual(known(...ended, happened(5, { kind: "chatClosed" })).chats, []);
  });

  test("what changes nothing that is shown is the same value as before", () => {
    const before = replica(asked(1, "a"));
    const waiting = waitingOf(before);
    const said = happened(2, { kind: "said", who: "agent", messageId: "m", append: "hello" });
    assert.equal(waitingOf(heard(before, said, 0), waiting), waiting);
    const more = waitingOf(heard(before, asked(2, "b"), 0), waiting);
    assert.deepEqual(ids(more), ["a", "b"]);
    assert.equal(more.chats, waiting.chats);
  });
});

describe("the item in the status bar", () => {
  const agents = happened(1, { kind: "agents", agents: [agent("Eliza", true), agent("Codex", false)] }, null);

  test("is red while a bypass is on, whatever waits, and a click ends it", () => {
    const waiting = known(agents, asked(2, "a"));
    assert.deepEqual(
      bypassed(waiting).map(({ name }) => name),
      ["Eliza"],
    );
    assert.deepEqual(statusOf(waiting, "ready", ""), {
      text: "$(shield) Bypass: Eliza · 1 waiting",
      words: "Assent does not ask for Eliza. Click to ask again.",
      background: "error",
      command: "assent.askAgain",
    });
  });

  test("shows how many wait", () => {
    assert.equal(statusOf(known(asked(1, "a"), asked(2, "b"), asked(3, "c")), "ready", "")?.text, "$(shield) 3 waiting");
  });

  test("an agent's name cannot become an icon", () => {
    const sly = known(happened(1, { kind: "agents", agents: [agent("$(check) Safe", true)] }, null));
    assert.doesNotMatch(statusOf(sly, "ready", "")?.text.slice("$(shield)".length) ?? "$(", /\$\(/u);
  });

  test("says when there is no server", () => {
    assert.equal(statusOf(known(), "dead", "It stopped.")?.command, "assent.restartServer");
  });
});

describe("following the server", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  function follow() {
    const questions: { params: Subscribe; answer: (answer: Subscribed) => void; fail: () => void }[] = [];
    const cards: string[] = [];
    const open = new Map<string, ApprovalRequest>();
    const follower = new Follower(
      (params) =>
        new Promise((resolve, reject) => {
          questions.push({ params, answer: resolve, fail: () => reject(new Error("no")) });
        }),
      ({ approvalId }) => {
        cards.push(approvalId);
        return Promise.resolve({ request: open.get(approvalId) ?? null });
      },
      () => undefined,
    );
    const take = (delivered: Delivered): void =>
      follower.take(NAMES[delivered.kind], delivered.message);
    return { follower, questions, take, cards, open };
  }

  test("asks for everything at once, without any view", async () => {
    const { follower, questions } = follow();
    follower.begin();
    assert.deepEqual(questions[0]?.params, { viewId: "editor", have: null });
    questions[0].answer(snapshot(5, { tickets: [ticket("a"), ticket("b")] }));
    await settle();
    assert.deepEqual(ids(follower.waiting), ["a", "b"]);
  });

  test("what arrives before the answer is neither lost nor counted twice", async () => {
    const { follower, questions, take } = follow();
    follower.begin();
    take(asked(5, "b"));
    take(asked(6, "c"));
    questions[0]?.answer(snapshot(5, { tickets: [ticket("a"), ticket("b")] }));
    await settle();
    assert.deepEqual(ids(follower.waiting), ["a", "b", "c"]);
  });

  test("cards for which there was no room are asked for one by one, and none is lost", async () => {
    const { follower, questions, cards, open } = follow();
    follower.begin();
    open.set("b", ticket("b"));
    open.set("d", ticket("d"));
    questions[0]?.answer(snapshot(5, { tickets: [ticket("a")], more: ["b", "c", "d"] }));
    await settle();
    assert.deepEqual(cards, ["b", "c", "d"]);
    assert.deepEqual(ids(follower.waiting), ["a", "b", "d"]);
  });

  test("a gap is asked for once, with how far was read", async () => {
    const { follower, questions, take } = follow();
    follower.begin();
    questions[0]?.answer(snapshot(1));
    await settle();
    take(asked(4, "c"));
    take(asked(5, "d"));
    assert.equal(questions.length, 2);
    assert.deepEqual(questions[1]?.params.have, { epoch: EPOCH, seq: 1 });
    questions[1].answer({
      epoch: EPOCH,
      seq: 4,
      snapshot: null,
      events: [asked(2, "a"), asked(3, "b"), asked(4, "c")],
    });
    await settle();
    assert.deepEqual(ids(follower.waiting), ["a", "b", "c", "d"]);
  });

  test("a new server's first message makes it ask anew, and nothing of the old one stays", async () => {
    const { follower, questions, take } = follow();
    follower.begin();
    questions[0]?.answer(snapshot(1, { tickets: [ticket("a")] }));
    await settle();
    take(asked(1, "z", { epoch: "two" }));
    questions[1]?.answer(snapshot(1, { tickets: [ticket("z", { epoch: "two" })] }, "two"));
    await settle();
    assert.deepEqual(ids(follower.waiting), ["z"]);
  });

  test("when the server dies, nothing waits, and its late answer is not believed", async () => {
    const { follower, questions } = follow();
    follower.begin();
    follower.end();
    questions[0]?.answer(snapshot(1, { tickets: [ticket("a")] }));
    await settle();
    assert.deepEqual(follower.waiting, NOTHING_KNOWN);
  });

  test("a message after a gap is not lost if it came while something else was asked for", async () => {
    const { follower, questions, take } = follow();
    follower.begin();
    take(asked(4, "d"));
    questions[0]?.answer(snapshot(2, { tickets: [ticket("a"), ticket("b")] }));
    await settle();
    assert.deepEqual(questions[1]?.params.have, { epoch: EPOCH, seq: 2 });
    const events = [asked(3, "c"), asked(4, "d")];
    questions[1].answer({ epoch: EPOCH, seq: 4, snapshot: null, events });
    await settle();
    assert.deepEqual(ids(follower.waiting), ["a", "b", "c", "d"]);
  });

  test("a first question that failed is asked again after a while, and nothing is lost meanwhile", async () => {
    const { follower, questions, take } = follow();
    follower.begin();
    questions[0]?.fail();
    await settle();
    take(asked(2, "b"));
    assert.equal(questions.length, 1);
    mock.timers.tick(RETRY_MS);
    assert.equal(questions.length, 2);
    questions[1]?.answer(snapshot(1, { tickets: [ticket("a")] }));
    await settle();
    assert.deepEqual(ids(follower.waiting), ["a", "b"]);
  });

  test("a server that is gone is not asked again", async () => {
    const { follower, questions } = follow();
    follower.begin();
    questions[0]?.fail();
    await settle();
    follower.end();
    mock.timers.tick(RETRY_MS);
    assert.equal(questions.length, 1);
  });
});
