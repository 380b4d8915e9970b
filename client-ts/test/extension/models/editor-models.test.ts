import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import type { CancellationToken } from "vscode";
import { ModelBridge } from "../../../src/extension/models/editor-models";
import type { AskModel, ModelSaid } from "../../../src/shared/protocol";
import { CancellationTokenSource } from "../editor";
import { LanguageModelError, LanguageModelTextPart, LanguageModelToolCallPart, lm, type FakeModel } from "../lm";

let told: { method: string; params: unknown }[];
let sent: { messages: readonly unknown[]; options: unknown; token: unknown }[];
const { token } = new CancellationTokenSource();
const NEVER = token as unknown as CancellationToken;

function bridge(): ModelBridge {
  return new ModelBridge((method, params) => {
    told.push({ method, params });
    return Promise.reject(new Error("the server has just ended"));
  });
}

function othersCame(): void {
  lm.listeners.forEach((listener) => listener());
}

/** A model that says these, and then fails where it is told why. */
function speaking(parts: readonly unknown[], failure?: unknown): FakeModel {
  // eslint-disable-next-line @typescript-eslint/require-await -- a stream
  async function* stream(): AsyncGenerator {
    yield* parts;
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- an editor rejects with an event
    if (failure !== undefined) throw failure;
  }
  return {
    id: "m",
    name: "Model",
    vendor: "acme",
    family: "fam",
    maxInputTokens: 9000,
    sendRequest: (messages, options, given) => {
      sent.push({ messages, options, token: given });
      return Promise.resolve({ stream: stream() });
    },
  };
}

const ASKED: AskModel = {
  askId: "a",
  modelId: "m",
  because: "for Assent",
  messages: [
    {
      role: "user",
      parts: [
        { kind: "text", text: "Look." },
        { kind: "picture", mime: "image/png", data: "AAAA" },
      ],
    },
    { role: "assistant", parts: [{ kind: "call", id: "1", name: "read", input: '{"path":"a"}' }] },
    { role: "user", parts: [{ kind: "result", id: "1", text: "here" }] },
  ],
  tools: [{ name: "read", says: "Reads.", arguments: '{"type":"object"}' }],
};

beforeEach(() => {
  told = [];
  sent = [];
  lm.models = [];
  lm.listeners.clear();
});

describe("the editor's own models", () => {
  test("are listed with what is known of them", async () => {
    lm.models = [speaking([])];
    const models = [{ id: "m", name: "Model", vendor: "acme", family: "fam", window: 9000 }];
    assert.deepEqual(await bridge().list(), { models, showsPictures: true });
  });

  test("are asked in the editor's own parts, with a token that ends the question", async () => {
    lm.models = [speaking([])];
    await bridge().ask(ASKED, NEVER);
    const tools = [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }];
    assert.deepEqual(sent.at(0)?.options, { justification: "for Assent", tools });
    assert.equal(sent.at(0)?.token, NEVER);
    assert.deepEqual(JSON.parse(JSON.stringify(sent.at(0)?.messages)), [
      { role: 1, content: [{ value: "Look." }, { picture: "AAAA", mime: "image/png" }] },
      { role: 2, content: [{ callId: "1", name: "read", input: { path: "a" } }] },
      { role: 1, content: [{ callId: "1", content: [{ value: "here" }] }] },
    ]);
  });

  test("tell what they say in order, what comes at once together, and how many times that was", async () => {
    const words = Array.from({ length: 450 }, (_, at) => new LanguageModelTextPart(`${at} `));
    lm.models = [speaking([...words, { thought: "kept back" }, new LanguageModelToolCallPart("1", "read", { path: "a" })])];
    const answered = await bridge().ask(ASKED, NEVER);
    const said = told.map(({ params }) => params as ModelSaid);
    assert.deepEqual(answered, { pieces: said.length, trouble: null, because: "" });
    assert.ok(said.length < 20);
    const parts = said.flatMap((each) => each.parts);
    assert.equal(parts.length, 451);
    assert.equal(parts.map((part) => (part.kind === "text" ? part.text : "")).join(""), words.map(({ value }) => value).join(""));
    assert.deepEqual(parts.at(-1), { kind: "call", id: "1", name: "read", input: '{"path":"a"}' });
  });

  test("say why they fail, and what they had said before", async () => {
    const failures: [unknown, string, string][] = [
      [new LanguageModelError("declined", "NoPermissions"), "noPermission", "declined"],
      [new LanguageModelError("gone", "NotFound"), "notFound", "gone"],
      [new LanguageModelError("quota", "Blocked"), "blocked", "quota"],
      [new Error("net::ERR_INTERNET_DISCONNECTED"), "failed", "net::ERR_INTERNET_DISCONNECTED"],
      [{ isTrusted: true }, "failed", "it gave no reason"],
    ];
    for (const [failure, trouble, because] of failures) {
      told = [];
      lm.models = [speaking([new LanguageModelTextPart("half")], failure)];
      assert.deepEqual(await bridge().ask(ASKED, NEVER), { pieces: 1, trouble, because });
      assert.equal(told.length, 1);
    }
  });

  test("that are there no more are said to be gone", async () => {
    assert.deepEqual(await bridge().ask(ASKED, NEVER), { pieces: 0, trouble: "notFound", because: "" });
  });

  test("are looked for anew once they are others", () => {
    const one = bridge();
    othersCame();
    assert.deepEqual(told, [{ method: "model/changed", params: {} }]);
    one.dispose();
    othersCame();
    assert.equal(told.length, 1);
  });
});
