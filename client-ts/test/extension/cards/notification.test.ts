import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { Notifier, noticeFor, NOTIFICATION_DELAY_MS, type Button, type Notice } from "../../../src/extension/cards/notification";
import type { ApprovalRequest } from "../../../src/shared/protocol";
import { option, settle, shell, span, ticket } from "../made";

describe("what a notification offers", () => {
  function buttons(change: Parameters<typeof ticket>[1]): readonly Button[] {
    return noticeFor([ticket("a", change)])?.buttons ?? [];
  }

  test("a low call whose whole text fits may be allowed from it", () => {
    const notice = noticeFor([ticket("a")]);
    assert.deepEqual(notice?.buttons, ["Review", "Deny", "Allow"]);
    assert.equal(notice.text, "Eliza waits: Run a command: npm test");
  });

  const reviewed: Readonly<Record<string, Parameters<typeof ticket>[1]>> = {
    "is of a medium level": { card: { level: "medium" } },
    "is of a high level": { card: { level: "high" } },
    "is too long": { card: { body: shell(`echo ${"x".repeat(200)}`) } },
    "has two lines": { card: { body: shell("ls\nrm -r x") } },
    "hides a character": { card: { body: shell("", [span("ls"), span("\u202e", "hidden", "U+202E")]) } },
    "hides behind blanks": { card: { body: shell("", [span("ls"), span(" ".repeat(188), "spaces", "⟨188 spaces⟩")]) } },
    "could not be read": { card: { body: { kind: "shell", command: [span("x")], readable: false, parts: [], tail: "", cwd: [] } } },
    "is an edit": { card: { body: { kind: "edit", rows: [], files: [] } } },
    "is a wish of the workspace": { card: { body: { kind: "trust", setting: "s", value: [], effect: "", files: [] } } },
    "cannot be allowed once": { card: { options: [option("denyOnce")] } },
  };
  for (const [why, change] of Object.entries(reviewed)) {
    test(`a call that ${why} may not be allowed from it`, () => {
      assert.equal(buttons(change).includes("Allow"), false);
    });
  }

  test("of several, the first is named, and none may be allowed blindly", () => {
    const notice = noticeFor([ticket("a"), ticket("b"), ticket("c")]);
    assert.deepEqual(notice?.buttons, ["Review", "Deny"]);
    assert.equal(notice.text, "Eliza waits: Run a command (+2 more)");
    assert.deepEqual(notice.covers, ["a", "b", "c"]);
  });

  test("an agent's text becomes neither a link nor an icon", () => {
    const title = [span("[Review](command:assent.allowOnce) $(check)")];
    const text = noticeFor([ticket("a", { card: { title } })])?.text ?? "](";
    assert.doesNotMatch(text, /\]\(|\$\(/u);
  });
});

describe("when a notification is shown", () => {
  let shown: { readonly notice: Notice; readonly press: (button?: Button) => void }[];
  let chosen: (readonly [string, Button])[];
  let seen: boolean;
  let on: boolean;
  let notifier: Notifier;
  const tickets = (...ids: readonly string[]): readonly ApprovalRequest[] => ids.map((id) => ticket(id));

  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
    shown = [];
    chosen = [];
    seen = false;
    on = true;
    notifier = new Notifier({
      isOn: () => on,
      isSeen: () => seen,
      show: (notice) =>
        new Promise((press) => {
          shown.push({ notice, press });
        }),
      chosen: ({ ticket: { approvalId } }, button) => {
        chosen.push([approvalId, button]);
        return Promise.resolve();
      },
    });
  });
  afterEach(() => mock.timers.reset());

  test("after ten seconds that nobody saw the card, and not before", () => {
    notifier.ticketsAre(tickets("a"));
    mock.timers.tick(NOTIFICATION_DELAY_MS - 1);
    assert.equal(shown.length, 0);
    mock.timers.tick(1);
    assert.equal(shown.length, 1);
  });

  test("not while the view is before the person's eyes", () => {
    seen = true;
    notifier.ticketsAre(tickets("a"));
    mock.timers.tick(10 * NOTIFICATION_DELAY_MS);
    assert.equal(shown.length, 0);
  });

  test("the ten seconds begin when the view goes out of sight", () => {
    seen = true;
    notifier.ticketsAre(tickets("a"));
    mock.timers.tick(NOTIFICATION_DELAY_MS / 2);
    seen = false;
    notifier.look();
    mock.timers.tick(NOTIFICATION_DELAY_MS - 1);
    assert.equal(shown.length, 0);
    mock.timers.tick(1);
    assert.equal(shown.length, 1);
  });

  test("not if the view comes into sight in time", () => {
    notifier.ticketsAre(tickets("a"));
    mock.timers.tick(NOTIFICATION_DELAY_MS / 2);
    seen = true;
    notifier.look();
    mock.timers.tick(NOTIFICATION_DELAY_MS);
    assert.equal(shown.length, 0);
  });

  test("not if the card was settled in time", () => {
    notifier.ticketsAre(tickets("a"));
    mock.timers.tick(NOTIFICATION_DELAY_MS / 2);
    notifier.ticketsAre([]);
    mock.timers.tick(NOTIFICATION_DELAY_MS);
    assert.equal(shown.length, 0);
  });

  test("not where the setting says no", () => {
    on = false;
    notifier.ticketsAre(tickets("a"));
    mock.timers.tick(NOTIFICATION_DELAY_MS);
    assert.equal(shown.length, 0);
  });

  test("one at a time: the next comes when the first was closed", async () => {
    notifier.ticketsAre(tickets("a"));
    mock.timers.tick(NOTIFICATION_DELAY_MS);
    notifier.ticketsAre(tickets("a", "b"));
    mock.timers.tick(10 * NOTIFICATION_DELAY_MS);
    assert.equal(shown.length, 1);
    shown[0]?.press();
    await settle();
    mock.timers.tick(NOTIFICATION_DELAY_MS);
    assert.deepEqual(shown[1]?.notice.covers, ["b"]);
  });

  test("one whose cards are all settled does not keep others from being told", () => {
    notifier.ticketsAre(tickets("a"));
    mock.timers.tick(NOTIFICATION_DELAY_MS);
    notifier.ticketsAre(tickets("b"));
    mock.timers.tick(NOTIFICATION_DELAY_MS);
    assert.deepEqual(shown[1]?.notice.covers, ["b"]);
  });

  test("a card is told once, however long it waits", async () => {
    notifier.ticketsAre(tickets("a"));
    mock.timers.tick(NOTIFICATION_DELAY_MS);
    shown[0]?.press();
    await settle();
    mock.timers.tick(100 * NOTIFICATION_DELAY_MS);
    assert.equal(shown.length, 1);
  });

  test("a button answers for the card that it named", async () => {
    notifier.ticketsAre(tickets("a"));
    mock.timers.tick(NOTIFICATION_DELAY_MS);
    notifier.ticketsAre(tickets("b"));
    shown[0]?.press("Deny");
    await settle();
    assert.deepEqual(chosen, [["a", "Deny"]]);
  });
});
