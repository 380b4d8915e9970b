import assert from "node:assert/strict";
import { beforeEach, describe, mock, test } from "node:test";
import { STILL_MS } from "../../../src/shared/card";
import { CollectionsItem, showCollections } from "../../../src/extension/catalogue/collections";
import { fake } from "../editor";
import { settle } from "../made";

const DOCS = { name: "docs", paths: ["./docs/**"], state: "reading", done: 32, total: 900, leftOut: 2, says: "" };

let asked: unknown[];

function request(collections: readonly unknown[]): (method: string, params: unknown) => Promise<unknown> {
  return (method, params) => {
    asked.push([method, params]);
    return Promise.resolve(method === "collection/list" ? { collections } : { ...DOCS, state: "stopped" });
  };
}

beforeEach(() => {
  fake.reset();
  asked = [];
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
});

describe("collections", () => {
  test("show how far an index is in the status bar, for as long as it is made", () => {
    const item = new CollectionsItem();
    const [shown] = fake.statusItems;
    assert.ok(shown);
    item.take("collection/changed", DOCS);
    assert.equal(shown.text, "$(sync~spin) docs: 32 of 900 files read");
    assert.equal(shown.visible, true);
    assert.equal(shown.command, "assent.showCollections");
    item.take("agent/event", { ...DOCS, state: "ready" });
    assert.equal(shown.visible, true);
    item.take("collection/changed", { ...DOCS, name: "notes", state: "embedding" });
    assert.equal(shown.text, "$(sync~spin) notes: 32 of 900 passages compared");
    item.take("collection/changed", { ...DOCS, name: "notes", state: "failed" });
    assert.equal(shown.text, "$(sync~spin) docs: 32 of 900 files read");
    item.take("collection/changed", { ...DOCS, state: "ready" });
    assert.equal(shown.visible, false);
    item.take("collection/changed", DOCS);
    item.forget();
    assert.equal(shown.visible, false);
    item.dispose();
  });

  test("are listed with how each is, and one that is being read is stopped", async () => {
    const idle = { ...DOCS, name: "notes$(zap)", state: "idle", leftOut: 0 };
    const done = showCollections(request([DOCS, idle]));
    await settle();
    mock.timers.tick(STILL_MS);
    assert.equal(fake.picks[0]?.labels().join().includes("$(zap)"), false);
    fake.picks.at(-1)?.choose("$(loading~spin) docs");
    await done;
    assert.deepEqual(asked, [
      ["collection/list", {}],
      ["collection/stop", { name: "docs" }],
    ]);
    assert.equal(fake.messages[0]?.text, "docs: stopped by you");
  });

  test("say how to set one up where there is none", async () => {
    await showCollections(request([]));
    assert.match(fake.messages[0]?.text ?? "", /assent\.collections/u);
  });
});
