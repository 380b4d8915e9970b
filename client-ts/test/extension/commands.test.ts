import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { commandTable, type Parts } from "../../src/extension/commands";
import { fake } from "./editor";

let asked: unknown[];

function table(answer: () => Promise<unknown>): ReturnType<typeof commandTable> {
  const server = {
    request: (method: string, params: unknown) => {
      asked.push([method, params]);
      return answer();
    },
  };
  return commandTable({ server } as unknown as Parts);
}

beforeEach(() => {
  fake.reset();
  asked = [];
});

describe("a new journal", () => {
  test("is asked of the server, which asks the person once more", async () => {
    await table(() => Promise.resolve({}))["startNewJournal"]?.();
    assert.deepEqual(asked, [["journal/startNew", {}]]);
    assert.deepEqual([fake.messages, fake.picks], [[], []], "the question is the server's alone");
  });

  test("is not begun: why is left to be said to the person", async () => {
    const why = "The journal is as it was written, so it is not set aside.";
    const done = table(() => Promise.reject(new Error(why)))["startNewJournal"]?.();
    await assert.rejects(Promise.resolve(done), { message: why });
  });
});
