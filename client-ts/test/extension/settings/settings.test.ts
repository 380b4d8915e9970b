import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, test } from "node:test";
import { declaredKeys, inspect, joined, ofPerson, write } from "../../../src/extension/settings/settings";
import { ConfigurationTarget, fake, Uri, workspace } from "../editor";
import { STORAGE } from "../made";

declare const __CLIENT__: string;

const MANIFEST: unknown = JSON.parse(readFileSync(join(__CLIENT__, "package.json"), "utf8"));

beforeEach(() => fake.reset());

describe("who wrote what", () => {
  test("the keys are those of the manifest, without the section's name", () => {
    const keys = declaredKeys(MANIFEST);
    assert.ok(keys.includes("bypassPermissions"));
    assert.ok(keys.includes("interpreter"));
    assert.ok(keys.every((key) => /^[a-zA-Z]+$/u.test(key)));
  });

  test("a manifest may keep its settings in several blocks", () => {
    const configuration = [{ properties: { "assent.mode": {}, "other.key": {} } }, { properties: { "assent.agents": {} } }];
    assert.deepEqual(declaredKeys({ contributes: { configuration } }), ["mode", "agents"]);
  });

  test("each layer is told apart, and so is the trust in the workspace", () => {
    fake.layers = {
      mode: { defaultValue: "default", globalValue: "ask", workspaceValue: "auto" },
      agents: {},
    };
    Object.assign(workspace, { isTrusted: false });
    assert.deepEqual(JSON.parse(JSON.stringify(inspect(["mode", "agents", "unknown"], STORAGE))), {
      trusted: false,
      files: {},
      keys: { mode: { default: "default", user: "ask", workspace: "auto" }, agents: {}, unknown: {} },
    });
  });

  test("of what is the person's alone to say, a workspace's word does not count", () => {
    fake.layers = { notifications: { defaultValue: true, workspaceValue: false, workspaceFolderValue: false } };
    assert.equal(ofPerson("notifications"), true);
    fake.layers = { notifications: { defaultValue: true, globalValue: false, workspaceValue: true } };
    assert.equal(ofPerson("notifications"), false);
  });

  test("what the folders of a workspace say is put together", () => {
    const [a, b] = [Uri.file("/a"), Uri.file("/b")];
    Object.assign(workspace, { workspaceFolders: [{ uri: a }, { uri: b }] });
    fake.folderLayers = {
      [a.toString()]: { rules: { workspaceFolderValue: { deny: ["shell(rm:*)"] } } },
      [b.toString()]: { rules: { workspaceFolderValue: { deny: ["read(./.env)"], ask: ["x"] } } },
    };
    assert.deepEqual(inspect(["rules"], STORAGE).keys["rules"]?.folder, {
      deny: ["shell(rm:*)", "read(./.env)"],
      ask: ["x"],
    });
  });

  test("where folders disagree, all that they say is handed on, which no setting can be", () => {
    assert.deepEqual(joined(["plan", "auto"]), ["plan", "auto"]);
    assert.equal(joined([]), undefined);
    assert.deepEqual(joined([{ Eliza: false }, { Eliza: true, Codex: true }]), { Eliza: [false, true], Codex: true });
  });
});

describe("writing a setting", () => {
  const keys = ["bypassPermissions"];
  const folders = [{ uri: Uri.file("/a") }];

  test("goes through the editor's own settings, into the layer that was named", async () => {
    Object.assign(workspace, { workspaceFolders: folders });
    const value = { Eliza: true };
    for (const scope of ["user", "workspace"] as const) {
      assert.deepEqual(await write(keys, { scope, key: "bypassPermissions", value, expected: null }, STORAGE), { written: true });
    }
    assert.deepEqual(fake.updates, [
      { key: "bypassPermissions", value, target: ConfigurationTarget.Global },
      { key: "bypassPermissions", value, target: ConfigurationTarget.Workspace },
    ]);
  });

  test("null takes the key out", async () => {
    await write(keys, { scope: "user", key: "bypassPermissions", value: null, expected: null }, STORAGE);
    assert.equal(fake.updates[0]?.value, undefined);
  });

  test("without a folder there are no workspace settings, and it is said so", async () => {
    const told = await write(keys, { scope: "workspace", key: "bypassPermissions", value: {}, expected: null }, STORAGE);
    assert.equal(told.written, false);
    assert.match(told.because ?? "", /No folder is open/u);
    assert.deepEqual(fake.updates, []);
  });

  test("a key that the manifest does not declare is not written", async () => {
    const told = await write(keys, { scope: "user", key: "serverCommand", value: ["evil"], expected: null }, STORAGE);
    assert.deepEqual(told, { written: false, because: "There is no setting `assent.serverCommand`." });
    assert.deepEqual(fake.updates, []);
  });

  test("what the editor refuses is told with its reason", async () => {
    fake.updateFails = "the file has unsaved changes";
    const told = await write(keys, { scope: "user", key: "bypassPermissions", value: {}, expected: null }, STORAGE);
    assert.equal(told.written, false);
    assert.match(told.because ?? "", /unsaved changes/u);
  });

  test("is not done where something else stands there than was read", async () => {
    const value = { allow: ["shell(ls)"] };
    fake.layers = { rules: { globalValue: { deny: ["shell(rm:*)"], allow: [] } } };
    const stale = { scope: "user", key: "rules", value, expected: { value: null } } as const;
    const told = await write(["rules"], stale, STORAGE);
    assert.deepEqual([told.written, told.changed], [false, true]);
    assert.match(told.because ?? "", /changed meanwhile/u);
    assert.deepEqual(fake.updates, []);
    const fresh = { ...stale, expected: { value: { allow: [], deny: ["shell(rm:*)"] } } };
    assert.deepEqual(await write(["rules"], fresh, STORAGE), { written: true });
    fake.layers = {};
    assert.deepEqual(await write(["rules"], stale, STORAGE), { written: true });
  });
});
