/**
 * Random schedules over what a real server said.
 *
 * `tests/editor/wire/test_schedules.py` records a server at work with an agent: every message, and what
 * it told newcomers on the way. Here two views hear the recording late, twice, not at all, hide
 * and reload. In the end each must hold exactly what the real server told a newcomer at the end.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Delivered, Have, Snapshot, Subscribe, Subscribed } from "../../../src/shared/protocol";
import type { ToView } from "../../../src/shared/host-messages";
import { START, type State } from "../../../src/webview/state/model";
import type { Input } from "../../../src/webview/state/moments";
import { step } from "../../../src/webview/page/fold";
import { chance, pick } from "../shapes";

interface Recording {
  readonly epoch: string;
  readonly log: readonly Delivered[];
  readonly newcomers: readonly { readonly seq: number; readonly snapshot: Snapshot }[];
}

const SCHEDULES = 10_000;
const NAMES = {
  event: "agent/event",
  request: "tool/approvalRequest",
  settled: "tool/approvalSettled",
} as const;

const path = process.env["ASSENT_RECORDING"];

/** The server again, as far as the recording has gone. */
class Replay {
  #at: number;
  readonly #recording: Recording;

  constructor(recording: Recording, at: number) {
    this.#recording = recording;
    this.#at = at;
  }

  get isOver(): boolean {
    return this.#at === this.#recording.log.length;
  }

  /** The next message that the server sent. */
  next(): Delivered | null {
    const delivered = this.#recording.log[this.#at];
    if (delivered !== undefined) this.#at += 1;
    return delivered ?? null;
  }

  subscribe({ have }: Subscribe): Subscribed {
    return have === null || have === undefined ? this.#whole() : this.#missing(have);
  }

  /** What the server told the last newcomer until now. */
  #whole(): Subscribed {
    const { epoch, newcomers, log } = this.#recording;
    const now = log[this.#at - 1]?.message.seq ?? 0;
    const last = newcomers.filter(({ seq }) => seq <= now).at(-1) ?? newcomers[0];
    assert.ok(last !== undefined);
    return { epoch, seq: last.seq, snapshot: last.snapshot, events: [] };
  }

  #missing(have: Have): Subscribed {
    const { epoch, log } = this.#recording;
    const said = log.slice(0, this.#at);
    const seq = said.at(-1)?.message.seq ?? have.seq;
    const events = said.filter(({ message }) => message.seq > have.seq);
    return { epoch, seq: Math.max(seq, have.seq), snapshot: null, events };
  }
}

class View {
  state: State = START;
  isVisible = true;
  inbox: ToView[] = [];
  #at = 0;
  readonly #server: Replay;

  constructor(server: Replay) {
    this.#server = server;
    this.begin();
  }

  begin(): void {
    this.isVisible = true;
    this.state = START;
    this.inbox = [{ kind: "server", state: "ready", text: "" }];
    this.#do({ kind: "opened", viewId: "view", draft: "", chatId: null });
  }

  hear(delivered: Delivered): void {
    if (!this.isVisible) return;
    this.inbox.push({ kind: "message", method: NAMES[delivered.kind], params: delivered.message });
  }

  take(): void {
    const message = this.inbox.shift();
    if (message !== undefined && this.isVisible) this.#do({ kind: "fromHost", message });
  }

  drain(): void {
    while (this.inbox.length > 0) this.take();
  }

  #do(input: Input): void {
    this.#at += 1;
    const after = step(this.state, { ...input, at: this.#at });
    this.state = { ...after, errands: [] };
    for (const errand of after.errands) {
      if (errand.kind !== "post" || errand.message.kind !== "request") continue;
      const { id, method, params } = errand.message;
      if (method !== "agent/subscribe") continue;
      const result = this.#server.subscribe(params as Subscribe);
      this.inbox.push({ kind: "answer", id, result });
    }
  }
}

function shuffle(recording: Recording, seed: number): readonly View[] {
  const next = chance(seed);
  const first = recording.newcomers[0]?.seq ?? 0;
  const start = recording.log.filter(({ message }) => message.seq <= first).length;
  const server = new Replay(recording, start);
  const views = [new View(server), new View(server)] as const;
  const goOn = (): void => {
    const delivered = server.next();
    if (delivered !== null) views.forEach((view) => view.hear(delivered));
  };
  const happenings: readonly (() => void)[] = [
    goOn,
    goOn,
    goOn,
    () => pick(next, views).take(),
    () => pick(next, views).take(),
    () => pick(next, views).drain(),
    () => {
      if (next() < 0.1) pick(next, views).isVisible = false;
    },
    () => {
      if (next() < 0.1) pick(next, views).begin();
    },
    () => {
      const { inbox } = pick(next, views);
      const lost = inbox.findIndex((message) => message.kind === "message");
      if (lost >= 0 && next() < 0.3) inbox.splice(lost, 1);
    },
    () => {
      const { inbox } = pick(next, views);
      const twice = inbox.find((message) => message.kind === "message");
      if (twice !== undefined) inbox.push(twice);
    },
  ];
  // The last message is held back: heard by all, it shows every gap that is left.
  while (!server.isOver) pick(next, happenings)();
  for (const view of views) {
    if (!view.isVisible) view.begin();
    const last = recording.log.at(-1);
    if (last !== undefined) view.hear(last);
    view.drain();
  }
  return views;
}

/** What a view shows, without the moments at which it was told. */
function held({ replica }: State): object {
  const { agents, chats, trusted, defaultMode, banners, tickets } = replica;
  const cards = tickets.map(({ request }) => [request.approvalId, request.revision, request.card]);
  return { agents, chats, trusted, defaultMode, banners, cards };
}

function told({ snapshot }: Recording["newcomers"][number]): object {
  const { agents, chats, trusted, defaultMode, banners, tickets } = snapshot;
  const cards = tickets.map(({ approvalId, revision, card }) => [approvalId, revision, card]);
  return { agents, chats, trusted, defaultMode, banners, cards };
}

test("after any schedule both views hold what the real server holds", {
  skip: path === undefined && "no recording: tests/editor/wire/test_schedules.py makes one",
}, () => {
  const recording = JSON.parse(readFileSync(path ?? "", "utf-8")) as Recording;
  const last = recording.newcomers.at(-1);
  assert.ok(last !== undefined && recording.log.length > 30, "the recording is too short");
  const wanted = JSON.stringify(told(last));
  for (let seed = 1; seed <= SCHEDULES; seed += 1) {
    for (const { state } of shuffle(recording, seed)) {
      assert.equal(state.replica.phase, "live", `schedule ${seed}`);
      assert.equal(JSON.stringify(held(state)), wanted, `schedule ${seed}`);
    }
  }
});
