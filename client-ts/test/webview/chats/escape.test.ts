/** What Escape does where one writes. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Snapshot } from "../../../src/shared/protocol";
import { step } from "../../../src/webview/page/fold";
import { START, type State } from "../../../src/webview/state/model";
import type { Input } from "../../../src/webview/state/moments";
import { chatOf, EPOCH, requestOf, settledOf, snapshotOf } from "../shapes";

function at(time: number, state: State, ...inputs: readonly Input[]): State {
  return inputs.reduce((now, input) => step({ ...now, errands: [] }, { ...input, at: time }), state);
}

function live(more: Partial<Snapshot> = {}, running = true): State {
  const chats = ["chat-1", "chat-2"].map((id) => chatOf(id, { agentId: "eliza", agentName: "Eliza", running }));
  const result = { epoch: EPOCH, seq: 1, snapshot: snapshotOf({ chats, ...more }), events: [] };
  return at(
    0,
    START,
    { kind: "opened", viewId: "v", draft: "", chatId: "chat-1" },
    { kind: "fromHost", message: { kind: "server", state: "ready", text: "" } },
    { kind: "fromHost", message: { kind: "answer", id: 1, result } },
  );
}

function stops(state: State, time = 10_000): boolean {
  return at(time, state, { kind: "escape" }).errands.some(
    (errand) => errand.kind === "post" && errand.message.kind === "request" && errand.message.method === "agent/stop",
  );
}

describe("Escape", () => {
  test("stops the turn, whatever is being written, and leaves it there", () => {
    const writing = at(0, live(), { kind: "typed", text: "And then" });
    assert.ok(stops(writing));
    assert.equal(at(10_000, writing, { kind: "escape" }).draft, "And then");
  });

  test("stops nothing where nothing runs, or a list of commands is open", () => {
    assert.ok(!stops(live({}, false)));
    assert.ok(!stops(at(0, live(), { kind: "typed", text: "/cl" })));
  });

  test("stops nothing while something is asked, also in another chat or before its card is there", () => {
    assert.ok(!stops(live({ tickets: [requestOf("a", { chatId: "chat-2" })] })));
    assert.ok(!stops(live({ more: ["b"] })));
  });

  test("stops nothing in the moment after a card went, for which it may have been meant", () => {
    const asked = live({ tickets: [requestOf("a")] });
    const settled = at(10_000, asked, {
      kind: "fromHost",
      message: { kind: "message", method: "tool/approvalSettled", params: settledOf("a", 2, EPOCH) },
    });
    assert.ok(!stops(settled, 10_999));
    assert.ok(stops(settled, 11_000));
  });
});
