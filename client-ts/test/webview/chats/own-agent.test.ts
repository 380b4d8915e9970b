/** What is the view's of our own agent: its models, its shells, and what is done about its calls. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { partnersOf } from "../../../src/shared/partners";
import type { ToHost } from "../../../src/shared/host-messages";
import type { AgentInfo, Chat, Event, ShellInfo } from "../../../src/shared/protocol";
import { chatAfter } from "../../../src/shared/chat-events";
import { nextTick } from "../../../src/webview/page/loop";
import { pauseOf, START, type State } from "../../../src/webview/state/model";
import type { Input } from "../../../src/webview/state/moments";
import { step } from "../../../src/webview/page/fold";
import { partnerFor } from "../../../src/webview/chats/conversation";
import { beheld, cardOf, chance, chatOf, EPOCH, eventOf, optionOf, pick, plain, requestOf, snapshotOf } from "../shapes";

const ELIZA: AgentInfo = { id: "eliza", name: "Eliza", state: "ready", because: "", bypassed: false, models: [] };
const QWEN = { id: "ollama/qwen3:8b", name: "qwen3:8b (Ollama)" };
const SONNET = { id: "claude sonnet", name: "Sonnet (Anthropic)" };
const ASSENT: AgentInfo = { ...ELIZA, id: "assent", name: "Assent", models: [QWEN, SONNET] };
const AGENTS = [ASSENT, ELIZA];
const SAID = { kind: "user", messageId: "m", text: "hello", references: [] } as const;

function after(state: State, ...inputs: readonly Input[]): State {
  return inputs.reduce((now, input) => step({ ...now, errands: [] }, { ...input, at: 10_000 }), state);
}

function live(chats: readonly Chat[], more: Parameters<typeof snapshotOf>[0] = {}): State {
  const snapshot = snapshotOf({ agents: AGENTS, chats, ...more });
  const answer = { epoch: EPOCH, seq: 1, snapshot, events: [] };
  return after(
    START,
    { kind: "opened", viewId: "v", draft: "", chatId: null },
    { kind: "fromHost", message: { kind: "server", state: "ready", text: "" } },
    { kind: "fromHost", message: { kind: "answer", id: 1, result: answer } },
  );
}

function own(more: Partial<Chat> = {}): Chat {
  return chatOf("chat-1", { agentId: "assent", agentName: "Assent", model: QWEN.name, items: [SAID], ...more });
}

function requests(state: State): readonly (readonly [string, unknown])[] {
  const isRequest = (message: ToHost): message is Extract<ToHost, { kind: "request" }> => message.kind === "request";
  return state.errands
    .flatMap((errand) => (errand.kind === "post" ? [errand.message] : []))
    .filter(isRequest)
    .map(({ method, params }) => [method, params]);
}

function labels(agents: readonly AgentInfo[]): readonly string[] {
  return partnersOf(agents).map(({ label }) => label);
}

describe("whom a chat is opened with", () => {
  test("an agent with models is listed once for each, and any other once", () => {
    assert.deepEqual(labels(AGENTS), ["Assent · qwen3:8b (Ollama)", "Assent · Sonnet (Anthropic)", "Eliza"]);
    assert.deepEqual(labels([{ ...ASSENT, models: [] }]), ["Assent"]);
  });

  test("the first prompt names the model that is shown", () => {
    const [sent] = requests(after(live([]), { kind: "typed", text: "hi" }, { kind: "send" }));
    assert.deepEqual(sent, ["agent/newChat", { agentId: "assent", model: QWEN.id }]);
  });

  test("the first prompt names the model that was picked", () => {
    const picked = { agentId: "assent", modelId: SONNET.id };
    const now = after(live([]), { kind: "pickPartner", partner: picked }, { kind: "typed", text: "hi" }, { kind: "send" });
    assert.deepEqual(requests(now), [["agent/newChat", { agentId: "assent", model: SONNET.id }]]);
  });

  test("an agent without models is asked for none", () => {
    const picked = { agentId: "eliza", modelId: null };
    const now = after(live([]), { kind: "pickPartner", partner: picked }, { kind: "typed", text: "hi" }, { kind: "send" });
    assert.deepEqual(requests(now), [["agent/newChat", { agentId: "eliza" }]]);
  });

  test("another model of the same agent goes on with the chat, and the same one changes nothing", () => {
    const chat = own();
    const other = { agentId: "assent", modelId: SONNET.id };
    const changed = after(live([chat]), { kind: "pickPartner", partner: other });
    const asked = ["agent/setModel", { chatId: chat.chatId, model: SONNET.id }];
    assert.deepEqual([requests(changed), changed.offer], [[asked], null]);
    const same = { agentId: "assent", modelId: QWEN.id };
    const stays = after(live([chat]), { kind: "pickPartner", partner: same });
    assert.deepEqual([requests(stays), stays.offer], [[], null]);
    const empty = after(live([own({ items: [] })]), { kind: "pickPartner", partner: other });
    assert.deepEqual(requests(empty), [["agent/newChat", { agentId: "assent", model: SONNET.id }]]);
  });

  test("a new chat beside another has its model", () => {
    const now = after(live([own({ model: SONNET.name })]), { kind: "newChat", partner: null });
    assert.deepEqual(requests(now), [["agent/newChat", { agentId: "assent", model: SONNET.id }]]);
  });

  test("a chat keeps the name of a model that is offered no more, and none is made up for it", () => {
    assert.equal(partnerFor(live([own({ model: "gone (Ollama)" })]))?.label, "Assent · gone (Ollama)");
    assert.equal(partnerFor(live([own({ model: "" })]))?.label, "Assent");
    const now = after(live([own({ model: "gone (Ollama)" })]), { kind: "newChat", partner: null });
    assert.deepEqual(requests(now), [["agent/newChat", { agentId: "assent" }]]);
  });
});

describe("what is done about a call", () => {
  for (const method of ["tool/kill", "tool/background", "tool/undo"] as const) {
    test(`${method} names the chat and the call, and a refusal is shown as it is`, () => {
      const call = { chatId: "chat-1", callId: "call-7" };
      const asked = after(live([own()]), { kind: "atCall", method, call });
      assert.deepEqual(requests(asked), [[method, call]]);
      const because = "It has ended.";
      const id = asked.nextId - 1;
      const told = after(asked, { kind: "fromHost", message: { kind: "answer", id, error: because } });
      assert.deepEqual([told.note, told.live], [because, because]);
    });
  }

  test("a shell is killed by its name", () => {
    const shell = { chatId: "chat-1", shellId: "2" };
    assert.deepEqual(requests(after(live([own()]), { kind: "killShell", shell })), [["shell/kill", shell]]);
  });

  const options = [...cardOf().options, optionOf("background", "allowBackground", "Allow in the background")];

  function atCard(level: "low" | "high"): State {
    return beheld(live([own()], { tickets: [requestOf("t1", { card: cardOf({ options, level }) })] }));
  }

  function allowed(state: State): readonly unknown[] {
    const ask = (now: State): State =>
      step(now, { kind: "fromHost", message: { kind: "command", command: "allowBackground" }, at: now.now + 1_000 });
    return requests(ask(state)).map(([, params]) => (params as { readonly optionId: string }).optionId);
  }

  test("a key allows it in the background, where the card offers that", () => {
    assert.deepEqual(allowed({ ...atCard("low"), errands: [] }), ["background"]);
    const without = live([own()], { tickets: [requestOf("t1")] });
    assert.deepEqual(allowed({ ...without, errands: [] }), []);
  });

  test("on a high level the key asks for a second press first", () => {
    assert.deepEqual(allowed({ ...atCard("high"), errands: [] }), []);
  });
});

function shellOf(shellId: string, state: ShellInfo["state"], more: Partial<ShellInfo> = {}): ShellInfo {
  return { shellId, callId: `call-${shellId}`, command: plain("make"), state, code: null, inBackground: true, at: 0, ...more };
}

/** What the server does with a shell that took a step, written another way. */
function asServer(shells: readonly ShellInfo[], moved: ShellInfo): readonly ShellInfo[] {
  const table = new Map(shells.map((each) => [each.shellId, each]));
  table.delete(moved.shellId);
  table.set(moved.shellId, moved);
  const ended = [...table.values()].filter(({ state }) => state !== "running").map(({ shellId }) => shellId);
  for (const gone of ended.slice(0, -5)) table.delete(gone);
  return [...table.values()];
}

