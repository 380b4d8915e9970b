import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { exportTo } from "../../../src/extension/history/history-export";
import { HistoryTab } from "../../../src/extension/history/history-tab";
import type { Request } from "../../../src/extension/server/bridge";
import type { HistoryFilter } from "../../../src/shared/protocol";
import { fake, Uri, window } from "../editor";
import { settle } from "../made";

let folder: string;
let asked: [string, unknown][];

beforeEach(() => {
  fake.reset();
  asked = [];
  folder = mkdtempSync(join(tmpdir(), "assent-test-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** An editor in which this file is chosen, and in which the person stops after so many pieces. */
function editor(to: Uri | undefined, stopAfter = 99): void {
  let told = 0;
  const token = {
    get isCancellationRequested(): boolean {
      return told >= stopAfter;
    },
  };
  const progress = { report: () => (told += 1) };
  type Work = (progress: unknown, token: unknown) => Promise<unknown>;
  Object.assign(window, {
    showSaveDialog: () => Promise.resolve(to),
    withProgress: (_: unknown, work: Work) => work(progress, token),
  });
}

const FILTER: HistoryFilter = { agent: "eliza", everywhere: true };
const request: Request = (method, params) => {
  asked.push([method, params]);
  const { before } = params as { before?: number };
  const piece = before === undefined ? { text: "a\n", next: 7, told: 2 } : { text: "b\n", next: null, told: 1 };
  return Promise.resolve(piece);
};

describe("what History exports", () => {
  test("is written piece after piece into a file for its person alone", async () => {
    const path = join(folder, "history.csv");
    editor(Uri.file(path));
    await exportTo({ kind: "export", form: "csv", filter: FILTER }, request);
    assert.equal(readFileSync(path, "utf8"), "a\nb\n");
    assert.equal(statSync(path).mode & 0o077, 0);
    assert.deepEqual(asked, [
      ["history/export", { form: "csv", filter: FILTER }],
      ["history/export", { form: "csv", filter: FILTER, before: 7 }],
    ]);
    assert.match(fake.messages[0]?.text ?? "", /^3 records written to/u);
  });

  test("stops where the person stops it, and asks nothing where they draw back", async () => {
    editor(Uri.file(join(folder, "some.jsonl")), 1);
    await exportTo({ form: "jsonl", filter: {} }, request);
    assert.equal(asked.length, 1);
    editor(undefined);
    await exportTo({ form: "jsonl", filter: {} }, request);
    assert.equal(asked.length, 1);
  });

  test("goes into no file of another machine", async () => {
    editor(Uri.parse("vscode-remote://x/y.csv"));
    await assert.rejects(exportTo({ form: "csv", filter: {} }, request), /of this machine only/u);
    assert.equal(asked.length, 0);
  });
});

describe("the History page", () => {
  let hear: (message: unknown) => void;
  let posted: unknown[];
  let html: string;

  function tab(state: "ready" | "dead" = "ready"): HistoryTab {
    posted = [];
    const webview = {
      cspSource: "https://editor.test",
      onDidReceiveMessage: (listener: typeof hear) => (hear = listener),
      postMessage: (message: unknown) => Promise.resolve(posted.push(message)),
      asWebviewUri: (uri: Uri) => uri,
      set html(text: string) {
        html = text;
      },
    };
    const panel = { webview, reveal: () => undefined, dispose: () => undefined, onDidDispose: () => undefined };
    Object.assign(window, {
      registerWebviewPanelSerializer: () => ({ dispose: () => undefined }),
      createWebviewPanel: () => panel,
    });
    const made = new HistoryTab(Uri.file("/extension") as never, { request, state });
    made.show();
    return made;
  }

  test("may ask about history and for nothing else", async () => {
    tab();
    hear({ kind: "request", id: 1, method: "history/list", params: {} });
    for (const [id, method] of ["tool/approvalResponse", "policy/remove", "history/export"].entries()) {
      hear({ kind: "request", id: id + 2, method, params: {} });
    }
    hear({ kind: "runCommand", command: "openSettings" });
    await settle();
    assert.deepEqual(asked, [["history/list", {}]]);
    const errors = posted.filter((answer) => "error" in (answer as object));
    assert.equal(errors.length, 3);
    assert.deepEqual(fake.executed, []);
  });

  test("is told when the server can be asked, and says so where it cannot", async () => {
    const made = tab("dead");
    hear({ kind: "ready" });
    hear({ kind: "request", id: 1, method: "history/list", params: {} });
    await settle();
    assert.match(JSON.stringify(posted), /server is not running/u);
    made.serverIsReady();
    made.take("tool/approvalSettled");
    made.take("agent/event");
    assert.deepEqual(posted.slice(1), [{ kind: "ready" }, { kind: "changed" }]);
    assert.match(html, /script-src 'nonce-/u);
    assert.match(html, /history\.js/u);
  });
});
