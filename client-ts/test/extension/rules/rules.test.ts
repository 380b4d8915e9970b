import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, test } from "node:test";
import type { Uri as EditorUri } from "vscode";
import { openRule, removeRule, switchRule } from "../../../src/extension/rules/rule-commands";
import { groupsOf, RulesTree } from "../../../src/extension/rules/rules-list";
import { write } from "../../../src/extension/settings/settings";
import { isSettings, settingsFiles, shownAs } from "../../../src/extension/settings/settings-files";
import type { ListedRule } from "../../../src/shared/protocol";
import { env, fake, TreeItemCheckboxState, Uri, workspace, type TreeItem } from "../editor";
import { settle } from "../made";

const RULE: ListedRule = {
  rule: "shell(make test:*)",
  verdict: "allow",
  why: "Tests are safe here.",
  scope: "workspace",
  where: "this workspace, line 3",
  uri: "file:///till/.vscode/settings.json",
  line: 3,
  uses: 31,
  lastUsed: null,
  problem: null,
  chatId: null,
  folder: "",
  inSandbox: false,
  id: "allow:0:9f2c",
  on: true,
};

function rule(change: Partial<ListedRule> = {}): ListedRule {
  return { ...RULE, ...change };
}

function asEditor(uri: Uri): EditorUri {
  return uri as unknown as EditorUri;
}

beforeEach(() => fake.reset());

describe("the list of rules", () => {
  test("is grouped by where the rules are written, an organisation's first", () => {
    const groups = groupsOf([rule({ scope: "chat" }), rule(), rule({ scope: "managed" }), rule({ scope: "moon" })]);
    assert.deepEqual(
      groups.map(({ scope, rules }) => [scope, rules.length]),
      [
        ["managed", 1],
        ["workspace", 1],
        ["chat", 1],
        ["moon", 1],
      ],
    );
  });

  test("says of each rule what it does, how often it did, and what is wrong with it", async () => {
    const odd = rule({ verdict: "deny", uses: 0, scope: "managed", problem: "It never matches." });
    const tree = new RulesTree(() => Promise.resolve({ rules: [rule(), rule({ uses: 0, folder: "~/app", inSandbox: true }), odd] }));
    const groups = await tree.getChildren();
    const items = (await Promise.all(groups.map((group) => tree.getChildren(group))))
      .flat()
      .map((node) => tree.getTreeItem(node) as unknown as TreeItem & Record<string, unknown>);
    assert.deepEqual(
      items.map(({ description }) => description),
      ["denies · has a problem", "allows · used 31 times", "allows · only in ~/app · only in the sandbox · not used yet"],
    );
    assert.deepEqual(
      items.map(({ contextValue }) => contextValue),
      ["assentRuleFixed", "assentRuleSwitched", "assentRuleSwitched"],
    );
    assert.equal(items[1]?.["tooltip"], "Tests are safe here.\nthis workspace, line 3");
    assert.match(String(items[0]?.["tooltip"]), /^It never matches\./u);
  });

  test("is asked for once, however much changes within a moment", (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    let asked = 0;
    const tree = new RulesTree(() => Promise.resolve({ rules: [], asked: (asked += 1) }));
    tree.refreshSoon();
    tree.refreshSoon();
    assert.equal(asked, 0);
    context.mock.timers.tick(300);
    assert.equal(asked, 1);
    tree.refreshSoon();
    tree.refresh();
    context.mock.timers.tick(300);
    assert.equal(asked, 2, "what was to come has come");
  });

  test("is there at once when it is opened, by what the server said before", async () => {
    let answers = 0;
    const tree = new RulesTree(() => {
      answers += 1;
      return answers === 1 ? Promise.resolve({ rules: [rule()] }) : new Promise(() => undefined);
    });
    tree.refresh();
    await settle();
    tree.refresh();
    assert.deepEqual(
      (await tree.getChildren()).map((node) => "rules" in node && node.scope),
      ["workspace"],
    );
  });

  test("says of a rule when it decided last", async () => {
    const at = Date.UTC(2026, 10, 20, 12);
    const tree = new RulesTree(() => Promise.resolve({ rules: [rule({ lastUsed: at })] }));
    const [group] = await tree.getChildren();
    const [node] = await tree.getChildren(group);
    assert.ok(node !== undefined);
    const item = tree.getTreeItem(node) as unknown as Record<string, unknown>;
    assert.equal(item["description"], `allows · used 31 times · last on ${new Date(at).toLocaleDateString()}`);
  });

  test("has a box at each rule that can be switched, ticked where it is on", async () => {
    const rules = [rule(), rule({ on: false }), rule({ on: null }), rule({ scope: "chat" }), rule({ id: "", scope: "managed" })];
    const tree = new RulesTree(() => Promise.resolve({ rules }));
    const nodes = (await Promise.all((await tree.getChildren()).map((group) => tree.getChildren(group)))).flat();
    const items = nodes.map((node) => tree.getTreeItem(node) as unknown as TreeItem & Record<string, { state: number } | undefined>);
    const { Checked, Unchecked } = TreeItemCheckboxState;
    assert.deepEqual(
      items.map((item) => item["checkboxState"]?.state),
      [undefined, Checked, Unchecked, undefined, undefined],
    );
    assert.equal(items[2]?.["description"], "allows · switched off");
  });

  test("hands the rule of a box that was ticked or cleared to the command", async () => {
    new RulesTree(() => Promise.resolve({ rules: [] }));
    fake.ticked({
      items: [
        [rule(), TreeItemCheckboxState.Unchecked],
        [rule({ on: false }), TreeItemCheckboxState.Checked],
      ],
    });
    await settle();
    const handed = [rule(), rule({ on: false })].map((each) => ({ command: "assent.rules.switch", args: [each] }));
    assert.deepEqual(fake.executed, handed);
  });

  test("is empty while nobody can be asked", async () => {
    const tree = new RulesTree(() => Promise.reject(new Error("The server does not run.")));
    assert.deepEqual(await tree.getChildren(), []);
  });
});