/** A pause of eight seconds, by a clock that runs an hour ahead. */
const PAUSE = { because: "parrot is overloaded.", now: 3_610_000, until: 3_618_000 };

describe("words while an agent works", () => {
  const said: readonly Input[] = [{ kind: "typed", text: "Not that file." }, { kind: "send" }];

  test("go to our own, which tells its model", () => {
    const now = after(live([own({ running: true })]), ...said);
    assert.deepEqual(requests(now), [["agent/prompt", { chatId: "chat-1", text: "Not that file." }]]);
    assert.equal(now.draft, "");
  });
});

describe("a model that is left alone for a moment", () => {
  const paused = live([own({ running: true, waiting: PAUSE })]);

  test("is counted down by our own clock, second by second", () => {
    assert.equal(pauseOf(paused)?.until, 18_000);
    assert.equal(nextTick(paused, 10_000), 1);
    assert.equal(nextTick(paused, 10_001), 1_000);
    assert.equal(nextTick(paused, 18_000), null);
  });

  test("is told of while it happens as in a snapshot", () => {
    const event = eventOf(2, "chat-1", { kind: "waiting", waiting: PAUSE });
    const told = { kind: "message", method: "agent/event", params: event } as const;
    const now = after(live([own({ running: true })]), { kind: "fromHost", message: told });
    assert.deepEqual(pauseOf(now), pauseOf(paused));
    const over = eventOf(3, "chat-1", { kind: "waiting", waiting: null });
    const gone = after(now, { kind: "fromHost", message: { ...told, params: over } });
    assert.equal(pauseOf(gone), null);
  });

  test("is asked again when the person says so", () => {
    const { errands } = after(paused, { kind: "tryNow" });
    const posts = errands.flatMap((each) => (each.kind === "post" ? [each.message] : []));
    assert.deepEqual(
      posts.map((each) => (each.kind === "request" ? [each.method, each.params] : [])),
      [["agent/tryNow", { chatId: "chat-1" }]],
    );
  });
});

