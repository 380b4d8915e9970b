import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { commandTable, type Parts } from "../../src/extension/commands";
import { RulesTree } from "../../src/extension/rules/rules-list";
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

describe("the list of rules", () => {
  function rules(count: number): RulesTree {
    return new RulesTree(() => Promise.resolve({ rules: Array.from({ length: count }, () => ({})) }));
  }

  test("is opened where there is one", async () => {
    await commandTable({ rules: rules(1) } as unknown as Parts)["showRules"]?.();
    assert.ok(fake.executed.some(({ command }) => command === "assent.rules.focus"));
    assert.deepEqual(fake.messages, []);
  });

  test("is not opened where there is none, and how one comes to be is said", async () => {
    await commandTable({ rules: rules(0) } as unknown as Parts)["showRules"]?.();
    assert.ok(!fake.executed.some(({ command }) => command === "assent.rules.focus"));
    assert.match(JSON.stringify(fake.messages), /There are no rules yet/u);
  });
});

test("help opens the walkthrough", async () => {
  await commandTable({} as unknown as Parts)["help"]?.();
  assert.deepEqual(fake.executed, [{ command: "workbench.action.openWalkthrough", args: ["assent.assent#start"] }]);
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
