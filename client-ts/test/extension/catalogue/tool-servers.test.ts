import assert from "node:assert/strict";
import { beforeEach, describe, mock, test } from "node:test";
import { STILL_MS } from "../../../src/shared/card";
import { showToolServers } from "../../../src/extension/catalogue/tool-servers";
import { fake } from "../editor";
import { settle } from "../made";

const SERVERS = [
  { name: "files", state: "running", account: "none", tools: 1, says: "", lines: ["started $(zap)"] },
  { name: "github", state: "ended", account: "none", tools: 0, says: "The server github is not there: no key is set.", lines: [] },
];

let asked: unknown[];

function request(servers: readonly unknown[]): (method: string, params: unknown) => Promise<unknown> {
  return (method, params) => {
    asked.push([method, params]);
    return Promise.resolve(method === "source/list" ? { servers } : { ...SERVERS[0], state: "stopped", tools: 0, lines: [] });
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

  test("that let nobody in are logged in to first of all, and logged out of where somebody is in", async () => {
    const locked = { ...SERVERS[1], state: "locked", account: "out" };
    const done = showToolServers(request([locked]));
    await settle();
    mock.timers.tick(STILL_MS);
    fake.picks.at(-1)?.choose("$(lock) github");
    await settle();
    mock.timers.tick(STILL_MS);
    assert.deepEqual(fake.picks.at(-1)?.labels().slice(0, 3), ["Log in", "Log out", "Restart"]);
    fake.picks.at(-1)?.choose("Log in");
    await done;
    const back = "You are back. This page can be closed; the editor tells what came of it.";
    assert.deepEqual(asked.at(-1), ["source/logIn", { name: "github", back, odd: "Nobody waits for this here." }]);
    const again = showToolServers(request([{ ...SERVERS[0], account: "in" }]));
    await settle();
    mock.timers.tick(STILL_MS);
    fake.picks.at(-1)?.choose("$(pass) files");
    await settle();
    mock.timers.tick(STILL_MS);
    assert.deepEqual(fake.picks.at(-1)?.labels().slice(0, 4), ["Restart", "Stop", "Log in again", "Log out"]);
    fake.picks.at(-1)?.choose("Log out");
    await again;
    assert.deepEqual(asked.at(-1), ["source/logOut", { name: "files" }]);
  });

  test("are not logged in to any more once the person draws back, which is no mistake", async () => {
    const locked = { ...SERVERS[1], state: "locked", account: "out" };
    let refuse: (error: Error) => void = () => undefined;
    const done = showToolServers((method, params) => {
      asked.push([method, params]);
      if (method === "source/list") return Promise.resolve({ servers: [locked] });
      if (method === "source/stopLogIn") {
        refuse(new Error("You drew back."));
        return Promise.resolve({});
      }
      return new Promise((_, reject) => (refuse = reject));
    });
    await settle();
    mock.timers.tick(STILL_MS);
    fake.picks.at(-1)?.choose("$(lock) github");
    await settle();
    mock.timers.tick(STILL_MS);
    fake.picks.at(-1)?.choose("Log in");
    await settle();
    fake.cancel();
    await done;
    assert.deepEqual(asked.at(-1), ["source/stopLogIn", { name: "github" }]);
    assert.deepEqual(fake.messages, []);
  });
});