test("files from elsewhere are named in the message, each once, and no more than one takes", () => {
  const found = Array.from({ length: 25 }, (_, at) => ({
    reference: { kind: "file", path: `/w/${at}` } as const,
    name: `${at}`,
    says: "",
  }));
  const [first] = found;
  assert.ok(first);
  const few = after(live([own()]), { kind: "fromHost", message: { kind: "addReferences", found: [first, first] } });
  assert.deepEqual(few.references, [first]);
  assert.deepEqual(few.errands, [{ kind: "focus", on: "composer" }]);
  const many = after(few, { kind: "fromHost", message: { kind: "addReferences", found } });
  assert.equal(many.references.length, 20);
  assert.equal(many.note, "No more than 20 things are named in one message.");
});

test("words from elsewhere stand behind those that are being written, and nothing is sent", () => {
  const said = { kind: "fromHost", message: { kind: "addWords", text: "From the terminal:\n```\nx\n```\n" } } as const;
  const empty = after(live([own()]), said);
  assert.equal(empty.draft, said.message.text);
  const begun = after(live([own()]), { kind: "typed", text: "Why? \n" }, said);
  assert.equal(begun.draft, `Why?\n\n${said.message.text}`);
  assert.deepEqual(begun.errands, [{ kind: "focus", on: "composer" }]);
  // Also before the server ever answered.
  assert.equal(after(START, said).draft, said.message.text);
});

test("a turn that was stopped at a limit goes on when the person says so, once", () => {
  const state = live([own({ limit: "Too many." })]);
  const { errands } = after(state, { kind: "goOn" });
  const posts = errands.flatMap((each) => (each.kind === "post" ? [each.message] : []));
  assert.deepEqual(
    posts.map((each) => (each.kind === "request" ? [each.method, each.params] : [])),
    [["agent/prompt", { chatId: "chat-1", text: "Go on." }]],
  );
  for (const other of [own({ limit: "Too many.", running: true }), own()]) {
    assert.deepEqual(after(live([other]), { kind: "goOn" }).errands, []);
  }
});

test("how much a model thinks is chosen for the chat that is shown", () => {
  const state = live([own({ efforts: ["low", "high"], effort: null })]);
  const { errands } = after(state, { kind: "pickEffort", effort: "high" });
  const posts = errands.flatMap((each) => (each.kind === "post" ? [each.message] : []));
  assert.deepEqual(
    posts.map((each) => (each.kind === "request" ? [each.method, each.params] : [])),
    [["agent/setEffort", { chatId: "chat-1", effort: "high" }]],
  );
  const told = { kind: "model", model: "b", effort: "low", efforts: ["low"] } as const;
  const { model, effort, efforts } = chatAfter(own(), told);
  assert.deepEqual({ model, effort, efforts }, { model: "b", effort: "low", efforts: ["low"] });
});

describe("the fold", () => {
  test("knows what the conversation takes", () => {
    const usage = { read: 1, wrote: 2, window: 3, cached: 0, cost: "", turnCost: "", pricesOf: "" };
    assert.deepEqual(chatAfter(own(), { kind: "used", usage }).usage, usage);
  });

  test("lists the shells that run and the last five that ended, as the server does", () => {
    const next = chance(11);
    let longest = 0;
    for (let round = 0; round < 300; round += 1) {
      let chat = own();
      let expected: readonly ShellInfo[] = [];
      for (let count = 0; count < 40; count += 1) {
        const state = pick(next, ["running", "exited", "killed", "expired"] as const);
        const shell = shellOf(`${Math.floor(next() * 14)}`, state);
        const event: Event = { kind: "shell", shell };
        chat = chatAfter(chat, event);
        expected = asServer(expected, shell);
        assert.deepEqual(chat.shells, expected);
        longest = Math.max(longest, chat.shells.length);
      }
    }
    assert.ok(longest > 5);
  });
});
