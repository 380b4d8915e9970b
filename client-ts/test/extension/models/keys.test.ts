import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import type { CancellationToken, ExtensionContext, LogOutputChannel } from "vscode";
import { STILL_MS } from "../../../src/shared/card";
import { answers, type Asked, type Helpers } from "../../../src/extension/connection/server-requests";
import type { Diffs } from "../../../src/extension/cards/diffs";
import { environmentFor } from "../../../src/extension/server/environment";
import { namesKnown, secretsNamed, setAgentSecret, setModelKey } from "../../../src/extension/models/keys";
import { untraced } from "../../../src/extension/connection/untraced-log";
import { METHODS } from "../../../src/shared/protocol";
import { CancellationTokenSource, fake, LogLevel } from "../editor";
import { settle, STORAGE } from "../made";

let kept: Map<string, string>;
const NO_HELPERS = { problems: undefined, models: undefined } as unknown as Helpers;
/** Nobody draws back. */
const NEVER = new CancellationTokenSource().token as unknown as CancellationToken;
const secrets = {
  get: (place: string) => Promise.resolve(kept.get(place)),
  store: (place: string, key: string) => Promise.resolve(void kept.set(place, key)),
  delete: (place: string) => Promise.resolve(void kept.delete(place)),
};

async function choose(label: string): Promise<boolean> {
  const done = setModelKey(secrets);
  await settle();
  mock.timers.tick(STILL_MS);
  fake.picks.at(-1)?.choose(label);
  return done;
}

beforeEach(() => {
  fake.reset();
  kept = new Map();
  mock.timers.enable({ apis: ["Date"] });
});
afterEach(() => mock.timers.reset());

describe("the key of a model", () => {
  test("is kept where the server's question for it looks", async () => {
    fake.inputs = [" sk-1 \n"];
    assert.equal(await choose("OPENAI_API_KEY"), true);
    const context = { extension: { packageJSON: {} }, globalStorageUri: STORAGE, secrets };
    const nobody = undefined as unknown;
    const asked = answers(context as unknown as ExtensionContext, nobody as Diffs, NO_HELPERS);
    assert.deepEqual(await asked["secret/get"]({ name: "modelKey.OPENAI_API_KEY" }, NEVER), { value: "sk-1" });
  });

  test("is typed into a box that hides it, and is in no message", async () => {
    fake.inputs = ["sk-1"];
    await choose("OPENAI_API_KEY");
    assert.equal(fake.boxes[0]?.password, true);
    assert.doesNotMatch(JSON.stringify([fake.messages, fake.picks[0]?.items]), /sk-1/u);
  });

  test("is taken out by an empty line", async () => {
    kept.set("assent.modelKey.ANTHROPIC_API_KEY", "sk-0");
    fake.inputs = [""];
    assert.equal(await choose("ANTHROPIC_API_KEY"), true);
    assert.deepEqual([...kept], []);
  });

  test("stays where the person draws back", async () => {
    kept.set("assent.modelKey.ANTHROPIC_API_KEY", "sk-0");
    assert.equal(await choose("ANTHROPIC_API_KEY"), false);
    assert.equal(kept.get("assent.modelKey.ANTHROPIC_API_KEY"), "sk-0");
  });

  test("can have a name of its own, but no other kind of name", async () => {
    fake.inputs = ["MY_KEY", "sk-2"];
    await choose("Another name…");
    assert.deepEqual([...kept], [["assent.modelKey.MY_KEY", "sk-2"]]);
    const validate = fake.boxes[0]?.validateInput as (text: string) => unknown;
    assert.equal(validate("a_1"), null);
    for (const bad of ["", "1a", "a-b", "a b", "ä", "x".repeat(129), "attestationKey."]) {
      assert.notEqual(validate(bad), null, bad);
    }
    fake.inputs = ["not a name", "sk-3"];
    assert.equal(await choose("Another name…"), false);
  });

  test("is listed by the person's own settings, and never by a workspace's", async () => {
    fake.layers = {
      models: { globalValue: [{ key: "MY_KEY" }, { key: "" }, { key: 3 }, null], workspaceValue: [{ key: "THEIRS" }] },
    };
    kept.set("assent.modelKey.MY_KEY", "sk-2");
    const done = setModelKey(secrets);
    await settle();
    const [list] = fake.picks;
    assert.deepEqual(list?.labels(), ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "MY_KEY", "Another name…"]);
    assert.deepEqual(
      list.items.map(({ description }) => description),
      ["", "", "stored", undefined],
    );
    list.escape();
    assert.equal(await done, false);
  });

  test("needs no settings that make sense", () => {
    for (const odd of [null, "x", { key: "A" }, [[]]]) {
      assert.deepEqual(namesKnown(odd), ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"]);
    }
  });

  test("is out of a page's reach", () => {
    assert.deepEqual([METHODS["secret/get"].webview, METHODS["secret/set"].webview], [false, false]);
  });
});

