import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { after, beforeEach, describe, test } from "node:test";
import type { ExtensionContext } from "vscode";
import { askAboutInterpreter, findCommand, launchWish, NothingToStart } from "../../../src/extension/server/launch";
import { fake, Uri, workspace } from "../editor";

const ROOT = mkdtempSync(join(tmpdir(), "assent-"));
const START = join(ROOT, "bundled", "start.py");
mkdirSync(join(ROOT, "bundled"));
writeFileSync(START, "");
after(() => rmSync(ROOT, { recursive: true }));

let kept: Record<string, unknown>;
let asked: Set<string>;
let context: ExtensionContext;

beforeEach(() => {
  fake.reset();
  kept = {};
  asked = new Set();
  context = {
    extensionPath: ROOT,
    globalState: {
      get: (key: string) => kept[key],
      update: (key: string, value: unknown) => {
        kept[key] = value;
        return Promise.resolve();
      },
    },
  } as unknown as ExtensionContext;
});

function open(folder: string): void {
  Object.assign(workspace, { workspaceFolders: [{ uri: Uri.file(folder) }] });
}

describe("what is started", () => {
  test("our own bundle, isolated, away from the workspace, by a Python of the machine", async () => {
    const { command, args, cwd } = await findCommand(context);
    assert.ok(isAbsolute(command));
    assert.deepEqual([args, cwd], [["-I", "-S", "-u", START, "serve"], ROOT]);
  });

  test("the person's own command, exactly as it is written", async () => {
    fake.layers = { serverCommand: { globalValue: [process.execPath, "assent", "serve"] } };
    assert.deepEqual(await findCommand(context), {
      command: process.execPath,
      args: ["assent", "serve"],
      cwd: ROOT,
    });
  });

  test("the interpreter of the user's settings", async () => {
    fake.layers = { interpreter: { globalValue: "python3" } };
    assert.match((await findCommand(context)).command, /^\/.*\/python3$/u);
  });

  test("nothing where that cannot be run, with a sentence that says so", async () => {
    fake.layers = { interpreter: { globalValue: "/gone" } };
    await assert.rejects(findCommand(context), (error) => {
      assert.ok(error instanceof NothingToStart);
      assert.match(error.message, /\/gone, from the setting `assent\.interpreter`, cannot be run/u);
      return true;
    });
  });

  test("nothing where there is no bundle, with a sentence that says so", async () => {
    const bare = { ...context, extensionPath: tmpdir() } as ExtensionContext;
    await assert.rejects(findCommand(bare), /carries no server/u);
  });
});

describe("an interpreter that the workspace names", () => {
  beforeEach(() => {
    open("/till");
    fake.layers = { interpreter: { workspaceValue: "/till/python" } };
  });

  test("is not used and restarts nothing until the person agrees", async () => {
    const before = launchWish(context.globalState);
    assert.ok(!(await findCommand(context)).command.startsWith("/till/"));
    fake.layers = {};
    assert.equal(launchWish(context.globalState), before);
  });

  test("is asked about once", async () => {
    fake.presses = ["Ignore It"];
    assert.equal(await askAboutInterpreter(context.globalState, asked), false);
    assert.match(fake.messages[0]?.text ?? "", /\/till\/python/u);
    await askAboutInterpreter(context.globalState, asked);
    assert.equal(fake.messages.length, 1);
  });

  test("is named in the question without becoming a link or an icon there", async () => {
    fake.layers = { interpreter: { workspaceValue: "/till/[x](command:y)$(check)" } };
    await askAboutInterpreter(context.globalState, asked);
    assert.doesNotMatch(fake.messages[0]?.text ?? "](", /\]\(|\$\(/u);
  });

  test("counts after the person agreed, in this workspace and for this value only", async () => {
    fake.presses = ["Use It Here"];
    const before = launchWish(context.globalState);
    assert.equal(await askAboutInterpreter(context.globalState, asked), true);
    const agreed = launchWish(context.globalState);
    assert.match(agreed, /\/till\/python/u);
    open("/elsewhere");
    assert.equal(launchWish(context.globalState), before);
    open("/till");
    fake.layers = { interpreter: { workspaceValue: "/till/python2" } };
    assert.equal(launchWish(context.globalState), before);
  });

  test("is neither asked about nor used while the workspace is not trusted", async () => {
    fake.presses = ["Use It Here"];
    await askAboutInterpreter(context.globalState, asked);
    Object.assign(workspace, { isTrusted: false });
    assert.doesNotMatch(launchWish(context.globalState), /till/u);
    assert.equal(await askAboutInterpreter(context.globalState, new Set()), false);
    assert.equal(fake.messages.length, 1);
  });
});