describe("a rule in the list", () => {
  const asked: unknown[] = [];
  const request = (...each: readonly unknown[]): Promise<unknown> => Promise.resolve(asked.push(each));
  beforeEach(() => asked.splice(0));

  test("is shown at its line", async () => {
    await openRule(
      rule(),
      (uri) => uri,
      () => Promise.reject(new Error()),
    );
    const [shown] = fake.shown;
    assert.equal(shown?.uri, "file:/till/.vscode/settings.json");
    assert.equal((shown.options as { selection: { start: { line: number } } }).selection.start.line, 2);
  });

  test("is shown by its chat, or by the settings, where it stands in no file that is known", async () => {
    const chats: string[] = [];
    const show = (chatId: string): Promise<void> => Promise.resolve(void chats.push(chatId));
    await openRule(rule({ scope: "chat", uri: null, chatId: "c1" }), (uri) => uri, show);
    await openRule(rule({ scope: "user", uri: null }), (uri) => uri, show);
    assert.deepEqual(chats, ["c1"]);
    assert.deepEqual(
      fake.executed.map(({ command }) => command),
      ["workbench.action.openSettingsJson"],
    );
  });

  test("is taken out at once where it allows, and after a yes where it asks or denies", async () => {
    assert.equal(await removeRule(rule(), request), true);
    assert.equal(await removeRule(rule({ verdict: "deny" }), request), false);
    fake.presses = ["Take It Out"];
    assert.equal(await removeRule(rule({ verdict: "ask", scope: "chat", chatId: "c1" }), request), true);
    assert.deepEqual(asked, [
      ["policy/remove", { rule: RULE.rule, verdict: "allow", scope: "workspace", id: RULE.id }],
      ["policy/remove", { rule: RULE.rule, verdict: "ask", scope: "chat", id: RULE.id, chatId: "c1" }],
    ]);
  });

  test("is switched to the other, where settings that the editor writes have it", async () => {
    await switchRule(rule(), request);
    await switchRule(rule({ on: false }), request);
    await switchRule(rule({ scope: "chat" }), request);
    await switchRule(rule({ on: null }), request);
    await switchRule(undefined, request);
    assert.deepEqual(asked, [
      ["policy/switch", { verdict: "allow", scope: "workspace", id: RULE.id, on: false }],
      ["policy/switch", { verdict: "allow", scope: "workspace", id: RULE.id, on: true }],
    ]);
  });

  test("that was taken out of the settings comes back to its place, if that is wished for", async () => {
    const [first, mine, last] = ["shell(ls)", { rule: RULE.rule, why: "Tests are safe here." }, "shell(pwd)"];
    fake.layers["rules"] = { workspaceValue: { allow: [first, mine, last], deny: ["shell(x)"] } };
    fake.presses = ["Undo"];
    await removeRule(rule(), (...each) => {
      fake.layers["rules"] = { workspaceValue: { allow: [first, last], deny: ["shell(x)"] } };
      return request(...each);
    });
    await settle();
    assert.deepEqual(fake.updates, [{ key: "rules", value: { allow: [first, mine, last], deny: ["shell(x)"] }, target: 2 }]);
  });

  test("does not come back unasked, nor where it stands already", async () => {
    fake.layers["rules"] = { workspaceValue: { allow: [RULE.rule] } };
    await removeRule(rule(), request);
    fake.presses = ["Undo"];
    await removeRule(rule(), request);
    await settle();
    assert.deepEqual(fake.updates, []);
  });

  test("is left alone where it is not ours to take out, or where there is none", async () => {
    assert.equal(await removeRule(rule({ scope: "managed" }), request), false);
    assert.equal(await removeRule(rule({ id: "" }), request), false);
    assert.equal(await removeRule(undefined, request), false);
    await openRule(
      undefined,
      (uri) => uri,
      () => Promise.resolve(),
    );
    assert.deepEqual([asked, fake.shown, fake.executed], [[], [], []]);
  });
});