describe("a key in the editor's environment", () => {
  beforeEach(() => (process.env["OUR_GATEWAY"] = "sk-planted"));
  afterEach(() => delete process.env["OUR_GATEWAY"]);

  test("is in no environment of the server's, and what that needs to work is", () => {
    const kept = { PATH: "/bin", HOME: "/home/me", LC_ALL: "C", HTTPS_PROXY: "http://p", ASSENT_STATE_DIR: "/s" };
    const left = { OPENAI_API_KEY: "k", VSCODE_IPC_HOOK: "x", VSCODE_NLS_DIR: "x", ELECTRON_RUN_AS_NODE: "1", PATHS: "x", A_TOKEN: "k" };
    assert.deepEqual(environmentFor({ ...kept, ...left }), kept);
    assert.equal(JSON.stringify(environmentFor(process.env)).includes("sk-planted"), false);
  });

  test("is sent when the server asks for the variable, and only for that", async () => {
    const context = { extension: { packageJSON: {} }, globalStorageUri: STORAGE, secrets };
    const asked = answers(context as unknown as ExtensionContext, undefined as unknown as Diffs, NO_HELPERS);
    assert.deepEqual(await asked["secret/get"]({ name: "variable.OUR_GATEWAY" }, NEVER), { value: "sk-planted" });
    assert.deepEqual(await asked["secret/get"]({ name: "modelKey.OUR_GATEWAY" }, NEVER), { value: null });
    assert.deepEqual(await asked["secret/get"]({ name: "variable.NOT_SET_ANYWHERE" }, NEVER), { value: null });
  });
});

test("nothing that passes is traced into the log, whatever its level is", () => {
  const lines: string[] = [];
  const log = { logLevel: LogLevel.Trace, trace: (line: string) => lines.push(line), info: (line: string) => lines.push(line) };
  const channel = untraced(log as unknown as LogOutputChannel);
  channel.trace("Result: sk-1");
  assert.deepEqual([lines, channel.logLevel], [[], LogLevel.Off]);
});

describe("the secret of an agent", () => {
  const asked = (): Asked => {
    const context = { extension: { packageJSON: {} }, globalStorageUri: STORAGE, secrets };
    const nobody = undefined as unknown;
    return answers(context as unknown as ExtensionContext, nobody as Diffs, NO_HELPERS);
  };

  test("is asked for in a box that hides it, and kept where the server's question looks", async () => {
    fake.inputs = [" t-1 \n"];
    assert.deepEqual(await asked()["ui/askSecret"]({ name: "TOKEN", agent: "Copilot" }, NEVER), { kept: true });
    assert.equal(fake.boxes[0]?.password, true);
    assert.match(JSON.stringify(fake.boxes[0]), /Copilot.*TOKEN/u);
    assert.deepEqual(await asked()["secret/get"]({ name: "agentSecret.TOKEN" }, NEVER), { value: "t-1" });
    assert.deepEqual(await asked()["secret/get"]({ name: "modelKey.TOKEN" }, NEVER), { value: null });
    assert.doesNotMatch(JSON.stringify(fake.messages), /t-1/u);
  });

  test("is none where the person draws back or says nothing", async () => {
    for (const typed of [undefined, "  "]) {
      fake.inputs = typed === undefined ? [] : [typed];
      assert.deepEqual(await asked()["ui/askSecret"]({ name: "TOKEN", agent: "x" }, NEVER), { kept: false });
    }
    assert.deepEqual([...kept], []);
  });

  test("of a workspace's server is what the person says, kept for that server alone", async () => {
    const name = `serverInput.${"0".repeat(32)}`;
    const wanted = { name, server: "workspace-db", input: "key", says: "The key", hidden: true, options: [], isKept: false };
    fake.inputs = [" open sesame \n"];
    assert.deepEqual(await asked()["ui/askInput"](wanted, NEVER), { kept: true });
    assert.equal(fake.boxes[0]?.password, true);
    assert.match(JSON.stringify(fake.boxes[0]), /workspace-db.*key.*The key/u);
    assert.deepEqual(await asked()["secret/get"]({ name }, NEVER), { value: "open sesame" });
    assert.deepEqual(await asked()["secret/get"]({ name: `serverInput.${"1".repeat(32)}` }, NEVER), { value: null });
    // Who draws back leaves what is kept.
    assert.deepEqual(await asked()["ui/askInput"]({ ...wanted, isKept: true }, NEVER), { kept: false });
    assert.deepEqual(await asked()["secret/get"]({ name }, NEVER), { value: "open sesame" });
  });

  test("is asked for with the words of the workspace's file, of which none is a link or an icon", async () => {
    const name = `serverInput.${"0".repeat(32)}`;
    const says = "$(verified) [Sign in](command:workbench.action.quit)";
    await asked()["ui/askInput"]({ name, server: "workspace-db", input: "key", says, hidden: true, options: [], isKept: false }, NEVER);
    const prompt = JSON.stringify(fake.boxes.at(-1));
    assert.match(prompt, /Sign in/u);
    assert.doesNotMatch(prompt, /\]\(|\$\(/u);
  });

  test("is named by the settings of agents alone", () => {
    const agents = { a: { env: { A: "x-${secret:ONE}", B: "${env:NO} ${secret:TWO}" } }, b: { env: { A: "${secret:ONE}" } } };
    assert.deepEqual(secretsNamed(agents), ["ONE", "TWO"]);
    assert.deepEqual(secretsNamed(undefined), []);
  });

  test("may be set ahead, under its name", async () => {
    fake.inputs = ["TOKEN", "t-2"];
    const done = setAgentSecret(secrets);
    await settle();
    mock.timers.tick(STILL_MS);
    fake.picks.at(-1)?.choose("Another name…");
    assert.equal(await done, true);
    assert.deepEqual([...kept], [["assent.agentSecret.TOKEN", "t-2"]]);
  });
});
