import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { Review } from "../../src/extension/quickpick";
import type { CardOption, MethodName, Previewed } from "../../src/protocol";
import { fake } from "./editor";
import { option, settle, ticket } from "./made";

const ALWAYS: CardOption = {
  ...option("allowAlways", "Always allow…"),
  rules: ["shell(make test:*)", "shell(rm -r out)"],
  scopes: ["chat", "workspace", "user"],
};
const SAID: Previewed = {
  rules: [{ rule: "", problem: null, wouldMatch: ["make test -k"], wouldSpare: [] }],
  covers: true,
  matched: 3,
  denied: 0,
  of: 200,
};

let sent: { method: MethodName; params: unknown }[];
let previewed: Previewed;
let review: Review;

beforeEach(() => {
  fake.reset();
  mock.timers.enable({ apis: ["Date"] });
  sent = [];
  previewed = SAID;
  const open = ticket("a", { card: { options: [option("allowOnce", "Allow once"), ALWAYS] } });
  review = new Review({
    tickets: () => [open],
    request: (method, params) => {
      sent.push({ method, params });
      const applied = { kind: "applied", outcome: "allowed", by: "user", because: "" };
      return Promise.resolve(method === "tool/previewRules" ? previewed : applied);
    },
    whenSettled: () => new AbortController().signal,
  });
});
afterEach(() => mock.timers.reset());

async function choose(label: string): Promise<void> {
  await settle();
  mock.timers.tick(2_000);
  fake.picks.at(-1)?.choose(label);
  await settle();
}

async function answered(): Promise<unknown> {
  await settle();
  return sent.find(({ method }) => method === "tool/approvalResponse")?.params;
}

describe("an answer for always, without a page", () => {
  test("names the rules as they were left, and where they are written", async () => {
    fake.inputs = ["shell(make test:*) ", "shell(rm -r ./out)"];
    void review.next();
    await choose("Always allow…");
    await choose("This workspace");
    const { optionId, rules, scope } = (await answered()) as Record<string, unknown>;
    assert.deepEqual([optionId, rules, scope], ["id-of-allowAlways", ["shell(make test:*)", "shell(rm -r ./out)"], "workspace"]);
    assert.deepEqual(fake.boxes.map(({ title, value }) => [title, value]), [
      ["Rule 1 of 2", "shell(make test:*)"],
      ["Rule 2 of 2", "shell(rm -r out)"],
    ]);
  });

  test("leaves out a rule whose line was emptied", async () => {
    fake.inputs = ["", "shell(rm -r out)"];
    void review.next();
    await choose("Always allow…");
    await choose("This chat");
    assert.deepEqual(((await answered()) as { rules: unknown }).rules, ["shell(rm -r out)"]);
  });

  test("answers nothing where the person drew back, at a rule or at the place", async () => {
    fake.inputs = ["shell(make test:*)", undefined];
    void review.next();
    await choose("Always allow…");
    assert.equal(await answered(), undefined);
    assert.equal(fake.picks.length, 2, "the card is shown again");
    fake.inputs = ["shell(make test:*)", ""];
    await choose("Always allow…");
    fake.picks.at(-1)?.escape();
    assert.equal(await answered(), undefined);
    assert.equal(fake.picks.length, 4, "and again");
  });

  test("says below the line what the rule would do, or what is wrong with it", async () => {
    fake.inputs = [undefined];
    void review.next();
    await choose("Always allow…");
    const validate = fake.boxes[0]?.validateInput;
    const { message, severity } = (await validate?.("shell(x)")) as { message: string; severity: number };
    assert.match(message, /Matches 3 of your last 200 calls, 0 that you denied\. Also covers: make test -k/u);
    assert.equal(severity, 1);
    previewed = { ...SAID, rules: [{ rule: "", problem: "No tool is called “shel”.", wouldMatch: [], wouldSpare: [] }] };
    assert.equal(await validate?.("shel(x)"), "No tool is called “shel”.");
    assert.equal(await validate?.("  "), null);
  });
});
