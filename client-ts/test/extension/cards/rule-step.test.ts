import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { Review } from "../../../src/extension/cards/review";
import type { CardOption, MethodName, Previewed } from "../../../src/shared/protocol";
import { fake } from "../editor";
import { option, settle, ticket } from "../made";

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
let receipt: unknown;
let gone: AbortController;

beforeEach(() => {
  fake.reset();
  mock.timers.enable({ apis: ["Date", "setTimeout"] });
  sent = [];
  previewed = SAID;
  receipt = { kind: "applied", outcome: "allowed", by: "user", because: "" };
  gone = new AbortController();
  const open = ticket("a", { card: { options: [option("allowOnce", "Allow once"), ALWAYS] } });
  review = new Review({
    tickets: () => [open],
    request: (method, params) => {
      sent.push({ method, params });
      return Promise.resolve(method === "tool/previewRules" ? previewed : receipt);
    },
    whenSettled: () => gone.signal,
    editText: () => Promise.resolve(),
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
    assert.deepEqual(
      fake.boxes.map(({ title, value }) => [title, value]),
      [
        ["Rule 1 of 2", "shell(make test:*)"],
        ["Rule 2 of 2", "shell(rm -r out)"],
      ],
    );
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
    const validate = async (text: string): Promise<unknown> => {
      const said = fake.boxes[0]?.validateInput?.(text);
      mock.timers.tick(150);
      return said;
    };
    const { message, severity } = (await validate("shell(x)")) as { message: string; severity: number };
    assert.match(message, /Matches 3 of your last 200 calls, 0 that you denied\. Also covers: make test -k/u);
    assert.equal(severity, 1);
    previewed = { ...SAID, rules: [{ rule: "", problem: "No tool is called “shel”.", wouldMatch: [], wouldSpare: [] }] };
    assert.equal(await validate("shel(x)"), "No tool is called “shel”.");
    assert.equal(await validate("  "), null);
  });

  test("asks what a rule would do once the person has stopped typing", async () => {
    fake.inputs = [undefined];
    void review.next();
    await choose("Always allow…");
    const validate = fake.boxes[0]?.validateInput;
    const said = ["shell(m", "shell(ma", "shell(make)"].map(async (text) => validate?.(text));
    mock.timers.tick(150);
    await Promise.all(said);
    const asked = sent.filter(({ method }) => method === "tool/previewRules");
    assert.deepEqual(
      asked.map(({ params }) => (params as { rules: unknown }).rules),
      [["shell(make)"]],
    );
  });

  test("begins with what was typed before, where that could not be used", async () => {
    receipt = { kind: "stillOpen", because: "These rules do not settle this call." };
    fake.inputs = ["shell(make test -k:*)", "shell(rm -r out)"];
    void review.next();
    await choose("Always allow…");
    await choose("This workspace");
    fake.inputs = ["", ""];
    void review.next();
    await choose("Always allow…");
    assert.deepEqual(
      fake.boxes.slice(2).map(({ value }) => value),
      ["shell(make test -k:*)", "shell(rm -r out)"],
    );
  });

  test("is over where the card is settled while somebody types, and says so", async () => {
    void review.next();
    await choose("Always allow…");
    assert.equal(fake.boxes.length, 1);
    gone.abort();
    await settle();
    assert.deepEqual(
      fake.messages.map(({ text }) => text),
      ["This card was settled in the meantime."],
    );
    assert.equal(await answered(), undefined);
    assert.equal(fake.picks.length, 1, "the card is not shown again");
  });
});