describe("the files of the settings", () => {
  test("are those of the person, where they are on this machine, and of the workspace", (context) => {
    const home = mkdtempSync(join(tmpdir(), "assent-"));
    context.after(() => rmSync(home, { recursive: true }));
    const storage = asEditor(Uri.file(join(home, "User/globalStorage/assent.assent")));
    assert.deepEqual(settingsFiles(storage), {});
    mkdirSync(join(home, "User"));
    writeFileSync(join(home, "User/settings.json"), "{}");
    Object.assign(workspace, { workspaceFolders: [{ uri: Uri.file("/till") }] });
    assert.deepEqual(settingsFiles(storage), {
      user: `file:${home}/User/settings.json`,
      workspace: "file:/till/.vscode/settings.json",
    });
    const own = asEditor(Uri.file(join(home, "User/settings.json")));
    assert.equal(shownAs(own, storage).scheme, "vscode-userdata");
    const other = asEditor(Uri.file("/till/.vscode/settings.json"));
    assert.equal(shownAs(other, storage), other);
    Object.assign(env, { remoteName: "ssh" });
    context.after(() => Object.assign(env, { remoteName: undefined }));
    assert.equal(shownAs(own, storage), own);
  });

  test("of a workspace of several folders are its own file, if it has one, and that of each folder", () => {
    const storage = asEditor(Uri.file("/nowhere/User/globalStorage/x"));
    const workspaceFolders = [{ uri: Uri.file("/a") }, { uri: Uri.file("/b") }];
    Object.assign(workspace, { workspaceFolders, workspaceFile: Uri.file("/ab.code-workspace") });
    const folders = ["file:/a/.vscode/settings.json", "file:/b/.vscode/settings.json"];
    assert.deepEqual(settingsFiles(storage), { workspace: "file:/ab.code-workspace", folders });
    Object.assign(workspace, { workspaceFile: new Uri("untitled", "Untitled-1") });
    assert.deepEqual(settingsFiles(storage), { folders });
  });

  test("are not written over while somebody's changes in them are not saved", async () => {
    const storage = asEditor(Uri.file("/nowhere/User/globalStorage/x"));
    const uri = Uri.file("/till/.vscode/settings.json");
    Object.assign(workspace, { workspaceFolders: [{ uri: Uri.file("/till") }], textDocuments: [{ uri, isDirty: true }] });
    const wish = { scope: "workspace", key: "rules", value: { allow: ["shell(ls)"] }, expected: null } as const;
    assert.deepEqual(await write(["rules"], wish, storage), {
      written: false,
      because: "`settings.json` has changes that are not saved. Save it, or undo them, and try again.",
    });
    assert.deepEqual(fake.updates, []);
    Object.assign(workspace, { textDocuments: [{ uri, isDirty: false }] });
    assert.deepEqual(await write(["rules"], wish, storage), { written: true });
    assert.equal(fake.updates.length, 1);
  });

  test("are known by their names, so that a saved one is read anew", () => {
    for (const path of ["/till/.vscode/settings.json", "/ab.code-workspace"]) {
      assert.ok(isSettings(asEditor(Uri.file(path))));
    }
    assert.ok(!isSettings(asEditor(Uri.file("/till/mysettings.json"))));
  });
});
