import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { badgeOf, statusOf } from "../../../src/extension/waiting/status-item";
import { bypassed, waitingOf, type Waiting } from "../../../src/extension/waiting/waiting";
import type { AgentInfo, Delivered } from "../../../src/shared/protocol";
import { EMPTY, heard, subscribed, type Replica } from "../../../src/shared/replica";
import { asked, happened, settled, snapshot } from "../made";

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
      passed: 0,
      tools: 0,
      model: "",
      plan: [],
      agentTitle: "",
      commands: [],
      settings: [],
      loose: "",
      leftOut: "",
      logIn: null,
      shells: [],
      effort: null,
      efforts: [],
      usage: null,
      limit: "",
      waiting: null,
      drafted: [],
      changes: [],
      undone: null,
      elsewhere: false,
      first: 0,
      items: [],
    } as const;
    const opened = [
      happened(1, { kind: "chatOpened", chat }),
      happened(2, { kind: "turnBegan" }),
      happened(3, { kind: "mode", mode: "plan" }),
    ];
    assert.deepEqual(known(...opened).chats, [{ chatId: "chat", agentName: "Eliza", title: "T", mode: "plan", running: true }]);
    const ended = [...opened, happened(4, { kind: "turnEnded", reason: "done", because: "" })];
    assert.equal(known(...ended).chats[0]?.running, false);
    assert.deepEqual(known(...ended, happened(5, { kind: "chatClosed" })).chats, []);
  });

  test("what changes nothing that is shown is the same value as before", () => {
    const before = replica(asked(1, "a"));
    const waiting = waitingOf(before);
    const said = happened(2, { kind: "said", who: "agent", messageId: "m", references: [], append: "hello" });
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

  test("is red while a chat is in Auto, as for a bypass", () => {
    const waiting: Waiting = {
      ...known(asked(1, "a")),
      chats: [{ chatId: "c", agentName: "Codex", title: "New chat", mode: "auto", running: true }],
    };
    assert.deepEqual(statusOf(waiting, "ready", ""), {
      text: "$(shield) Auto: Codex · 1 waiting",
      words: "1 chat is in Auto (Codex), where little is asked. Click to ask again.",
      background: "error",
      command: "assent.askAgain",
    });
    const both = { ...waiting, agents: [agent("Codex", true), agent("Eliza", true)] };
    assert.equal(statusOf(both, "ready", "")?.text, "$(shield) Bypass: Codex, Eliza · Auto: Codex · 1 waiting");
  });

  test("does not say of an agent with a chat in Auto that it is not asked about", () => {
    const chats = (["auto", "default"] as const).map((mode) => ({ chatId: mode, agentName: "Codex", title: "T", mode, running: true }));
    const status = statusOf({ ...known(), agents: [agent("Eliza", true)], chats }, "ready", "");
    assert.equal(status?.text, "$(shield) Bypass: Eliza · Auto: Codex");
    assert.equal(status.words, "Assent does not ask for Eliza. 1 chat is in Auto (Codex), where little is asked. Click to ask again.");
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
