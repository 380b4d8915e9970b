import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { STILL_MS } from "../../../src/shared/card";
import { addModel } from "../../../src/extension/models/add-model";
import type { ModelAdded, ModelsOffered } from "../../../src/shared/protocol";
import { fake } from "../editor";
import { settle } from "../made";

const URL = "http://127.0.0.1:1234/v1";
const HOSTS = [
  { id: "openai", name: "OpenAI", url: "https://api.openai.com/v1", keyName: "OPENAI_API_KEY", hasKey: false },
  { id: "azure", name: "Azure OpenAI", url: "", keyName: "", hasKey: false },
  { id: "address", name: "Another address", url: "", keyName: "", hasKey: false },
];
const OFFERED: ModelsOffered = { models: ["tiny", "huge"], url: URL, keyName: "KEY_HERE", because: "", wantsKey: false };
const ADDED: ModelAdded = { modelId: "openai/tiny", because: "", wantsKey: false };
const NO_KEY = { because: "It does not accept the key.", wantsKey: true };
const WANTING: ModelsOffered = { ...OFFERED, models: [], keyName: "OPENAI_API_KEY", because: "OpenAI wants a key.", wantsKey: true };

let kept: Map<string, string>;
let keeps: boolean;
let asked: { method: string; params: unknown }[];
let offers: ModelsOffered[];
let adds: ModelAdded[];

const secrets = {
  get: (place: string) => Promise.resolve(kept.get(place)),
  store: (place: string, key: string) => (keeps ? Promise.resolve(void kept.set(place, key)) : Promise.reject(new Error("no keyring"))),
  delete: (place: string) => Promise.resolve(void kept.delete(place)),
};

function request(method: string, params: unknown): Promise<unknown> {
  asked.push({ method, params });
  const answers: Record<string, () => unknown> = {
    "model/hosts": () => ({ hosts: HOSTS }),
    "model/offered": () => offers.shift() ?? OFFERED,
    "model/add": () => adds.shift() ?? ADDED,
  };
  return Promise.resolve(answers[method]?.());
}

/** Choose these lines, one after another, as the lists come. */
async function added(...lines: readonly string[]): Promise<string | null> {
  const done = addModel({ request, secrets });
  done.catch(() => undefined);
  for (const [at, line] of lines.entries()) {
    for (let turn = 0; turn < 10 && fake.picks.length <= at; turn += 1) await settle();
    mock.timers.tick(STILL_MS);
    assert.equal(fake.picks.length, at + 1, `no list came for ${line}`);
    fake.picks.at(-1)?.choose(line);
  }
  return done;
}

function paramsOf(method: string): unknown[] {
  return asked.filter((each) => each.method === method).map(({ params }) => params);
}

beforeEach(() => {
  fake.reset();
  kept = new Map();
  keeps = true;
  asked = [];
  offers = [];
  adds = [];
  mock.timers.enable({ apis: ["Date"] });
});
afterEach(() => mock.timers.reset());

describe("a model", () => {
  test("is added by two choices and an address", async () => {
    fake.inputs = [URL];
    assert.equal(await added("Another address", "tiny"), "openai/tiny");
    assert.deepEqual(paramsOf("model/offered"), [{ hostId: "address", url: URL }]);
    assert.deepEqual(paramsOf("model/add"), [{ hostId: "address", url: URL, model: "tiny", untried: false }]);
    assert.deepEqual([...kept], [], "no key was wanted, so none was asked for");
  });

  test("of a resource on Azure is added by the name of the resource and of the deployment", async () => {
    fake.inputs = ["my-resource", "mini"];
    assert.equal(await added("Azure OpenAI"), "openai/tiny");
    assert.deepEqual(paramsOf("model/add"), [{ hostId: "azure", url: "my-resource", model: "mini", untried: false }]);
  });

  test("is added with a key that goes into the storage and into no message", async () => {
    fake.inputs = ["sk-1"];
    offers = [WANTING];
    assert.equal(await added("OpenAI", "huge"), "openai/tiny");
    assert.deepEqual([...kept], [["assent.modelKey.OPENAI_API_KEY", "sk-1"]]);
    assert.equal(fake.boxes[0]?.password, true);
    assert.doesNotMatch(JSON.stringify([asked, fake.messages, fake.picks.map(({ items }) => items)]), /sk-1/u);
  });

  test("whose key is wrong has it asked for again, with the host's reason", async () => {
    fake.inputs = [URL, "wrong", "right"];
    offers = [
      { ...OFFERED, ...NO_KEY, models: [] },
      { ...OFFERED, ...NO_KEY, models: [] },
    ];
    assert.equal(await added("Another address", "tiny"), "openai/tiny");
    assert.deepEqual([...kept], [["assent.modelKey.KEY_HERE", "right"]]);
    assert.match(JSON.stringify(fake.boxes[1]), /does not accept the key/u);
  });

  test("leaves the key of before where the person gives up", async () => {
    kept.set("assent.modelKey.KEY_HERE", "before");
    fake.inputs = [URL, "wrong", undefined];
    offers = [
      { ...OFFERED, ...NO_KEY, models: [] },
      { ...OFFERED, ...NO_KEY, models: [] },
    ];
    assert.equal(await added("Another address"), null);
    assert.deepEqual([...kept], [["assent.modelKey.KEY_HERE", "before"]]);
    assert.deepEqual(paramsOf("model/add"), []);
  });

  test("keeps no key that its host did not accept, where there was none before", async () => {
    fake.inputs = ["wrong", undefined];
    offers = [WANTING, WANTING];
    assert.equal(await added("OpenAI"), null);
    assert.deepEqual([...kept], []);
  });

  test("that does not reply is a sentence, and is added only where the person says so", async () => {
    fake.inputs = [URL];
    adds = [{ modelId: null, because: "It has said nothing for a minute.", wantsKey: false }];
    fake.presses = ["Add It Anyway"];
    assert.equal(await added("Another address", "tiny"), "openai/tiny");
    assert.deepEqual(
      fake.messages.map(({ text }) => text),
      ["It has said nothing for a minute."],
    );
    assert.deepEqual(
      paramsOf("model/add").map((each) => (each as { untried: boolean }).untried),
      [false, true],
    );
  });

  test("of a host that lists none is named by the person", async () => {
    fake.inputs = [URL, "  mine "];
    offers = [{ ...OFFERED, models: [], because: "It lists no model." }];
    fake.presses = ["Another One…"];
    assert.equal(await added("Another address"), "openai/tiny");
    assert.equal((paramsOf("model/add")[0] as { model: string }).model, "mine");
  });

  test("is not added where an editor keeps no secrets, and it is said what to do", async () => {
    keeps = false;
    fake.inputs = ["sk-1"];
    offers = [WANTING];
    await assert.rejects(added("OpenAI"), { message: /keeps no secrets.*Set OPENAI_API_KEY in the environment/u });
    assert.deepEqual(paramsOf("model/add"), []);
  });
});
