import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { STILL_MS } from "../../../src/shared/card";
import type { ToHost } from "../../../src/shared/host-messages";
import type { CardOption, Messages, Previewed, ShellBody } from "../../../src/shared/protocol";
import type { Press } from "../../../src/webview/dom/press";
import { nextTick } from "../../../src/webview/page/loop";
import { START, type State } from "../../../src/webview/state/model";
import type { Input } from "../../../src/webview/state/moments";
import { chosenRules, DEBOUNCE_MS, hindrance } from "../../../src/webview/cards/rule-step";
import { step } from "../../../src/webview/page/fold";
import { beheld, cardOf, chatOf, EPOCH, optionOf, plain, requestOf, snapshotOf } from "../shapes";
import { hasParts } from "../../../src/webview/cards/command-parts";

const RULES = ["shell(make test:*)", "shell(rm -r out)"];
const SCOPES = ["workspace", "user"] as const;
const ALWAYS = optionOf("always", "allowAlways", "Always allow…", { rules: RULES, scopes: SCOPES });
const NEVER = optionOf("never", "denyAlways", "Never allow…", { rules: ["shell(make:*)"], scopes: SCOPES });
const NOW = 10_000;

function press(downAt: number): Press {
  return { trusted: true, detail: 1, repeat: false, downAt };
}

function after(state: State, at: number, ...inputs: readonly Input[]): State {
  return inputs.reduce((now, input) => step(beheld({ ...now, errands: [] }), { ...input, at }), state);
}

function atCard(options: readonly CardOption[] = [...cardOf().options, ALWAYS, NEVER]): State {
  const tickets = [requestOf("t1", { card: cardOf({ options }) })];
  const snapshot = snapshotOf({ chats: [chatOf("chat-1")], tickets });
  const answer = { epoch: EPOCH, seq: 1, snapshot, events: [] };
  return after(
    START,
    0,
    { kind: "opened", viewId: "v", draft: "", chatId: null },
    { kind: "fromHost", message: { kind: "server", state: "ready", text: "" } },
    { kind: "fromHost", message: { kind: "answer", id: 1, result: answer } },
  );
}

function opened(optionId = "always"): State {
  return after(atCard(), NOW, { kind: "press", optionId, press: press(NOW) });
}

function posted(state: State, method: string): readonly Extract<ToHost, { kind: "request" }>[] {
  return state.errands.flatMap((errand) =>
    errand.kind === "post" && errand.message.kind === "request" && errand.message.method === method ? [errand.message] : [],
  );
}

function previewOf(rules: readonly string[], problem: string | null = null, covers = true): Previewed {
  const said = rules.map((rule) => ({ rule, problem, wouldMatch: [], wouldSpare: [] }));
  return { rules: said, covers, matched: 1, denied: 0, of: 2 };
}

/** The answer to the newest preview that was asked for. */
function foreseen(state: State, at: number, result: Previewed | null): State {
  const [id] = Object.entries(state.asked)
    .flatMap(([key, { kind }]) => (kind === "preview" ? [Number(key)] : []))
    .slice(-1);
  assert.ok(id !== undefined, "nothing was asked");
  const message = result === null ? ({ kind: "answer", id, error: "It is gone." } as const) : ({ kind: "answer", id, result } as const);
  return after(state, at, { kind: "fromHost", message });
}

function stepOf(state: State): NonNullable<NonNullable<State["open"]>["step"]> {
  assert.ok(state.open?.step);
  return state.open.step;
}

function answerIn(state: State): Messages["tool/approvalResponse"]["params"] | undefined {
  return posted(state, "tool/approvalResponse")[0]?.params as Messages["tool/approvalResponse"]["params"] | undefined;
}

