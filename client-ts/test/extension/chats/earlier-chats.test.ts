import assert from "node:assert/strict";
import { beforeEach, describe, mock, test } from "node:test";
import { deleteChat, earlierChats } from "../../../src/extension/chats/earlier-chats";
import type { Surroundings } from "../../../src/extension/chats/chats";
import { fake } from "../editor";
import { settle } from "../made";

const CHATS = [
  { chatId: "c1", agentId: "a", agentName: "Assent", title: "The till", begun: 0, touched: 5, entries: 3, where: "closed", found: "" },
  {
    chatId: "c2",
    agentId: "a",
    agentName: "Assent $(zap)",
    title: "Other",
    begun: 0,
    touched: 4,
    entries: 1,
    where: "elsewhere",
    found: "",
  },
] as const;

let asked: [string, unknown][];
let wishes: unknown[];

function around(): Surroundings {
  const request = (method: string, params: unknown): Promise<unknown> => {
    asked.push([method, params]);
    return Promise.resolve(method === "chat/list" ? { chats: CHATS } : {});
  };
  const meant = (): string => "the view";
  const wish = (_: unknown, wished: unknown): Promise<boolean> => {
    wishes.push(wished);
    return Promise.resolve(true);
  };
  return { server: { request }, pages: { meant, wish }, follower: {} } as unknown as Surroundings;
}

beforeEach(() => {
  fake.reset();
  asked = [];
  wishes = [];
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

describe("the chats that are kept", () => {
  test("are listed, and the chosen one is shown", async () => {
    const done = earlierChats(around());
    await settle();
    assert.deepEqual(fake.picks[0]?.labels(), ["The till", "Other"]);
    const told = fake.picks[0].items[1]?.description ?? "";
    assert.equal(told.includes("$(zap)"), false);
    assert.match(told, /open in another window/u);
    fake.picks[0].choose("The till");
    await done;
    assert.deepEqual(asked.at(-1), ["chat/open", { chatId: "c1" }]);
    assert.deepEqual(wishes, [{ kind: "showChat", chatId: "c1" }]);
  });

  test("are searched by the server while one types", async () => {
    const done = earlierChats(around());
    await settle();
    fake.picks[0]?.type("ro");
    fake.picks[0]?.type("rounding");
    mock.timers.tick(1_000);
    await settle();
    assert.deepEqual(asked.at(-1), ["chat/list", { find: "rounding", limit: 200 }]);
    assert.equal(asked.length, 2);
    fake.picks[0]?.escape();
    await done;
  });

  test("are renamed by a button", async () => {
    fake.inputs = ["  Rounding "];
    const done = earlierChats(around());
    await settle();
    fake.picks[0]?.press("The till", "Rename");
    await done;
    assert.deepEqual(asked.at(-1), ["chat/rename", { chatId: "c1", title: "Rounding" }]);
  });

  test("are deleted only after a yes", async () => {
    for (const [press, sent] of [
      [undefined, "chat/list"],
      ["Delete the Chat", "chat/delete"],
    ] as const) {
      fake.presses = [press];
      const done = deleteChat(around());
      await settle();
      fake.picks.at(-1)?.choose("Other");
      await done;
      assert.equal(asked.at(-1)?.[0], sent);
    }
  });
});
