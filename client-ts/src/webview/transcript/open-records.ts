/**
 * The records that are open, each with what the server tells of its call.
 *
 * A record is asked for when it is opened, and again when its call moves while it is open; it is
 * held as long as it is open, and no more than a few are.
 */

import type { AgentEvent, CallRecord, RecordKept, SoundKept, WantRecord } from "../../shared/protocol";
import { chatOf, withRequest, without, type State } from "../state/model";

/** So many that a person opened stay open, and so many that opened by themselves; of more, the first are closed. */
const MAX_OPEN_RECORDS = { byPerson: 100, byItself: 10 };

/** By what an open record is found. */
export function keyOf({ chatId, callId }: Pick<WantRecord, "chatId" | "callId">): string {
  return `${chatId} ${callId}`;
}

/** What is known of an open record, once something is; undefined of one that is not open. */
export function keptOf({ records }: State, chatId: string, { callId }: CallRecord): RecordKept | null | undefined {
  return records[keyOf({ chatId, callId })]?.kept;
}

/** The sound that a call made, where it was the last that was asked for. */
export function heardOf({ sound }: State, { callId }: CallRecord): SoundKept | null {
  return sound?.callId === callId ? sound.kept : null;
}

/** A record was opened or closed. */
export function recordTurned(state: State, ref: WantRecord, isOpen: boolean): State {
  const key = keyOf(ref);
  // What is opened here comes back as news from the page.
  if (isOpen === Object.hasOwn(state.records, key)) return state;
  return isOpen ? opened(state, ref, "byPerson") : { ...state, records: without(state.records, key) };
}

/** A call moved: what is told of an open one may be another, and an edit that is done now opens by itself. */
export function recordMoved(before: State, state: State, { chatId, event }: AgentEvent): State {
  if (event.kind !== "call" || chatId === null) return state;
  const { call, entry } = event;
  const open = state.records[keyOf({ chatId, callId: call.callId })];
  if (open !== undefined) return asked(state, open.ref);
  if (!isEdit(call) || chatOf(state)?.chatId !== chatId) return state;
  const was = chatOf(before)?.items.find((item): item is CallRecord => item.kind === "call" && item.callId === call.callId);
  return was === undefined || isEdit(was) ? state : opened(state, { chatId, entry, callId: call.callId }, "byItself");
}

function opened(state: State, ref: WantRecord, by: keyof typeof MAX_OPEN_RECORDS): State {
  const all = Object.entries(state.records);
  const [first] = all.filter(([, record]) => record.by === by).slice(0, 1 - MAX_OPEN_RECORDS[by]);
  const others = all.filter((each) => each !== first);
  return asked({ ...state, records: Object.fromEntries([...others, [keyOf(ref), { ref, kept: null, by }]]) }, ref);
}

function isEdit({ call, state }: CallRecord): boolean {
  return state === "succeeded" && call?.effect === "write";
}

/** The server told of a record. */
export function recordTold(state: State, ref: WantRecord, kept: RecordKept): State {
  const key = keyOf(ref);
  const open = state.records[key];
  return open === undefined ? state : { ...state, records: { ...state.records, [key]: { ...open, kept } } };
}

function asked(state: State, ref: WantRecord): State {
  return withRequest(state, "tool/record", ref, { kind: "record", ref });
}
