import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { answerTo } from "../../../src/shared/answer";
import { asTyped, TEXT, Texts } from "../../../src/extension/cards/text-documents";
import type { ApprovalRequest, ApprovalResponse, MethodName } from "../../../src/shared/protocol";
import { events, fake, Uri, type FakeDocument } from "../editor";
import { option, settle, span, ticket } from "../made";

const SHOWN = { shownMs: 900 };

let sent: { method: MethodName; params: unknown }[];
let failed: unknown[];
/** How an edit is answered, where the server is not at once done with it. */
let answering: ((text: string) => Promise<void>) | null;
let texts: Texts;
let digest: string;
let revision: number;

/** A server that keeps one plan: each edit makes another card of it. */
async function request(method: MethodName, params: unknown): Promise<unknown> {
  sent.push({ method, params });
  if (method !== "tool/editText") {
    return { kind: "applied", outcome: "allowed", by: "user", because: "" };
  }
  const { text } = params as { text: string };
  await answering?.(text);
  const was = digest;
  [digest, revision] = [`digest of ${text}`, revision + 1];
  return { was, digest, revision };
}

const waits = (): ApprovalRequest =>
  ticket("a", {
    digest,
    revision,
    card: {
      body: { kind: "plan", text: [span("1. Look")] },
      edits: "plan",
      options: [option("approvePlan"), option("denyOnce")],
    },
  });

const command = (): ApprovalRequest =>
  ticket("a", {
    digest,
    revision,
    call: { tool: "shell", effect: "execute", input: { command: "make it\nso" }, toolCallId: "1" },
    card: { edits: "command", options: [option("allowOnce"), option("denyOnce")] },
  });

function type(text: string): void {
  const document: FakeDocument = {
    uri: Uri.from({ scheme: TEXT, path: "/a/Plan.md" }),
    isDirty: true,
    getText: () => text,
  };
  events.changed.fire({ document, contentChanges: [{}] });
}

/** Answer by way of the one place that every surface answers through. */
const answer = (kind: "approvePlan" | "allowOnce" | "denyOnce", seen = waits()): Promise<unknown> =>
  asTyped(request, texts)("tool/approvalResponse", answerTo(seen, option(kind), SHOWN));
const answered = (): ApprovalResponse => sent.at(-1)?.params as ApprovalResponse;
const told = (): readonly string[] => sent.map(({ method }) => method);

beforeEach(() => {
  fake.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  [sent, failed, answering, digest, revision] = [[], [], null, "digest of 1. Look", 1];
  texts = new Texts(request, (error) => failed.push(error));
  texts.ticketsAre([waits()]);
});
afterEach(() => {
  texts.dispose();
  mock.timers.reset();
});

describe("a plan that was typed into", () => {
  test("is told once, when nothing more was typed for a moment", async () => {
    type("1. L");
    mock.timers.tick(249);
    type("1. Leave it");
    mock.timers.tick(250);
    await settle();
    assert.deepEqual(sent, [{ method: "tool/editText", params: { approvalId: "a", text: "1. Leave it" } }]);
  });

  test("is told before it is approved, and the answer is about what was told", async () => {
    const seen = waits();
    type("1. Leave it");
    await answer("approvePlan", seen);
    mock.timers.tick(1_000);
    await settle();
    assert.deepEqual(told(), ["tool/editText", "tool/approvalResponse"]);
    assert.deepEqual([answered().digest, answered().revision], ["digest of 1. Leave it", 2]);
    assert.equal(answered().optionId, "id-of-approvePlan");
  });

  test("is told whole where the edit before is still on its way", async () => {
    let arrive: () => void = () => undefined;
    answering = () => new Promise((resolve) => (arrive = resolve));
    const seen = waits();
    type("1. Leave");
    mock.timers.tick(250);
    await settle();
    answering = null;
    type("");
    // They arrive in the order in which they were sent.
    arrive();
    await answer("approvePlan", seen);
    assert.deepEqual(told(), ["tool/editText", "tool/editText", "tool/approvalResponse"]);
    assert.deepEqual([answered().digest, answered().revision], ["digest of ", 3]);
  });

  test("is not approved by an answer to a card that had changed in another way", async () => {
    const seen = waits();
    digest = "of another call";
    type("1. Leave it");
    await answer("approvePlan", seen);
    assert.deepEqual([answered().digest, answered().revision], [seen.digest, 1]);
  });

  test("is not approved where its edit was refused, however often that is tried", async () => {
    answering = () => Promise.reject(new Error("too long"));
    type("x");
    await assert.rejects(answer("approvePlan"), /too long/u);
    await assert.rejects(answer("approvePlan"), /too long/u);
    assert.deepEqual(told(), ["tool/editText"]);
    // A shorter text is another edit.
    answering = null;
    type("1. Look twice");
    await answer("approvePlan");
    assert.deepEqual(told().slice(1), ["tool/editText", "tool/approvalResponse"]);
    assert.deepEqual(failed, []);
  });

  test("is declined at once, without being told", async () => {
    type("1. Leave it");
    await answer("denyOnce");
    assert.deepEqual(told(), ["tool/approvalResponse"]);
    texts.ticketsAre([]);
    assert.equal(answered().digest, "digest of 1. Look");
  });
});

describe("a plan that nobody typed into", () => {
  test("is approved as it stands on the card, and other requests pass as they are", async () => {
    await answer("approvePlan");
    await asTyped(request, texts)("agent/stop", { chatId: "c" });
    assert.deepEqual(told(), ["tool/approvalResponse", "agent/stop"]);
    assert.equal((sent[0]?.params as ApprovalResponse).digest, "digest of 1. Look");
  });
});

describe("a command that was typed into", () => {
  beforeEach(() => texts.ticketsAre([command()]));

  test("opens as it is to the letter", async () => {
    await texts.open("a");
    assert.ok(fake.shown.at(-1)?.uri.endsWith("/a/Command.sh"));
    assert.equal(Buffer.from(texts.readFile(Uri.from({ scheme: TEXT, path: "/a/Command.sh" }) as never)).toString(), "make it\nso");
  });

  test("is not allowed by an answer that was given before its card was shown", async () => {
    const seen = command();
    type("make it");
    await answer("allowOnce", seen);
    assert.deepEqual(told(), ["tool/editText", "tool/approvalResponse"]);
    assert.deepEqual([answered().digest, answered().revision], [seen.digest, 1]);
  });

  test("is not told while nothing stands in it, and then not allowed", async () => {
    type(" \n");
    mock.timers.tick(1_000);
    await settle();
    assert.deepEqual(told(), []);
    answering = () => Promise.reject(new Error("it is blank"));
    await assert.rejects(answer("allowOnce", command()), /blank/u);
    assert.deepEqual(told(), ["tool/editText"]);
  });

  test("is allowed as its card shows it once its document was closed", async () => {
    const seen = command();
    answering = () => Promise.reject(new Error("refused"));
    type("rm -rf /");
    await assert.rejects(answer("allowOnce", seen), /refused/u);
    events.closed.fire({ uri: Uri.from({ scheme: TEXT, path: "/a/Command.sh" }) });
    await answer("allowOnce", seen);
    assert.deepEqual(told(), ["tool/editText", "tool/approvalResponse"]);
    assert.equal(answered().digest, seen.digest);
  });

  test("is not opened where its text is not known whole", async () => {
    texts.ticketsAre([{ ...command(), call: null }]);
    await texts.open("a");
    assert.deepEqual(fake.shown, []);
  });
});
