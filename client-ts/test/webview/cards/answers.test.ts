import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { STILL_MS } from "../../../src/shared/card";
import { counts, isArmed, type Press } from "../../../src/webview/dom/press";
import { announcement, clock, secondsLeft, spoken } from "../../../src/webview/cards/countdown";
import { START, type State, type Sight } from "../../../src/webview/state/model";
import type { Input } from "../../../src/webview/state/moments";
import { step } from "../../../src/webview/page/fold";
import { beheld, cardOf, chatOf, EPOCH, plain, requestOf, snapshotOf } from "../shapes";

const PRESS: Press = { trusted: true, detail: 1, repeat: false, downAt: 1_000 + STILL_MS };

test("a press counts on a card that has stood still", () => {
  assert.equal(counts(PRESS, 1_000), true);
  assert.equal(counts({ ...PRESS, detail: 0 }, 1_000), true);
});

test("a press does not count if nobody made it, if it repeats, or if it came too early", () => {
  assert.equal(counts({ ...PRESS, trusted: false }, 1_000), false);
  assert.equal(counts({ ...PRESS, repeat: true }, 1_000), false);
  assert.equal(counts({ ...PRESS, detail: 2 }, 1_000), false);
  assert.equal(counts({ ...PRESS, downAt: 999 + STILL_MS }, 1_000), false);
  assert.equal(counts({ ...PRESS, downAt: 10 }, 1_000), false);
});

/** A state with one card that came at 0 and is armed since. */
function withCard(card = cardOf()): State {
  const request = requestOf("t1", { card });
  const answer = {
    epoch: EPOCH,
    seq: 1,
    snapshot: snapshotOf({ chats: [chatOf("chat-1")], tickets: [request] }),
    events: [],
  };
  const inputs: readonly Input[] = [
    { kind: "opened", viewId: "v", draft: "", chatId: null },
    { kind: "fromHost", message: { kind: "server", state: "ready", text: "" } },
    { kind: "fromHost", message: { kind: "answer", id: 1, result: answer } },
  ];
  return beheld(inputs.reduce((state, input) => step(state, { ...input, at: 0 }), START));
}

function sent(state: State): number {
  return state.errands.filter(({ kind, ...errand }) => kind === "post" && JSON.stringify(errand).includes("tool/approvalResponse")).length;
}

const MOVES: { readonly [name: string]: Input } = {
  "its list opens": { kind: "list", list: "allow", byKey: false },
  "its line for words opens": { kind: "words", words: "" },
  "its middle is opened": { kind: "openMiddle" },
  "its buttons move": { kind: "moved" },
  "the window regains the focus": { kind: "where", where: "card", regained: true },
  "its text changes": {
    kind: "fromHost",
    message: {
      kind: "message",
      method: "tool/approvalRequest",
      params: requestOf("t1", { seq: 2, card: cardOf({ title: plain("Run something else") }) }),
    },
  },
};

for (const [name, input] of Object.entries(MOVES)) {
  test(`a card must stand still anew when ${name}`, () => {
    const moved = step(withCard(), { ...input, at: 2_000 });
    assert.ok(moved.open !== null);
    assert.equal(moved.open.since, 2_000);
    assert.equal(isArmed(moved.open.since, 2_499), false);
    const press = (downAt: number): State => step(moved, { kind: "press", optionId: "deny", press: { ...PRESS, downAt }, at: downAt });
    assert.equal(sent(press(2_499)), 0);
    assert.equal(sent(press(2_500)), 1);
  });
}

test("a card must stand still anew when another one was shown meanwhile", () => {
  const message = {
    kind: "message",
    method: "tool/approvalRequest",
    params: requestOf("t2", { seq: 2 }),
  } as const;
  const inputs = [
    { kind: "fromHost", message, at: 1_000 },
    { kind: "turn", by: 1, at: 1_100 },
    { kind: "turn", by: -1, at: 2_000 },
  ] as const;
  const state = inputs.reduce<State>(step, withCard());
  assert.deepEqual([state.open?.approvalId, state.open?.since], ["t1", 2_000]);
});

test("time alone, or a card behind it, does not unsettle a card", () => {
  const later = requestOf("t2", { seq: 2 });
  const message = { kind: "message", method: "tool/approvalRequest", params: later } as const;
  const state = [{ kind: "tick" } as const, { kind: "fromHost", message } as const].reduce<State>(
    (now, input) => step(now, { ...input, at: 2_000 }),
    withCard(),
  );
  assert.equal(state.open?.approvalId, "t1");
  assert.equal(state.open.since, 0);
});

