import assert from "node:assert/strict";
import { test } from "node:test";
import type { Delivered, Subscribed } from "../../../src/shared/protocol";
import { cardCame, cardsMissing, EMPTY, heard, subscribed, type Replica } from "../../../src/shared/replica";
import { chatOf, EPOCH, eventOf, requestOf, settledOf, snapshotOf } from "../shapes";

const WHOLE: Subscribed = {
  epoch: EPOCH,
  seq: 3,
  snapshot: snapshotOf({ chats: [chatOf("chat-1")], tickets: [requestOf("t1")] }),
  events: [],
};
const LIVE = subscribed({ ...EMPTY, phase: "asking" }, WHOLE, 0);

function said(seq: number, append: string, epoch = EPOCH): Delivered {
  const event = { kind: "said", who: "agent", references: [], messageId: "m", append } as const;
  return { kind: "event", message: eventOf(seq, "chat-1", event, epoch) };
}

function text(replica: Replica): string {
  const item = replica.chats[0]?.items.at(-1);
  return item !== undefined && "messageId" in item ? item.text : "";
}

test("a snapshot replaces everything", () => {
  const before = heard(LIVE, said(4, "old"), 0);
  const again = subscribed({ ...before, phase: "asking" }, { ...WHOLE, epoch: "run-2", seq: 9 }, 0);
  assert.deepEqual([again.epoch, again.seq, text(again)], ["run-2", 9, ""]);
});

test("a message that was heard before changes nothing", () => {
  const once = heard(LIVE, said(4, "a"), 0);
  assert.equal(heard(once, said(4, "a"), 0), once);
  assert.equal(heard(once, said(2, "a"), 0), once);
});

test("a message after a gap is not taken, and the replica is lost", () => {
  const lost = heard(LIVE, said(5, "a"), 0);
  assert.deepEqual([lost.phase, lost.seq, text(lost)], ["lost", 3, ""]);
});

test("a message of another run of the server is not taken", () => {
  const lost = heard(LIVE, said(4, "a", "run-0"), 0);
  assert.deepEqual([lost.phase, lost.seq, text(lost)], ["lost", 3, ""]);
});

test("what comes while a subscription is on its way is taken once, in order", () => {
  const asking = { ...LIVE, phase: "asking" as const };
  const news = [said(4, "a"), said(5, "b"), said(6, "c")];
  const held = news.reduce<Replica>((now, each) => heard(now, each, 0), asking);
  assert.equal(held.seq, 3);
  const answer = { epoch: EPOCH, seq: 5, snapshot: null, events: [said(4, "a"), said(5, "b")] };
  const live = subscribed(held, answer, 0);
  assert.deepEqual([live.phase, live.seq, text(live), live.held], ["live", 6, "abc", []]);
});

test("an answer that does not reach as far as it says makes the replica ask for everything", () => {
  const answer = { epoch: EPOCH, seq: 7, snapshot: null, events: [said(4, "a")] };
  const lost = subscribed({ ...LIVE, phase: "asking" }, answer, 0);
  assert.deepEqual([lost.phase, lost.epoch], ["lost", null]);
});

test("a ticket leaves only when it is settled, and changes in its place", () => {
  const two = heard(LIVE, { kind: "request", message: requestOf("t2", { seq: 4 }) }, 0);
  const changed = requestOf("t1", { seq: 5, revision: 1 });
  const three = heard(two, { kind: "request", message: changed }, 0);
  const ids = (replica: Replica): readonly string[] => replica.tickets.map(({ request }) => `${request.approvalId} ${request.revision}`);
  assert.deepEqual(ids(three), ["t1 1", "t2 0"]);
  const left = heard(three, { kind: "settled", message: settledOf("t1", 6) }, 0);
  assert.deepEqual(ids(left), ["t2 0"]);
});

test("a card for which the snapshot had no room comes to its place among the tickets", () => {
  const whole = { epoch: EPOCH, seq: 3, events: [] };
  const snapshot = snapshotOf({ tickets: [requestOf("t1")], more: ["t2", "t3"] });
  const two = subscribed({ ...EMPTY, phase: "asking" }, { ...whole, snapshot }, 0);
  const four = heard(two, { kind: "request", message: requestOf("t4", { seq: 4 }) }, 0);
  const ids = (replica: Replica): readonly string[] => replica.tickets.map(({ request }) => request.approvalId);
  assert.equal(cardsMissing(four)[0], "t2");
  const came = cardCame(four, "t3", { request: requestOf("t3") }, 0);
  assert.deepEqual(ids(came), ["t1", "t3", "t4"]);
  const gone = cardCame(came, "t2", { request: null }, 0);
  assert.deepEqual([cardsMissing(gone), ids(gone)], [[], ["t1", "t3", "t4"]]);
  const settled = heard(four, { kind: "settled", message: settledOf("t2", 5) }, 0);
  assert.deepEqual(cardCame(settled, "t2", { request: requestOf("t2") }, 0), settled);
});

test("a chat is named after its first prompt, as the server names it", () => {
  const prompt = `  ${"word \n".repeat(30)}`;
  const event = { kind: "said", who: "user", references: [], messageId: "m", append: prompt } as const;
  const named = heard(LIVE, { kind: "event", message: eventOf(4, "chat-1", event) }, 0);
  assert.equal(named.chats[0]?.title, "word ".repeat(12));
});

test("a message that was interrupted by a call goes on below it", () => {
  const call = {
    kind: "call",
    callId: "c",
    approvalId: null,
    call: null,
    title: [],
    members: [],
    level: "low",
    looks: null,
    state: "running",
    by: null,
    because: "",
    success: null,
    path: "",
    exitCode: null,
    took: null,
    output: "",
    errors: [],
    recordId: null,
    at: 0,
    part: "",
    flow: null,
    sound: "",
    may: [],
  } as const;
  const steps: readonly Delivered[] = [
    said(4, "a"),
    { kind: "event", message: eventOf(5, "chat-1", { kind: "call", entry: 1, call }) },
    said(6, "b"),
    { kind: "event", message: eventOf(7, "chat-1", { kind: "output", callId: "c", append: "x", errors: [] }) },
    { kind: "event", message: eventOf(8, "chat-1", { kind: "call", entry: 1, call: { ...call, state: "failed" } }) },
  ];
  const items = steps.reduce((now, m) => heard(now, m, 0), LIVE).chats[0]?.items ?? [];
  assert.deepEqual(
    items.map(({ kind }) => kind),
    ["agent", "call", "agent"],
  );
});
