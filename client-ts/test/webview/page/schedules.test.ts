/**
 * Random schedules of everything that can go wrong between a server and two views of it.
 *
 * The server here is a model: a log, a ring of the last messages, and a desk that settles each
 * ticket once. Views hide, reload, answer twice, hear late or not at all; the server restarts. In
 * the end each view must hold what the server holds, and nothing may have been settled twice.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApprovalResponse, Delivered, Subscribe, WantCard, WantTurns } from "../../../src/shared/protocol";
import type { ToView } from "../../../src/shared/host-messages";
import { START, type State } from "../../../src/webview/state/model";
import type { Input } from "../../../src/webview/state/moments";
import { olderOf } from "../../../src/webview/chats/older-entries";
import { step } from "../../../src/webview/page/fold";
import { Server } from "../server";
import { beheld, chance, pick } from "../shapes";

const SCHEDULES = 10_000;
const CALL = {
  kind: "call",
  callId: "c",
  approvalId: null,
  call: null,
  title: [],
  level: "low",
  looks: null,
  state: "running",
  by: null,
  because: "",
  success: null,
  path: "",
  exitCode: null,
  took: null,
  output: "",
  errors: [],
  recordId: null,
  at: 0,
  part: "",
  flow: null,
  sound: "",
  may: [],
  members: [],
} as const;

const NAMES = {
  event: "agent/event",
  request: "tool/approvalRequest",
  settled: "tool/approvalSettled",
} as const;

class View {
  state: State = START;
  isVisible = true;
  /** What is on its way to this view, in order. */
  inbox: ToView[] = [];
  at = 0;
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
    this.begin();
  }

  begin(): void {
    this.state = START;
    this.inbox = [];
    this.do({ kind: "opened", viewId: "view", draft: "", chatId: null });
    this.inbox.push({ kind: "server", state: "ready", text: "" });
  }

  do(input: Input): void {
    this.at += 1;
    this.state = step(beheld(this.state), { ...input, at: this.at });
    const { errands } = this.state;
    this.state = { ...this.state, errands: [] };
    for (const errand of errands) {
      if (errand.kind !== "post" || errand.message.kind !== "request") continue;
      const { id, method, params } = errand.message;
      this.inbox.push({ kind: "answer", id, result: this.#ask(method, params) });
    }
  }

  #ask(method: string, params: unknown): unknown {
    switch (method) {
      case "agent/subscribe":
        return this.#server.subscribe(params as Subscribe);
      case "tool/approvalResponse":
        return this.#server.answer(params as ApprovalResponse);
      case "tool/card":
        return this.#server.card(params as WantCard);
      case "agent/turns":
        return this.#server.turns(params as WantTurns);
      default:
        return {};
    }
  }

  hear(delivered: Delivered): void {
    if (!this.isVisible) return;
    this.inbox.push({ kind: "message", method: NAMES[delivered.kind], params: delivered.message });
  }

  take(): void {
    const message = this.inbox.shift();
    if (message !== undefined && this.isVisible) this.do({ kind: "fromHost", message });
  }

  drain(): void {
    while (this.inbox.length > 0) this.take();
  }

  press(detail: number): void {
    this.at += 600;
    const press = { trusted: true, detail, repeat: false, downAt: this.at };
    this.do({ kind: "press", optionId: "once", press });
  }
}

function world(): { readonly server: Server; readonly views: readonly [View, View] } {
  const views: View[] = [];
  const server = new Server((delivered) => views.forEach((view) => view.hear(delivered)));
  const both = [new View(server), new View(server)] as const;
  views.push(...both);
  return { server, views: both };
}

