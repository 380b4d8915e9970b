/** The messages that both sides agree on, as this side reads and writes them. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ApprovalResponse, Delivered, Messages, Receipt, Subscribed } from "../../../src/shared/protocol";
import { START, type State } from "../../../src/webview/state/model";
import type { Input } from "../../../src/webview/state/moments";
import { EMPTY, heard, subscribed } from "../../../src/shared/replica";
import { step } from "../../../src/webview/page/fold";
import { beheld, chatOf, EPOCH, requestOf, snapshotOf } from "../shapes";
import { received } from "../../../src/webview/cards/receipts";

declare const __CLIENT__: string;

interface Example {
  readonly name: string;
  readonly params: { readonly [key: string]: unknown };
  readonly result?: unknown;
}

function examples(method: keyof Messages): readonly Example[] {
  const file = join(__CLIENT__, "..", "tests", "editor", "golden", `${method.replace("/", "_")}.json`);
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly examples: readonly Example[] }).examples;
}

const LIVE = subscribed(
  { ...EMPTY, phase: "asking" },
  { epoch: EPOCH, seq: 1, snapshot: snapshotOf({ chats: [chatOf("chat-1")] }), events: [] },
  0,
);
const NEWS = {
  "agent/event": "event",
  "tool/approvalRequest": "request",
  "tool/approvalSettled": "settled",
} as const;

for (const method of ["agent/event", "tool/approvalRequest", "tool/approvalSettled"] as const) {
  for (const { name, params } of examples(method)) {
    test(`${method} is taken: ${name}`, () => {
      const message = { ...params, epoch: EPOCH, seq: 2 };
      const after = heard(LIVE, { kind: NEWS[method], message } as Delivered, 0);
      assert.deepEqual([after.phase, after.seq], ["live", 2]);
    });
  }
}

for (const { name, params, result } of examples("agent/subscribe")) {
  test(`an answer to agent/subscribe is taken: ${name}`, () => {
    const answer = result as Subscribed;
    const have = params["have"] as { readonly epoch: string; readonly seq: number } | null | undefined;
    const before = !have ? EMPTY : { ...EMPTY, epoch: have.epoch, seq: have.seq };
    const after = subscribed({ ...before, phase: "asking" }, answer, 0);
    assert.deepEqual([after.phase, after.epoch, after.seq], ["live", answer.epoch, answer.seq]);
    assert.equal(after.tickets.length, answer.snapshot?.tickets.length ?? after.tickets.length);
  });
}

/** A state with one card that can be answered. */
function ready(): State {
  const request = requestOf("t1");
  const answer = { epoch: EPOCH, seq: 1, snapshot: snapshotOf({ tickets: [request] }), events: [] };
  const inputs: readonly Input[] = [
    { kind: "opened", viewId: "v", draft: "", chatId: null },
    { kind: "fromHost", message: { kind: "server", state: "ready", text: "" } },
    { kind: "fromHost", message: { kind: "answer", id: 1, result: answer } },
  ];
  return beheld(inputs.reduce((state, input) => step(state, { ...input, at: 0 }), START));
}

for (const { name, result } of examples("tool/approvalResponse")) {
  test(`a receipt is told and never takes the card away: ${name}`, () => {
    const receipt = result as Receipt;
    const told = receipt.kind === "stale" ? { ...receipt, current: requestOf("t1", { revision: 1 }) } : receipt;
    const after = received(ready(), "t1", told);
    assert.deepEqual(
      after.replica.tickets.map(({ request }) => request.approvalId),
      ["t1"],
    );
    assert.notEqual(after.live, "");
  });
}

test("answers have the members that the golden ones have, and no others", () => {
  const known = new Set(examples("tool/approvalResponse").flatMap(({ params }) => Object.keys(params)));
  const press = { trusted: true, detail: 1, repeat: false, downAt: 900 };
  const words: Input = { kind: "words", words: "no" };
  const pressed: Input = { kind: "press", optionId: "tell", press: { ...press, downAt: 2_000 } };
  const state = [words, pressed].reduce((now, input, index) => {
    return step(now, { ...input, at: 900 + index * 1_100 });
  }, ready());
  const last = state.errands.at(-1);
  assert.ok(last?.kind === "post" && last.message.kind === "request");
  const params = last.message.params as ApprovalResponse;
  assert.deepEqual(
    Object.keys(params).filter((key) => !known.has(key)),
    [],
  );
  assert.deepEqual([params.feedback, params.optionId], ["no", "tell"]);
});
