import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { STILL_MS } from "../../../src/shared/card";
import { newChat } from "../../../src/extension/chats/chats";
import { backgroundCall, killCall, killShell, showOutput, type Surroundings } from "../../../src/extension/shells/running-commands";
import type { CallRecord, Chat, ShellInfo } from "../../../src/shared/protocol";
import { fake } from "../editor";
import { settle, span } from "../made";

function call(callId: string, may: CallRecord["may"], more: Partial<CallRecord> = {}): CallRecord {
  return {
    kind: "call",
    callId,
    approvalId: null,
    call: null,
    title: [span(`Run ${callId}`)],
    members: [],
    looks: null,
    level: "low",
    state: "running",
    by: "user",
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
    may,
    ...more,
  };
}

function shell(shellId: string, more: Partial<ShellInfo> = {}): ShellInfo {
  return {
    shellId,
    callId: `c${shellId}`,
    command: [span(`make ${shellId}`)],
    state: "running",
    code: null,
    inBackground: true,
    at: Number(shellId),
    ...more,
  };
}

function chat(chatId: string, more: Partial<Chat>): Chat {
  return {
    chatId,
    agentId: "assent",
    agentName: "Assent",
    title: `About ${chatId}`,
    mode: "default",
    running: true,
    gate: "advisory",
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
    ...more,
  };
}

function around(...chats: readonly Chat[]): { readonly parts: Surroundings; readonly asked: unknown[] } {
  const asked: unknown[] = [];
  const parts: Surroundings = {
    follower: { chats },
    server: { request: (method, params) => Promise.resolve(void asked.push([method, params])) },
    outputs: { show: (ref) => Promise.resolve(void asked.push(["show", ref])) },
  };
  return { parts, asked };
}

/** Choose a line of the list that has opened. */
async function choose(done: Promise<void>, label: string): Promise<void> {
  await settle();
  mock.timers.tick(STILL_MS);
  fake.picks.at(-1)?.choose(label);
  await done;
}

beforeEach(() => {
  fake.reset();
  mock.timers.enable({ apis: ["Date"] });
});
afterEach(() => mock.timers.reset());

describe("a command that runs", () => {
  const own = chat("a", { items: [call("one", ["background", "kill"]), call("two", ["kill"], { part: "fix tests" })] });
  const other = chat("b", { items: [call("three", ["background", "kill"]), call("four", ["undo"])] });

  test("is killed after it was named, from any chat", async () => {
    const { parts, asked } = around(own, other);
    const done = killCall(parts);
    await settle();
    assert.deepEqual(fake.picks[0]?.labels(), ["Run one", "in “fix tests”: Run two", "Run three"]);
    assert.deepEqual(fake.picks[0].items.map(({ description }) => description).slice(1), ["Assent · About a", "Assent · About b"]);
    await choose(done, "Run three");
    assert.deepEqual(asked, [["tool/kill", { chatId: "b", callId: "three" }]]);
  });

  test("goes to the background, where it can", async () => {
    const { parts, asked } = around(own);
    const done = backgroundCall(parts);
    await settle();
    assert.deepEqual(fake.picks[0]?.labels(), ["Run one"]);
    await choose(done, "Run one");
    assert.deepEqual(asked, [["tool/background", { chatId: "a", callId: "one" }]]);
  });

  test("is not there: it is said, and nothing is asked", async () => {
    const { parts, asked } = around(chat("a", { items: [call("four", ["undo"])] }));
    await killCall(parts);
    assert.deepEqual([asked, fake.picks.length, fake.messages[0]?.text], [[], 0, "No command runs that could be."]);
  });
});

describe("a shell", () => {
  const here = chat("a", {
    shells: [shell("1", { state: "exited", code: 2 }), shell("2"), shell("3", { inBackground: false })],
  });

  test("is killed after it was named, while it runs", async () => {
    const { parts, asked } = around(here);
    const done = killShell(parts);
    await settle();
    assert.deepEqual(fake.picks[0]?.labels(), ["make 3", "make 2"]);
    await choose(done, "make 2");
    assert.deepEqual(asked, [["shell/kill", { chatId: "a", shellId: "2" }]]);
  });

  test("shows its output, also when it has ended", async () => {
    const { parts, asked } = around(here);
    const done = showOutput(parts);
    await settle();
    const lines = fake.picks[0]?.items.map(({ label, description }) => `${label}: ${description ?? ""}`);
    assert.deepEqual(lines, ["make 3: running", "make 2: running, in the background", "make 1: ended with exit code 2, in the background"]);
    await choose(done, "make 1");
    assert.deepEqual(asked, [["show", { chatId: "a", shellId: "1" }]]);
  });
});

describe("a new chat without a page", () => {
  const models = [{ id: "q", name: "qwen3 (Ollama)" }];
  const agents = [
    { id: "assent", name: "Assent", because: "", models },
    { id: "eliza", name: "Eliza", because: "", models: [] },
  ];

  for (const [label, params] of [
    ["Assent · qwen3 (Ollama)", { agentId: "assent", model: "q" }],
    ["Eliza", { agentId: "eliza" }],
  ] as const) {
    test(`is opened with ${label}`, async () => {
      const asked: unknown[] = [];
      const server = {
        request: (method: string, given: unknown) => {
          asked.push([method, given]);
          return Promise.resolve({ agents });
        },
      };
      const parts = { server, pages: { meant: () => null, wish: () => Promise.resolve(false) } };
      await choose(newChat(parts as unknown as Parameters<typeof newChat>[0]), label);
      assert.deepEqual(asked.at(-1), ["agent/newChat", params]);
    });
  }
});