function shuffle(seed: number): ReturnType<typeof world> {
  const next = chance(seed);
  const { server, views } = world();
  let count = 0;
  const someTicket = (): string => pick(next, server.tickets);
  const happenings: readonly (() => void)[] = [
    () => server.ask(`t${(count += 1)}`),
    () => server.ask(`t${(count += 1)}`),
    () => server.tickets.length > 0 && server.settle(someTicket()),
    () =>
      server.happen("chat-1", {
        kind: "said",
        who: pick(next, ["user", "agent"] as const),
        messageId: `m${Math.floor(next() * 4)}`,
        references: [],
        append: "more ",
      }),
    () => {
      // A call is new, or one that may have been put away took a step.
      const { items } = server.whole;
      const entry = Math.floor(next() * (items.length + 1));
      const item = items[entry];
      if (item !== undefined && item.kind !== "call") return;
      const callId = item?.callId ?? `c${entry}`;
      const call = { ...CALL, callId, because: `step ${server.seq}` };
      server.happen("chat-1", { kind: "call", entry, call });
    },
    () => server.archive(1 + Math.floor(next() * 3)),
    () => pick(next, views).do({ kind: "earlier" }),
    () => server.happen("chat-1", { kind: "mode", mode: pick(next, ["plan", "auto"] as const) }),
    () => pick(next, views).take(),
    () => pick(next, views).take(),
    () => pick(next, views).take(),
    () => pick(next, views).drain(),
    () => pick(next, views).press(1),
    () => {
      const view = pick(next, views);
      view.press(1);
      view.press(2);
      view.press(1);
    },
    () => pick(next, views).do({ kind: "turn", by: 1 }),
    () => {
      pick(next, views).isVisible = false;
    },
    () => {
      const view = pick(next, views);
      view.isVisible = true;
      view.begin();
    },
    // One message is lost on its way.
    () => {
      const { inbox } = pick(next, views);
      const lost = inbox.findIndex((message) => message.kind === "message");
      if (lost >= 0) inbox.splice(lost, 1);
    },
    // One message comes twice.
    () => {
      const { inbox } = pick(next, views);
      const twice = inbox.find((message) => message.kind === "message");
      if (twice !== undefined) inbox.push(twice);
    },
    () => {
      if (next() > 0.2) return;
      server.restart();
      for (const view of views) {
        view.inbox.push({ kind: "server", state: "restarting", text: "" });
        view.inbox.push({ kind: "server", state: "ready", text: "" });
      }
    },
  ];
  const length = 10 + Math.floor(next() * 50);
  for (let each = 0; each < length; each += 1) pick(next, happenings)();
  for (const view of views) {
    if (!view.isVisible) {
      view.isVisible = true;
      view.begin();
    }
    view.drain();
  }
  // One more event shows every gap that is left.
  server.happen("chat-1", { kind: "turnEnded", reason: "done", because: "" });
  views.forEach((view) => view.drain());
  return { server, views };
}

test("after any schedule both views hold what the server holds, and nothing ran twice", () => {
  let held = 0;
  for (let seed = 1; seed <= SCHEDULES; seed += 1) {
    const { server, views } = shuffle(seed);
    for (const { state } of views) {
      const { replica } = state;
      const name = `schedule ${seed}`;
      assert.equal(replica.phase, "live", name);
      assert.deepEqual([replica.epoch, replica.seq], [server.epoch, server.seq], name);
      const tickets = replica.tickets.map(({ request }) => request.approvalId);
      assert.deepEqual(tickets, server.tickets, name);
      assert.deepEqual(replica.chats, server.chats, name);
      for (const chat of replica.chats) {
        const { first, items } = olderOf(state.older, chat);
        assert.equal(first + items.length, chat.first, name);
        assert.deepEqual(items, server.whole.items.slice(first, chat.first), name);
        held += items.length;
      }
      assert.equal(state.open === null, tickets.length === 0, name);
      if (state.open !== null) assert.ok(tickets.includes(state.open.approvalId), name);
    }
    const { executed } = server;
    assert.equal(new Set(executed).size, executed.length, `schedule ${seed} ran a call twice`);
  }
  assert.ok(held > 1_000, `only ${held} older entries were held`);
});

test("the schedules do what they are for", () => {
  let [executed, opened, restarted] = [0, 0, 0];
  for (let seed = 1; seed <= 500; seed += 1) {
    const { server } = shuffle(seed);
    executed += server.executed.length;
    opened += server.opened.length;
    restarted += server.epoch === "run-1" ? 0 : 1;
  }
  assert.ok(executed > 100, `only ${executed} answers were applied`);
  assert.ok(opened > 1_000, `only ${opened} tickets were opened`);
  assert.ok(restarted > 50, `the server restarted in only ${restarted} schedules`);
});
