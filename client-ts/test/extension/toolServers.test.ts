import assert from "node:assert/strict";
import { beforeEach, describe, mock, test } from "node:test";
import { STILL_MS } from "../../src/card";
import { showToolServers } from "../../src/extension/toolServers";
import { fake } from "./editor";
import { settle } from "./made";

const SERVERS = [
  { name: "files", state: "running", tools: 1, says: "", lines: ["started $(zap)"] },
  { name: "github", state: "ended", tools: 0, says: "The server github is not there: no key is set.", lines: [] },
];

let asked: unknown[];

function request(servers: readonly unknown[]): (method: string, params: unknown) => Promise<unknown> {
  return (method, params) => {
    asked.push([method, params]);
    return Promise.resolve(
      method === "source/list" ? { servers } : { ...SERVERS[0], state: "stopped", tools: 0, lines: [] },
    );
  };
}

beforeEach(() => {
  fake.reset();
  asked = [];
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
});

describe("servers of tools", () => {
  test("are listed with how each is, and the chosen one is ended", async () => {
    const done = showToolServers(request(SERVERS));
    await settle();
    mock.timers.tick(STILL_MS);
    const labels = fake.picks[0]?.labels().join("\n") ?? "";
    assert.match(labels, /files/u);
    fake.picks.at(-1)?.choose("$(pass) files");
    await settle();
    mock.timers.tick(STILL_MS);
    assert.equal(fake.picks.at(-1)?.labels().join().includes("$(zap)"), false);
    fake.picks.at(-1)?.choose("Stop");
    await done;
    assert.deepEqual(asked, [
      ["source/list", {}],
      ["source/stop", { name: "files" }],
    ]);
    assert.equal(fake.messages[0]?.text, "files: ended by you.");
  });

  test("say how to set one up where there is none, and stay where nobody chose", async () => {
    await showToolServers(request([]));
    assert.match(fake.messages[0]?.text ?? "", /assent\.mcpServers/u);
    const done = showToolServers(request(SERVERS));
    await settle();
    fake.picks.at(-1)?.escape();
    await done;
    assert.deepEqual(asked, [
      ["source/list", {}],
      ["source/list", {}],
    ]);
  });
});