describe("the step of an answer for always", () => {
  test("opens with what the option proposes, answers nothing, and asks at once what it would do", () => {
    const state = opened();
    assert.equal(answerIn(state), undefined);
    assert.deepEqual([chosenRules(stepOf(state)), stepOf(state).scope], [RULES, "workspace"]);
    const [asked] = posted(state, "tool/previewRules");
    assert.deepEqual(asked?.params, { approvalId: "t1", optionId: "always", rules: RULES });
  });

  test("is confirmed only once what it would do is known and has stood there for a while", () => {
    const unknown = opened();
    const early = after(unknown, NOW + 5_000, { kind: "press", optionId: "always", press: press(NOW + 5_000) });
    assert.equal(answerIn(early), undefined);
    const known = foreseen(unknown, NOW + 5_000, previewOf(RULES));
    const soon = NOW + 5_000 + STILL_MS - 1;
    assert.equal(answerIn(after(known, soon, { kind: "press", optionId: "always", press: press(soon) })), undefined);
    const then = NOW + 5_000 + STILL_MS;
    const { optionId, rules, scope } = answerIn(after(known, then, { kind: "press", optionId: "always", press: press(then) })) ?? {};
    assert.deepEqual([optionId, rules, scope], ["always", RULES, "workspace"]);
  });

  test("sends only what is ticked, where the person said", () => {
    const changed = after(
      foreseen(opened(), NOW, previewOf(RULES)),
      NOW,
      { kind: "rule", change: { kind: "tick", at: 0, ticked: false } },
      { kind: "rule", change: { kind: "text", at: 1, text: " shell(rm -r ./out) " } },
      { kind: "rule", change: { kind: "scope", scope: "user" } },
    );
    const asking = after(changed, NOW + DEBOUNCE_MS, { kind: "tick" });
    const wanted = ["shell(rm -r ./out)"];
    const known = foreseen(asking, NOW + 200, previewOf(wanted));
    const { rules, scope } = answerIn(after(known, NOW + 2_000, { kind: "press", optionId: "always", press: press(NOW + 2_000) })) ?? {};
    assert.deepEqual([rules, scope], [wanted, "user"]);
  });

  test("asks once for a text that is being written, when it has stood for a moment", () => {
    const first = foreseen(opened(), NOW, previewOf(RULES));
    const typed = after(first, NOW + 100, { kind: "rule", change: { kind: "text", at: 0, text: "shell(m" } });
    assert.deepEqual(posted(typed, "tool/previewRules"), []);
    assert.equal(nextTick(typed, NOW + 100), DEBOUNCE_MS);
    const more = after(typed, NOW + 200, { kind: "rule", change: { kind: "text", at: 0, text: "shell(ma" } });
    assert.deepEqual(posted(after(more, NOW + 100 + DEBOUNCE_MS, { kind: "tick" }), "tool/previewRules"), []);
    const [asked, ...others] = posted(after(more, NOW + 200 + DEBOUNCE_MS, { kind: "tick" }), "tool/previewRules");
    assert.deepEqual((asked?.params as { rules: unknown }).rules, ["shell(ma", RULES[1]]);
    assert.deepEqual(others, []);
  });

  test("does not take what was said of other texts", () => {
    const typed = after(opened(), NOW, { kind: "rule", change: { kind: "text", at: 0, text: "shell(*)" } });
    const late = foreseen(typed, NOW + 10, previewOf(RULES));
    assert.equal(stepOf(late).foreseen, null);
    const fewer = after(opened(), NOW, { kind: "rule", change: { kind: "tick", at: 1, ticked: false } });
    assert.equal(stepOf(foreseen(fewer, NOW + 10, previewOf(RULES))).foreseen, null);
  });

  test("says why it cannot be confirmed, and cannot be", () => {
    const cases: readonly [State, RegExp][] = [
      [opened(), /^Looking/u],
      [foreseen(opened(), NOW, null), /^It is gone\.$/u],
      [foreseen(opened(), NOW, previewOf(RULES, "No tool is called “shel”.")), /^No tool/u],
      [foreseen(opened(), NOW, previewOf(RULES, null, false)), /^This does not cover/u],
      [after(opened(), NOW, { kind: "rule", change: { kind: "text", at: 0, text: " " } }), /empty/u],
      [
        after(
          opened(),
          NOW,
          { kind: "rule", change: { kind: "tick", at: 0, ticked: false } },
          { kind: "rule", change: { kind: "tick", at: 1, ticked: false } },
        ),
        /^Tick/u,
      ],
    ];
    for (const [state, why] of cases) {
      assert.match(hindrance(stepOf(state)) ?? "", why);
      const at = NOW + 9_000;
      assert.equal(answerIn(after(state, at, { kind: "press", optionId: "always", press: press(at) })), undefined);
    }
  });

  test("is left by going back, which answers nothing and gives the focus to the list's button", () => {
    const state = after(opened("never"), NOW, { kind: "rule", change: { kind: "back" } });
    assert.equal(state.open?.step, null);
    assert.equal(answerIn(state), undefined);
    assert.ok(state.errands.some((errand) => errand.kind === "focus" && errand.on === "denyWays"));
  });

  test("stays on a card that changed, and is looked at anew", () => {
    const known = foreseen(opened(), NOW, previewOf(RULES));
    const written = after(known, NOW, { kind: "rule", change: { kind: "text", at: 0, text: "shell(mine)" } });
    const card = cardOf({ options: [...cardOf().options, ALWAYS], title: plain("Run another") });
    const params = requestOf("t1", { seq: 2, revision: 1, card });
    const message = { kind: "message", method: "tool/approvalRequest", params } as const;
    const state = after(written, NOW + 1_000, { kind: "fromHost", message });
    assert.deepEqual(chosenRules(stepOf(state)), ["shell(mine)", RULES[1]]);
    assert.equal(stepOf(state).foreseen, null);
    assert.equal(nextTick(state, NOW + 1_000), 0);
    const gone = requestOf("t1", { seq: 3, revision: 2 });
    const without = after(state, NOW + 2_000, { kind: "fromHost", message: { ...message, params: gone } });
    assert.equal(without.open?.step, null);
  });

  test("keeps the card's keys from answering while a rule is written", () => {
    const state = after(opened(), NOW, { kind: "where", where: "card", regained: false });
    assert.deepEqual([state.told?.composerEmpty, state.told?.cardFocused], [false, false]);
    const back = after(state, NOW, { kind: "rule", change: { kind: "back" } });
    assert.deepEqual([back.told?.composerEmpty, back.told?.cardFocused], [true, true]);
  });
});

describe("a shell command in its parts", () => {
  const part = { verdict: "ask", because: "", rule: null, source: null, grave: false } as const;
  const body: ShellBody = {
    kind: "shell",
    command: plain("for x in a b; do\n  ls $x &&\n  rm $x\ndone"),
    readable: true,
    parts: [
      { ...part, operator: "for x in a b; do\n  ", text: plain("ls $x") },
      { ...part, operator: " &&\n  ", text: plain("rm $x") },
    ],
    tail: "\ndone",
    cwd: [],
  };

  test("is drawn by them where they are the command, to the letter", () => {
    assert.equal(hasParts(body), true);
  });

  test("is drawn as it is where a character is lost or added, or where it could not be read", () => {
    assert.equal(hasParts({ ...body, tail: "" }), false);
    assert.equal(hasParts({ ...body, tail: "\ndone " }), false);
    assert.equal(hasParts({ ...body, readable: false }), false);
    assert.equal(hasParts({ ...body, parts: [], tail: "", command: [] }), false);
  });
});
