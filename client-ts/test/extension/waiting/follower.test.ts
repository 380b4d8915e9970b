import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { MAX_RETRY_DELAY_MS, FIRST_RETRY_DELAY_MS } from "../../../src/shared/catch-up";
import { statusOf } from "../../../src/extension/waiting/status-item";
import { Follower } from "../../../src/extension/waiting/follower";
import { NOTHING_KNOWN, type Waiting } from "../../../src/extension/waiting/waiting";
import type { ApprovalRequest, Delivered, MethodName, Subscribe, Subscribed } from "../../../src/shared/protocol";
import { asked, EPOCH, settle, snapshot, ticket } from "../made";

const NAMES = {
  request: "tool/approvalRequest",
  settled: "tool/approvalSettled",
  event: "agent/event",
} as const satisfies Record<Delivered["kind"], MethodName>;

function ids(waiting: Waiting): readonly string[] {
  return waiting.tickets.map(({ approvalId }) => approvalId);
}

describe("following the server", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout", "Date"] }));
  afterEach(() => mock.timers.reset());

  function follow() {
    const questions: { params: Subscribe; answer: (answer: Subscribed) => void; fail: () => void }[] = [];
    const cards: string[] = [];
    const open = new Map<string, ApprovalRequest>();
    const broken = new Set<string>();
    const follower = new Follower(
      (params) =>
        new Promise((resolve, reject) => {
          questions.push({ params, answer: resolve, fail: () => reject(new Error("no")) });
        }),
      ({ approvalId }) => {
        cards.push(approvalId);
        if (broken.has(approvalId)) return Promise.reject(new Error("no"));
        return Promise.resolve({ request: open.get(approvalId) ?? null });
      },
      () => undefined,
    );
    const take = (delivered: Delivered): void => follower.take(NAMES[delivered.kind], delivered.message);
    return { follower, questions, take, cards, open, broken };
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
    mock.timers.tick(FIRST_RETRY_DELAY_MS);
    assert.equal(questions.length, 2);
    questions[1]?.answer(snapshot(1, { tickets: [ticket("a")] }));
    await settle();
    assert.deepEqual(ids(follower.waiting), ["a", "b"]);
  });

  test("a card that cannot be fetched is told, asked for again by itself, and holds up no other", async () => {
    const { follower, questions, cards, open, broken } = follow();
    follower.begin();
    for (const id of ["b", "c"]) open.set(id, ticket(id));
    broken.add("b");
    questions[0]?.answer(snapshot(5, { tickets: [ticket("a")], more: ["b", "c"] }));
    await settle();
    assert.deepEqual(ids(follower.waiting), ["a", "c"]);
    assert.deepEqual(statusOf(follower.waiting, "ready", ""), {
      text: "$(shield) 2 waiting, maybe more",
      words:
        "2 cards wait for your answer. 1 card that waits could not be fetched. " + "The server is asked again by itself. Click to review.",
      background: "error",
      command: "assent.reviewNext",
    });
    const waits = [FIRST_RETRY_DELAY_MS, FIRST_RETRY_DELAY_MS * 2, FIRST_RETRY_DELAY_MS * 4];
    for (const wait of waits) {
      const before = cards.length;
      mock.timers.tick(wait - 1);
      await settle();
      assert.equal(cards.length, before, `asked before ${wait} ms were over`);
      mock.timers.tick(1);
      await settle();
      assert.equal(cards.length, before + 1, `not asked after ${wait} ms`);
    }
    broken.clear();
    mock.timers.tick(MAX_RETRY_DELAY_MS);
    await settle();
    assert.deepEqual(ids(follower.waiting), ["a", "b", "c"]);
    assert.equal(follower.waiting.trouble, "");
  });

  test("a server that is gone is not asked again", async () => {
    const { follower, questions } = follow();
    follower.begin();
    questions[0]?.fail();
    await settle();
    follower.end();
    mock.timers.tick(FIRST_RETRY_DELAY_MS);
    assert.equal(questions.length, 1);
  });
});
