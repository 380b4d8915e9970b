import assert from "node:assert/strict";
import { beforeEach, describe, mock, test } from "node:test";
import { STILL_MS } from "../../../src/shared/card";
import { addProposedRule } from "../../../src/extension/rules/proposed-rule";
import { fake } from "../editor";
import { settle } from "../made";

const RECORD = { recordId: 7, hash: "h" };
const PROPOSED = { rule: "shell(npm test:*)", saved: 3, also: ["npm test $(zap)"], more: 2, record: RECORD };

let asked: unknown[];

function request(proposals: readonly unknown[]): (method: string, params: unknown) => Promise<unknown> {
  return (method, params) => {
    asked.push([method, params]);
    const answers: Record<string, unknown> = {
      "history/insights": { html: "", proposals },
      "history/show": { scopes: ["workspace", "user"] },
    };
    return Promise.resolve(answers[method] ?? {});
  };
}

async function choose(label: string): Promise<void> {
  await settle();
  mock.timers.tick(STILL_MS);
  fake.picks.at(-1)?.choose(label);
  await settle();
}

beforeEach(() => {
  fake.reset();
  asked = [];
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
});

describe("a rule that Insights proposes", () => {
  test("is written where the person says, from the record of its questions", async () => {
    const done = addProposedRule(request([PROPOSED]));
    await settle();
    const [item] = fake.picks[0]?.items ?? [];
    assert.match(item?.description ?? "", /saved 3 questions/u);
    assert.match(item?.detail ?? "", /also let pass: npm test .* and 2 more/u);
    assert.equal((item?.detail ?? "").includes("$(zap)"), false);
    await choose("shell(npm test:*)");
    const [here, everywhere] = fake.picks.at(-1)?.items ?? [];
    assert.equal(here?.description ?? "", "");
    assert.match(everywhere?.description ?? "", /Only what you were asked in this workspace/u);
    await choose("In every workspace of yours");
    await done;
    assert.deepEqual(asked, [
      ["history/insights", {}],
      ["history/show", RECORD],
      ["history/makeRule", { ...RECORD, verdict: "allow", rules: ["shell(npm test:*)"], scope: "user" }],
    ]);
  });

  test("is not written where the person draws back, and where there is none", async () => {
    const first = addProposedRule(request([PROPOSED]));
    await settle();
    fake.picks.at(-1)?.escape();
    await first;
    const second = addProposedRule(request([PROPOSED]));
    await choose("shell(npm test:*)");
    fake.picks.at(-1)?.escape();
    await second;
    await addProposedRule(request([]));
    const methods = asked.map((each) => (each as [string, unknown])[0]);
    assert.equal(methods.includes("history/makeRule"), false);
    assert.match(fake.messages.at(-1)?.text ?? "", /No rule would have saved/u);
  });
});
