import assert from "node:assert/strict";
import { beforeEach, describe, mock, test } from "node:test";
import { STILL_MS } from "../../../src/shared/card";
import { forgetRepository } from "../../../src/extension/agents/forget-repository";
import { fake } from "../editor";
import { settle } from "../made";

const ANSWERS = [
  { digest: "d1", agent: "Codex", folder: "/w", files: [".codex/config.toml"], standing: "declined", at: 1 },
  { digest: "d2", agent: "Claude $(zap)", folder: "/w", files: [".mcp.json"], standing: "granted", at: 0 },
];

let asked: unknown[];

function request(answers: readonly unknown[]): (method: string, params: unknown) => Promise<unknown> {
  return (method, params) => {
    asked.push([method, params]);
    return Promise.resolve(method === "repository/list" ? { answers } : {});
  };
}

beforeEach(() => {
  fake.reset();
  asked = [];
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
});

describe("what was said of a repository", () => {
  test("is listed by agent, and the chosen one is forgotten", async () => {
    const done = forgetRepository(request(ANSWERS));
    await settle();
    mock.timers.tick(STILL_MS);
    assert.equal(fake.picks[0]?.labels().join().includes("$(zap)"), false);
    fake.picks.at(-1)?.choose("Codex");
    await done;
    assert.deepEqual(asked, [
      ["repository/list", {}],
      ["repository/forget", { digest: "d1" }],
    ]);
    assert.match(fake.messages[0]?.text ?? "", /next chat with Codex asks you again/u);
  });

  test("stays where nobody chose, and where there is nothing that is said", async () => {
    const done = forgetRepository(request(ANSWERS));
    await settle();
    fake.picks[0]?.escape();
    await done;
    await forgetRepository(request([]));
    assert.deepEqual(asked, [
      ["repository/list", {}],
      ["repository/list", {}],
    ]);
    assert.match(fake.messages[0]?.text ?? "", /nothing that you said/u);
  });
});
