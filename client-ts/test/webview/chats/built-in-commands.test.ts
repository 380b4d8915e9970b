/** What a word behind a `/` does in every chat. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { AgentCommand, Chat } from "../../../src/shared/protocol";
import { commandsFor } from "../../../src/webview/composer/agent-commands";
import { step } from "../../../src/webview/page/fold";
import { START, type Errand, type State } from "../../../src/webview/state/model";
import type { Input } from "../../../src/webview/state/moments";
import { chatOf, EPOCH, snapshotOf } from "../shapes";

function after(state: State, ...inputs: readonly Input[]): State {
  return inputs.reduce((now, input) => step({ ...now, errands: [] }, { ...input, at: 10_000 }), state);
}

function live(chat: Partial<Chat> = {}): State {
  const result = {
    epoch: EPOCH,
    seq: 1,
    snapshot: snapshotOf({ chats: [chatOf("chat-1", { agentId: "eliza", agentName: "Eliza", ...chat })] }),
    events: [],
  };
  return after(
    START,
    { kind: "opened", viewId: "v", draft: "", chatId: null },
    { kind: "fromHost", message: { kind: "server", state: "ready", text: "" } },
    { kind: "fromHost", message: { kind: "answer", id: 1, result } },
  );
}

function said(text: string, chat: Partial<Chat> = {}): { readonly draft: string; readonly does: readonly unknown[] } {
  const { draft, errands } = after(live(chat), { kind: "typed", text }, { kind: "send" });
  return { draft, does: errands.map((each) => named(each)) };
}

function named(errand: Errand): unknown {
  if (errand.kind === "focus") return errand.on;
  if (errand.kind !== "post") return errand.kind;
  return errand.message.kind === "request"
    ? errand.message.method
    : errand.message.kind === "runCommand"
      ? errand.message.command
      : errand.message.kind;
}

const OWN_MODEL: AgentCommand = { name: "model", says: "Eliza's own", hint: "" };

describe("a word behind a slash", () => {
  for (const [text, does] of [
    ["/clear", ["agent/newChat", "composer"]],
    ["/model", ["partner"]],
    ["/Mode", ["mode"]],
    ["/history", ["showHistory"]],
    ["/rules", ["showRules"]],
    [" /settings ", ["openSettings"]],
    ["/help", ["help"]],
  ] as const) {
    test(`${text.trim()} opens what it says, and is said to nobody`, () => {
      const found = said(text, { running: true });
      assert.deepEqual(found, { draft: "", does: [...does, "looks"] });
    });
  }

  test("is said to the agent where it has such a command, and where more stands behind it", () => {
    assert.ok(said("/model", { commands: [OWN_MODEL] }).does.includes("agent/prompt"));
    assert.ok(said("/mode default").does.includes("agent/prompt"));
    assert.ok(said("/other").does.includes("agent/prompt"));
  });

  test("ends that an earlier message is being edited", () => {
    const own = {
      agentId: "assent",
      agentName: "Assent",
      items: [{ kind: "user", messageId: "m1", text: "Old.", references: [] }],
    } as const;
    const state = after(live(own), { kind: "naming", step: { kind: "recall" } });
    assert.equal(state.editing?.messageId, "m1");
    for (const text of ["/settings", "/clear"]) {
      assert.equal(after(state, { kind: "typed", text }, { kind: "send" }).editing, null);
    }
  });

  test("is offered once, the agent's own before the others", () => {
    const offered = (text: string, chat: Partial<Chat> = {}): readonly string[] =>
      commandsFor(after(live(chat), { kind: "typed", text })).map(({ name, says }) => `${name}: ${says}`);
    assert.deepEqual(offered("/mod"), ["model: Choose the agent and its model", "mode: Choose the mode"]);
    assert.deepEqual(offered("/mod", { commands: [OWN_MODEL] }), ["model: Eliza's own", "mode: Choose the mode"]);
    assert.equal(offered("/").length, 7);
    assert.deepEqual(commandsFor(after(START, { kind: "typed", text: "/" })), [], "nobody knows the agent's own yet");
  });
});
