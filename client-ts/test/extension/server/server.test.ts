import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import {
  DifferentVersions,
  MAX_RESTARTS,
  Server,
  RESTARTS_WINDOW_MS,
  type Ears,
  type Link,
  type State,
} from "../../../src/extension/server/server";
import { NothingToStart } from "../../../src/extension/server/launch";
import { remediesFor } from "../../../src/extension/server/failure-messages";
import { settle } from "../made";

interface Life {
  readonly ears: Ears;
  stopped: boolean;
}

let lives: Life[];
let states: State[];
let told: { grave: boolean; message: string }[];
let heard: unknown[];
let openTickets: number;
let now: number;
let failure: Error | null;
let server: Server;

beforeEach(() => {
  [lives, states, told, heard, openTickets, now, failure] = [[], [], [], [], 0, 0, null];
  server = new Server({
    open: (ears) => {
      if (failure !== null) {
        return Promise.reject(failure);
      }
      const life: Life = { ears, stopped: false };
      lives.push(life);
      const link: Link = {
        request: (method, params) => Promise.resolve({ method, params, life: lives.length }),
        configurationChanged: () => Promise.resolve(),
        stop: () => {
          life.stopped = true;
          return Promise.resolve();
        },
      };
      return Promise.resolve(link);
    },
    heard: (_, params) => heard.push(params),
    changed: (state) => states.push(state),
    openTickets: () => openTickets,
    tell: (grave, message) => told.push({ grave, message }),
    now: () => now,
  });
});

async function die(): Promise<void> {
  lives.at(-1)?.ears.ended("signal SIGKILL");
  await settle();
}

describe("a server that dies", () => {
  test("is started again, and the person is told what became of the open cards", async () => {
    await server.start();
    openTickets = 2;
    await die();
    assert.deepEqual(states, ["starting", "ready", "restarting", "ready"]);
    assert.deepEqual(told, [
      {
        grave: false,
        message: "Assent's server stopped; 2 open cards were refused, nothing of them ran. It was started again.",
      },
    ]);
  });

  test("with nothing open, that alone is told", async () => {
    await server.start();
    await die();
    assert.equal(told[0]?.message, "Assent's server stopped. It was started again.");
  });

  test("three times within three minutes is left alone after the fourth", async () => {
    await server.start();
    for (let death = 0; death <= MAX_RESTARTS; death += 1) {
      await die();
    }
    assert.equal(lives.length, 1 + MAX_RESTARTS);
    assert.equal(server.state, "dead");
    assert.equal(told.at(-1)?.grave, true);
    assert.match(told.at(-1)?.message ?? "", /4 times within 3 minutes/u);
  });

  test("now and then is always started again", async () => {
    await server.start();
    for (let death = 0; death < 10; death += 1) {
      now += RESTARTS_WINDOW_MS / MAX_RESTARTS + 1;
      await die();
    }
    assert.equal(server.state, "ready");
  });

  test("and was given up can be started by the person, with a clean slate", async () => {
    await server.start();
    for (let death = 0; death <= MAX_RESTARTS; death += 1) {
      await die();
    }
    await server.restart();
    assert.equal(server.state, "ready");
    await die();
    assert.equal(server.state, "ready");
  });

  test("takes no request while it is gone", async () => {
    await server.start();
    failure = new Error("It ended before it was ready: exit code 1.");
    await die();
    await assert.rejects(server.request("agent/list", {}), /could not be started/u);
  });

  test("is not heard any more once another took its place", async () => {
    await server.start();
    await server.restart();
    lives[0]?.ears.heard("agent/event", "of the dead");
    lives[0]?.ears.ended("late");
    lives[1]?.ears.heard("agent/event", "of the living");
    await settle();
    assert.deepEqual(heard, ["of the living"]);
    assert.equal(lives.length, 2);
    assert.equal(lives[0]?.stopped, true);
  });
});

describe("a server that cannot be used", () => {
  test("of another version is told in its sentence, and nothing passes", async () => {
    failure = new DifferentVersions();
    await server.start();
    const sentence = "The extension and its server are of different versions; reload the window.";
    assert.deepEqual(told, [{ grave: true, message: sentence }]);
    await assert.rejects(server.request("agent/list", {}), { message: sentence });
    assert.equal(remediesFor(true, failure)[0]?.label, "Reload Window");
  });

  test("without a Python is told with a way to choose one, and not tried again by itself", async () => {
    failure = new NothingToStart("Assent's server needs Python 3.11 to 3.14.");
    await server.start();
    assert.deepEqual(states, ["starting", "dead"]);
    assert.equal(told[0]?.message, failure.message);
    assert.deepEqual(
      remediesFor(true, failure).map(({ label }) => label),
      ["Choose Python", "Restart", "Show Log"],
    );
  });
});

describe("stopping", () => {
  test("ends the server and starts no other", async () => {
    await server.start();
    await server.stop();
    lives[0]?.ears.ended("exit code 0");
    await settle();
    assert.equal(lives[0]?.stopped, true);
    assert.equal(lives.length, 1);
    assert.deepEqual(told, []);
  });

  test("while it starts ends the one that comes too late", async () => {
    const starting = server.start();
    await server.stop();
    await starting;
    assert.equal(lives[0]?.stopped, true);
    assert.equal(server.state, "dead");
  });
});
