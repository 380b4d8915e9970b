import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_RETRY_DELAY_MS, FIRST_RETRY_DELAY_MS, toldOf } from "../../../src/shared/catch-up";
import { nextTick } from "../../../src/webview/page/loop";
import { START, type State } from "../../../src/webview/state/model";
import type { Input } from "../../../src/webview/state/moments";
import { step } from "../../../src/webview/page/fold";
import { chatOf, EPOCH, eventOf, requestOf, snapshotOf } from "../shapes";

/** What is asked of the server by a moment, and the state after it. */
function took(state: State, input: Input, at: number): { state: State; asked: Record<string, number> } {
  const after = step({ ...state, errands: [] }, { ...input, at });
  const asked: Record<string, number> = {};
  for (const errand of after.errands) {
    if (errand.kind !== "post" || errand.message.kind !== "request") continue;
    const { id, method, params } = errand.message;
    const of = (params as { approvalId?: string }).approvalId;
    asked[of === undefined ? method : `${method} ${of}`] = id;
  }
  return { state: after, asked };
}

function answer(id: number | undefined, result: unknown): Input {
  assert.ok(id !== undefined, "nothing was asked");
  const error = "The server broke.";
  return { kind: "fromHost", message: result === null ? { kind: "answer", id, error } : { kind: "answer", id, result } };
}

const ready: Input = { kind: "fromHost", message: { kind: "server", state: "ready", text: "" } };

test("a card that cannot be fetched is told, asked for again ever later, and holds up nothing else", () => {
  const tickets = [requestOf("t1")];
  const snapshot = snapshotOf({ chats: [chatOf("chat-1")], tickets, more: ["t2", "t3"] });
  const first = took(START, ready, 0);
  const id = first.asked["agent/subscribe"];
  let now = took(first.state, answer(id, { epoch: EPOCH, seq: 1, snapshot, events: [] }), 0);
  assert.deepEqual(Object.keys(now.asked), ["tool/card t2"]);
  now = took(now.state, answer(now.asked["tool/card t2"], null), 0);
  assert.deepEqual(Object.keys(now.asked), ["tool/card t3"]);
  now = took(now.state, answer(now.asked["tool/card t3"], { request: requestOf("t3") }), 0);
  assert.deepEqual(now.asked, {});
  assert.equal(now.state.replica.phase, "live");
  assert.match(toldOf(now.state.failures), /^1 card that waits could not be fetched\. The server is asked again/u);
  let at = 0;
  for (const wait of [
    FIRST_RETRY_DELAY_MS,
    FIRST_RETRY_DELAY_MS * 2,
    FIRST_RETRY_DELAY_MS * 4,
    FIRST_RETRY_DELAY_MS * 8,
    FIRST_RETRY_DELAY_MS * 16,
    MAX_RETRY_DELAY_MS,
    MAX_RETRY_DELAY_MS,
  ]) {
    assert.equal(nextTick({ ...now.state, open: null }, at), wait);
    at += wait;
    const due = took(now.state, { kind: "tick" }, at);
    assert.deepEqual(Object.keys(due.asked), ["tool/card t2"]);
    assert.notEqual(nextTick({ ...due.state, open: null }, at), 0, "it would tick without end");
    now = took(due.state, answer(due.asked["tool/card t2"], null), at);
  }
  const said = { kind: "message", method: "agent/event", params: eventOf(2, "chat-1", { kind: "turnBegan" }) } as const;
  now = took(now.state, { kind: "fromHost", message: said }, at);
  assert.equal(now.state.replica.chats[0]?.running, true, "what happens meanwhile is shown");
  const due = took(now.state, { kind: "tick" }, at + MAX_RETRY_DELAY_MS);
  now = took(due.state, answer(due.asked["tool/card t2"], { request: requestOf("t2") }), at + MAX_RETRY_DELAY_MS);
  assert.deepEqual(
    now.state.replica.tickets.map(({ request }) => request.approvalId),
    ["t1", "t2", "t3"],
  );
  assert.equal(toldOf(now.state.failures), "");
});

test("a subscription that failed is told and asked again, and not once more before its time", () => {
  const first = took(START, ready, 0);
  let now = took(first.state, answer(first.asked["agent/subscribe"], null), 0);
  assert.deepEqual(now.asked, {});
  assert.match(now.state.live, /asked again by itself/u);
  now = took(now.state, { kind: "tick" }, FIRST_RETRY_DELAY_MS - 1);
  assert.deepEqual(now.asked, {});
  now = took(now.state, { kind: "tick" }, FIRST_RETRY_DELAY_MS);
  assert.deepEqual(Object.keys(now.asked), ["agent/subscribe"]);
});
