import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { STILL_MS } from "../../../src/shared/card";
import { Review } from "../../../src/extension/cards/review";
import type { ApprovalRequest, MethodName, Receipt } from "../../../src/shared/protocol";
import { fake } from "../editor";
import { option, settle, shell, span, ticket } from "../made";

const APPLIED: Receipt = { kind: "applied", outcome: "allowed", by: "user", because: "" };

let edited: string[];
let open: readonly ApprovalRequest[];
let sent: { method: MethodName; params: unknown }[];
let receipts: Receipt[];
let gone: AbortController;
let review: Review;

beforeEach(() => {
  fake.reset();
  mock.timers.enable({ apis: ["Date"] });
  open = [];
  edited = [];
  sent = [];
  receipts = [];
  gone = new AbortController();
  review = new Review({
    tickets: () => open,
    request: (method, params) => {
      sent.push({ method, params });
      return Promise.resolve(receipts.shift() ?? APPLIED);
    },
    whenSettled: () => gone.signal,
    editText: (approvalId) => {
      edited.push(approvalId);
      return Promise.resolve();
    },
  });
});
afterEach(() => mock.timers.reset());

/** Review, and choose this line after this time. */
async function choose(label: string, afterMs = 2_000): Promise<void> {
  void review.next();
  await settle();
  mock.timers.tick(afterMs);
  fake.picks.at(-1)?.choose(label);
  await settle();
}

describe("an answer from the list", () => {
  test("carries the revision and the digest of the card that was shown", async () => {
    open = [ticket("a", { revision: 3, digest: "d3", chatId: "c" })];
    await choose("Allow once");
    assert.deepEqual(sent, [
      {
        method: "tool/approvalResponse",
        params: {
          approvalId: "a",
          chatId: "c",
          revision: 3,
          digest: "d3",
          optionId: "id-of-allowOnce",
          shownMs: 2_000,
        },
      },
    ]);
  });

  test("is bound to the card shown, even if a newer revision came while it was open", async () => {
    open = [ticket("a", { revision: 1, digest: "old" })];
    void review.next();
    await settle();
    open = [ticket("a", { revision: 2, digest: "new" })];
    mock.timers.tick(1_000);
    fake.picks[0]?.choose("Deny");
    await settle();
    assert.equal((sent[0]?.params as { digest: string }).digest, "old");
  });

  test("that is stale shows the current card and has answered nothing", async () => {
    const current = ticket("a", { revision: 2, card: { title: [span("Run another")] } });
    open = [ticket("a")];
    receipts = [{ kind: "stale", current }];
    await choose("Allow once");
    assert.equal(fake.picks.length, 2);
    assert.match(fake.picks[1]?.title ?? "", /Run another/u);
    assert.match(fake.messages[0]?.text ?? "", /has changed since you saw it/u);
    assert.equal(sent.length, 1);
  });

  test("is not taken in the first half second", async () => {
    open = [ticket("a")];
    await choose("Allow once", STILL_MS - 1);
    assert.deepEqual(sent, []);
    assert.equal(fake.picks[0]?.isOpen, true);
    mock.timers.tick(1);
    fake.picks[0].choose("Allow once");
    await settle();
    assert.equal(sent.length, 1);
  });

  test("with words for the agent asks for them, and sends them", async () => {
    open = [ticket("a")];
    fake.inputs = ["use the docs"];
    await choose("Deny and tell the agent…");
    assert.equal((sent[0]?.params as { feedback: string }).feedback, "use the docs");
  });

  test("drawing back from the words leaves the card open", async () => {
    open = [ticket("a")];
    fake.inputs = [undefined];
    await choose("Deny and tell the agent…");
    assert.deepEqual(sent, []);
    assert.equal(fake.picks.length, 2);
  });

  test("on a high level allows only after a second, native question", async () => {
    const consequence = "Deletes 12 files that git does not have.";
    open = [ticket("a", { card: { level: "high", consequence } })];
    fake.presses = [undefined];
    await choose("Allow once");
    assert.deepEqual(fake.messages[0]?.options, { modal: true, detail: consequence });
    assert.deepEqual(sent, []);
    fake.presses = ["Allow once"];
    await choose("Allow once");
    assert.equal(sent.length, 1);
  });

  test("on a high level denies at once", async () => {
    open = [ticket("a", { card: { level: "high" } })];
    await choose("Deny");
    assert.deepEqual(fake.messages, []);
    assert.equal(sent.length, 1);
  });

  test("to a settled card says so, in words", async () => {
    open = [ticket("a")];
    receipts = [{ kind: "alreadyDecided", outcome: "refused", by: "timeout" }];
    await choose("Allow once");
    assert.equal(fake.messages[0]?.text, "This had been decided before: it was refused. Your answer changed nothing.");
  });
});

describe("the list itself", () => {
  test("with several cards lets one be chosen first", async () => {
    open = [ticket("a"), ticket("b", { card: { title: [span("Read a file")] } })];
    await choose("Read a file");
    assert.match(fake.picks[1]?.title ?? "", /Read a file/u);
    mock.timers.tick(1_000);
    fake.picks[1]?.choose("Deny");
    await settle();
    assert.equal((sent[0]?.params as { approvalId: string }).approvalId, "b");
  });

  test("says when nothing waits", async () => {
    await review.next();
    assert.equal(fake.messages[0]?.text, "Nothing waits for an answer.");
  });

  test("begins with a line that answers nothing, so that Enter alone does nothing", async () => {
    open = [ticket("a")];
    void review.next();
    await settle();
    mock.timers.tick(5_000);
    const first = fake.picks[0]?.items.find(({ kind }) => kind === undefined);
    fake.picks[0]?.choose(first?.label ?? "");
    await settle();
    assert.deepEqual(sent, []);
    assert.equal(fake.picks[0]?.isOpen, true);
  });

  test("closes, and says why, when the card is settled elsewhere", async () => {
    open = [ticket("a")];
    void review.next();
    await settle();
    gone.abort();
    await settle();
    assert.equal(fake.picks[0]?.isOpen, false);
    assert.equal(fake.messages[0]?.text, "This card was settled in the meantime.");
  });

  test("Escape answers nothing", async () => {
    open = [ticket("a")];
    void review.next();
    await settle();
    fake.picks[0]?.escape();
    await settle();
    assert.deepEqual(sent, []);
  });

  test("opens what may be edited of a card as a document, and answers nothing", async () => {
    open = [ticket("a", { card: { edits: "command" } })];
    await choose("Edit the command");
    assert.deepEqual([edited, sent], [["a"], []]);
  });

  test("offers no edit where nothing may be edited", async () => {
    open = [ticket("a")];
    void review.next();
    await settle();
    assert.equal(
      fake.picks.at(-1)?.items.some(({ label }) => label.startsWith("Edit")),
      false,
    );
  });

  test("can take the deadline from a card", async () => {
    open = [ticket("a", { expiresAt: 1 })];
    await choose("Keep waiting");
    assert.deepEqual(sent, [{ method: "agent/answerLater", params: { approvalId: "a" } }]);
  });

  test("an agent's text becomes no icon in it", async () => {
    open = [ticket("a", { card: { body: shell("echo $(check) safe"), options: [option("denyOnce", "Deny")] } })];
    void review.next();
    await settle();
    const labels = fake.picks[0]?.labels() ?? [];
    assert.ok(labels.some((label) => label.replaceAll("\u2060", "") === "echo $(check) safe"));
    assert.ok(labels.every((label) => !label.includes("$(")));
  });
});
