import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { mayPass, newsForView, pass, readFromView } from "../../../src/extension/server/bridge";
import { METHODS, type MethodName } from "../../../src/shared/protocol";

const TABLE = Object.entries(METHODS) as [MethodName, (typeof METHODS)[MethodName]][];

describe("the allow-list", () => {
  for (const [method, { sender, request, webview }] of TABLE) {
    test(`a view ${webview && sender === "client" ? "may" : "may not"} send ${method}`, () => {
      assert.equal(mayPass(method, "webview"), webview && sender === "client" && request);
    });
    test(`the server's ${method} ${webview && sender === "server" ? "reaches" : "does not reach"} a view`, () => {
      assert.equal(mayPass(method, "server"), webview && sender === "server" && !request);
    });
  }

  test("the editor's own duties are out of a view's reach in both directions", () => {
    for (const method of ["settings/write", "secret/get", "secret/set", "ui/confirm"] as const) {
      assert.equal(mayPass(method, "webview"), false);
      assert.equal(mayPass(method, "server"), false);
    }
  });

  test("names that are in no table do not pass, nor do those that every object has", () => {
    for (const name of ["", "tool/forged", "initialize", "shutdown", "toString", "__proto__", "constructor"]) {
      assert.equal(mayPass(name, "webview"), false, name);
      assert.equal(mayPass(name, "server"), false, name);
    }
  });

  test("the news for a view are exactly the notifications that the table lets through", () => {
    assert.deepEqual(newsForView(), ["tool/approvalRequest", "tool/approvalSettled", "agent/event"]);
  });
});

describe("passing a request on", () => {
  test("the parameters and the answer go through untouched", async () => {
    const params = { chatId: "a", anything: [1, null] };
    const result = { deep: { unread: true } };
    const answer = await pass({ kind: "request", id: 7, method: "agent/prompt", params }, (method, given) => {
      assert.equal(method, "agent/prompt");
      assert.equal(given, params);
      return Promise.resolve(result);
    });
    assert.deepEqual(answer, { kind: "answer", id: 7, result });
    assert.equal(answer.result, result);
  });

  test("a request that may not pass never reaches the server", async () => {
    let sent = 0;
    for (const [method] of TABLE.filter(([name]) => !mayPass(name, "webview"))) {
      const answer = await pass({ kind: "request", id: 1, method, params: {} }, () => {
        sent += 1;
        return Promise.resolve({});
      });
      assert.deepEqual(answer, {
        kind: "answer",
        id: 1,
        error: `A view may not send \`${method}\`.`,
      });
    }
    assert.equal(sent, 0);
  });

  test("a refusal comes back as its sentence", async () => {
    const answer = await pass({ kind: "request", id: 2, method: "agent/list", params: {} }, () =>
      Promise.reject(new Error("There is no such chat.")),
    );
    assert.deepEqual(answer, { kind: "answer", id: 2, error: "There is no such chat." });
  });
});

describe("reading what a view says", () => {
  const fine = [
    { kind: "ready" },
    { kind: "request", id: 1, method: "agent/list", params: {} },
    { kind: "openLink", url: "https://example.org" },
    { kind: "reveal", uri: "file:///a" },
    { kind: "showOutput", chatId: "a", shellId: "1" },
    { kind: "runCommand", command: "showLog" },
    { kind: "looks", focused: true, composerEmpty: false, cardShown: null, title: null },
    { kind: "looks", focused: true, composerEmpty: false, cardShown: "a", cardFocused: true, title: "Rounding" },
  ];
  for (const message of fine) {
    test(`takes ${JSON.stringify(message)}`, () => assert.equal(readFromView(message), message));
  }

  const odd: readonly unknown[] = [
    undefined,
    null,
    "ready",
    [],
    {},
    { kind: 1 },
    { kind: "toString" },
    { kind: "execute", command: "rm" },
    { kind: "request", id: "1", method: "agent/list" },
    { kind: "request", id: 1, method: ["agent/list"] },
    { kind: "openLink" },
    { kind: "showOutput", chatId: "a", shellId: 1 },
    { kind: "looks", focused: "yes", composerEmpty: true, cardShown: null, title: null },
    { kind: "looks", focused: true, composerEmpty: true, cardShown: 3, title: null },
    { kind: "looks", focused: true, composerEmpty: true, cardShown: null, title: 7 },
  ];
  for (const message of odd) {
    test(`refuses ${JSON.stringify([message])}`, () => {
      assert.equal(readFromView(message), null);
    });
  }
});