test("an answer carries the revision and the digest of the card that was shown", () => {
  const press = { ...PRESS, downAt: 900 };
  const state = step(withCard(), { kind: "press", optionId: "once", press, at: 950 });
  const last = state.errands.at(-1);
  assert.ok(last?.kind === "post" && last.message.kind === "request");
  assert.deepEqual(last.message.params, {
    approvalId: "t1",
    chatId: "chat-1",
    revision: 0,
    digest: requestOf("t1").digest,
    optionId: "once",
    shownMs: 950,
  });
});

test("a countdown needs no common clock", () => {
  const request = requestOf("t1", { now: 5_000_000, expiresAt: 5_065_000 });
  const ticket = { request, ahead: 5_000_000 - 400 };
  assert.equal(secondsLeft(ticket, 400), 65);
  assert.equal(secondsLeft(ticket, 1_399), 65);
  assert.equal(secondsLeft(ticket, 1_400), 64);
  assert.equal(secondsLeft(ticket, 99_000), 0);
  assert.deepEqual([clock(65), clock(5), spoken(65), spoken(60)], ["1:05", "0:05", "1 minute 5 seconds", "1 minute"]);
});

test("a countdown is told at 60 and 15 seconds and at no other time", () => {
  const ticket = { request: requestOf("t1", { now: 0, expiresAt: 70_000 }), ahead: 0 };
  const told: number[] = [];
  for (let at = 1; at <= 72; at += 1) {
    if (announcement(ticket, (at - 1) * 1_000, at * 1_000) !== null) told.push(70 - at);
  }
  assert.deepEqual(told, [60, 15]);
});

test("a second press while an answer is on its way sends nothing", () => {
  const press = (downAt: number): Input & { readonly at: number } => {
    return { kind: "press", optionId: "once", press: { ...PRESS, downAt }, at: downAt };
  };
  const state = [press(1_000), press(2_000), press(3_000)].reduce<State>(step, withCard());
  assert.equal(sent(state), 1);
});

test("a card of a server that is gone is not there before the next one has told of it", () => {
  const says = (now: "restarting" | "ready", at: number): Input & { readonly at: number } => {
    return { kind: "fromHost", message: { kind: "server", state: now, text: "" }, at };
  };
  const state = [says("restarting", 1_000), says("ready", 2_000)].reduce<State>(step, withCard());
  assert.deepEqual([state.open, state.replica.tickets, state.replica.phase], [null, [], "asking"]);
  const pressed = { kind: "press", optionId: "once", press: { ...PRESS, downAt: 3_000 } } as const;
  assert.equal(sent(step(state, { ...pressed, at: 3_000 })), 0);
});

describe("what keeps a card from being allowed", () => {
  const high = cardOf({ level: "high" });
  const press = (at: number) => ({ kind: "press", optionId: "once", press: { ...PRESS, downAt: at }, at }) as const;
  const command = (at: number, name: "allowOnce" | "deny") =>
    ({ kind: "fromHost", message: { kind: "command", command: name }, at }) as const;
  const sees = (more: Partial<Sight>): State => {
    const state = withCard(high);
    return { ...state, sight: { ...(state.sight as Sight), ...more } };
  };

  test("a part that was never on the screen, on a high card", () => {
    const after = step(sees({ unseen: 1 }), press(1_000));
    assert.equal(sent(after), 0);
    assert.deepEqual(after.errands.at(-1), { kind: "focus", on: "unseen" });
    assert.equal(sent(step(sees({ unseen: 0 }), press(1_000))), 1);
  });

  test("answers that are out of sight, for keys of either kind", () => {
    for (const name of ["allowOnce", "deny"] as const) {
      const after = step(sees({ answers: false }), command(1_000, name));
      assert.equal(sent(after), 0);
      assert.match(after.note ?? "", /out of sight/u);
    }
  });

  test("what was seen of another card, of another revision, or nothing", () => {
    const none = { ...withCard(high), sight: null };
    for (const state of [sees({ approvalId: "t0" }), sees({ digest: "other" }), none]) {
      assert.equal(sent(step(state, press(1_000))), 0);
      assert.equal(sent(step(state, command(1_000, "deny"))), 0);
    }
  });

  test("and once it is gone, the card stands still first", () => {
    const locked = sees({ unseen: 1 });
    const open = step(locked, { kind: "sight", sight: { ...(locked.sight as Sight), unseen: 0 }, at: 1_000 });
    assert.equal(sent(step(open, press(1_100))), 0);
    assert.equal(sent(step(open, press(1_600))), 1);
  });
});
