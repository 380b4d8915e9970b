/** The messages that the Python tests check as well: what the extension makes of each of them. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, test } from "node:test";
import { answerTo } from "../../src/shared/answer";
import { pass } from "../../src/extension/server/bridge";
import { sectionsOf, titleOf } from "../../src/shared/card-text";
import { noticeFor } from "../../src/extension/cards/notification";
import { cardChoices, needsView } from "../../src/extension/cards/review";
import { write } from "../../src/extension/settings/settings";
import { waitingOf } from "../../src/extension/waiting/waiting";
import { METHODS, type ApprovalRequest, type MethodName, type Subscribed, type WriteSetting } from "../../src/shared/protocol";
import { EMPTY, subscribed } from "../../src/shared/replica";
import { fake, Uri, workspace } from "./editor";
import { STORAGE } from "./made";

declare const __CLIENT__: string;

interface Example {
  readonly name: string;
  readonly params: unknown;
  readonly result?: unknown;
}

const FOLDER = join(__CLIENT__, "..", "tests", "editor", "golden");

function examples(method: MethodName): readonly Example[] {
  const file = join(FOLDER, `${method.replace("/", "_")}.json`);
  return (JSON.parse(readFileSync(file, "utf8")) as { examples: readonly Example[] }).examples;
}

describe("the golden messages", () => {
  beforeEach(() => fake.reset());

  test("show every method of the table", () => {
    for (const method of Object.keys(METHODS) as MethodName[]) {
      assert.ok(examples(method).length > 0, method);
    }
  });

  test("requests of a view and their answers pass unchanged", async () => {
    for (const method of Object.keys(METHODS) as MethodName[]) {
      if (!METHODS[method].webview || METHODS[method].sender !== "client") {
        continue;
      }
      for (const { params, result } of examples(method)) {
        const request = { kind: "request", id: 1, method, params } as const;
        const answer = await pass(request, (_, given) => {
          assert.equal(given, params);
          return Promise.resolve(result);
        });
        assert.deepEqual(answer, { kind: "answer", id: 1, result });
      }
    }
  });

  test("every card can be read in a list, has its options there, and is told in a notification", () => {
    for (const { name, params } of examples("tool/approvalRequest")) {
      const ticket = params as ApprovalRequest;
      assert.notEqual(titleOf(ticket), "", name);
      assert.ok(sectionsOf(ticket).length > 0, name);
      const labels = cardChoices(ticket).map(({ label }) => label);
      for (const option of ticket.card.options.filter(({ kind }) => !needsView(kind))) {
        // An agent's own answer stands there as its words, and no option of ours does.
        const said = option.kind === "answer" ? `${ticket.card.agentName}: “${option.label}”` : option.label;
        assert.ok(labels.includes(said), `${name}: ${said}`);
      }
      assert.ok(noticeFor([ticket])?.text.startsWith(ticket.card.agentName), name);
    }
  });

  test("an answer to a card has no member that the server would refuse", () => {
    const known = examples("tool/approvalResponse").flatMap(({ params }) => Object.keys(params as object));
    for (const { params } of examples("tool/approvalRequest")) {
      const ticket = params as ApprovalRequest;
      const [option] = ticket.card.options;
      assert.ok(option);
      const answer = answerTo(ticket, option, { shownMs: 1.6, feedback: "no" });
      assert.deepEqual(
        Object.keys(answer).filter((key) => !known.includes(key)),
        [],
      );
      assert.equal(answer.shownMs, 2);
    }
  });

  test("of a snapshot all that waits is known", () => {
    const whole = examples("agent/subscribe").flatMap(({ result }) => {
      const { snapshot } = result as Subscribed;
      return snapshot === null ? [] : [{ answer: result as Subscribed, snapshot }];
    });
    assert.ok(whole.length > 0);
    for (const { answer, snapshot } of whole) {
      const { tickets, agents, chats } = waitingOf(subscribed(EMPTY, answer, 0));
      assert.deepEqual(tickets, snapshot.tickets);
      assert.deepEqual(agents, snapshot.agents);
      assert.deepEqual(
        chats.map(({ chatId }) => chatId),
        snapshot.chats.map(({ chatId }) => chatId),
      );
    }
  });

  test("settings are written as the examples say", async () => {
    const keys = ["bypassPermissions", "mode"];
    for (const { name, params, result } of examples("settings/write")) {
      const { written } = result as { written: boolean };
      const workspaceFolders = written ? [{ uri: Uri.file("/till") }] : undefined;
      Object.assign(workspace, { workspaceFolders });
      assert.equal((await write(keys, params as WriteSetting, STORAGE)).written, written, name);
    }
  });
});
