import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { STILL_MS } from "../../../src/shared/card";
import type { Messages } from "../../../src/shared/protocol";
import { START, type State } from "../../../src/webview/state/model";
import type { Input } from "../../../src/webview/state/moments";
import { step } from "../../../src/webview/page/fold";
import { beheld, cardOf, chatOf, EPOCH, optionOf, requestOf, snapshotOf } from "../shapes";

const SOME = optionOf("some", "allowSome", "Apply some of it…", { choices: ["a.txt", "new/b", ".git/"] });
const NOW = 10_000;

type Answer = Messages["tool/approvalResponse"]["params"];

function after(state: State, at: number, ...inputs: readonly Input[]): State {
  return inputs.reduce((now, input) => step(beheld({ ...now, errands: [] }), { ...input, at }), state);
}

function pressed(state: State, at: number): State {
  return after(state, at, { kind: "press", optionId: "some", press: { trusted: true, detail: 1, repeat: false, downAt: at } });
}

function tick(state: State, at: number, choice: string, ticked: boolean): State {
  return after(state, at, { kind: "choose", choice, ticked });
}

function opened(): State {
  const tickets = [requestOf("t1", { card: cardOf({ options: [...cardOf().options, SOME] }) })];
  const snapshot = snapshotOf({ chats: [chatOf("chat-1")], tickets });
  const begun = after(
    START,
    0,
    { kind: "opened", viewId: "v", draft: "", chatId: null },
    { kind: "fromHost", message: { kind: "server", state: "ready", text: "" } },
    { kind: "fromHost", message: { kind: "answer", id: 1, result: { epoch: EPOCH, seq: 1, snapshot, events: [] } } },
  );
  return pressed(begun, NOW);
}

function answerIn(state: State): Answer | undefined {
  const [sent] = state.errands.flatMap((errand) =>
    errand.kind === "post" && errand.message.kind === "request" && errand.message.method === "tool/approvalResponse"
      ? [errand.message]
      : [],
  );
  return sent?.params as Answer | undefined;
}

describe("the choice of what of a call is done", () => {
  test("opens with all of it ticked, answers nothing, and brings the keyboard there", () => {
    const state = opened();
    assert.equal(answerIn(state), undefined);
    assert.deepEqual([state.open?.choosing?.choices, state.open?.choosing?.off], [SOME.choices, []]);
    assert.ok(state.errands.some((errand) => errand.kind === "focus" && errand.on === "choice"));
  });

  test("sends what is ticked, once the last tick has stood there for a while", () => {
    const fewer = tick(tick(tick(opened(), NOW, "new/b", false), NOW, ".git/", false), NOW, ".git/", true);
    assert.equal(answerIn(pressed(fewer, NOW + STILL_MS - 1)), undefined);
    const answer = answerIn(pressed(fewer, NOW + STILL_MS));
    assert.deepEqual([answer?.optionId, answer?.chosen], ["some", ["a.txt", ".git/"]]);
  });

  test("sends nothing where nothing is ticked, and says so", () => {
    const none = SOME.choices.reduce((state, choice) => tick(state, NOW, choice, false), opened());
    const state = pressed(none, NOW + STILL_MS);
    assert.equal(answerIn(state), undefined);
    assert.equal(state.live, "Tick at least one.");
  });

  test("is left without an answer, and another answer says nothing of it", () => {
    const back = after(tick(opened(), NOW, "a.txt", false), NOW, { kind: "list", list: null, byKey: false });
    assert.equal(back.open?.choosing, null);
    const at = NOW + STILL_MS;
    const once = after(back, at, { kind: "press", optionId: "once", press: { trusted: true, detail: 1, repeat: false, downAt: at } });
    assert.equal(answerIn(once)?.optionId, "once");
    assert.equal(answerIn(once)?.chosen, undefined);
  });

  test("lets no key that allows answer for all of it", () => {
    const fewer = { ...tick(opened(), NOW, "new/b", false), where: "card" as const };
    const at = NOW + 5_000;
    const state = after(fewer, at, { kind: "fromHost", message: { kind: "command", command: "allowOnce" } });
    assert.equal(answerIn(state), undefined);
    assert.match(state.note ?? "", /^Nothing was answered/u);
    const denied = after(fewer, at, { kind: "fromHost", message: { kind: "command", command: "deny" } });
    assert.equal(answerIn(denied)?.optionId, "deny");
  });

  test("is gone once the card is another one", () => {
    const other = requestOf("t1", { revision: 2, card: cardOf({ options: [...cardOf().options, SOME] }) });
    const state = after(opened(), NOW, {
      kind: "fromHost",
      message: { kind: "message", method: "tool/approvalRequest", params: { ...other, seq: 2 } },
    });
    assert.equal(state.open?.choosing, null);
  });
});
