/**
 * The records that are open, each with what the server tells of its call.
 *
 * A record is asked for when it is opened, and again when its call moves while it is open; it is
 * held as long as it is open, and no more than a few are.
 */

import type { AgentEvent, CallRecord, RecordKept, SoundKept, WantRecord } from "../../shared/protocol";
import { chatOf, withRequest, without, type State } from "../state/model";

/** So many are held; of more, those that were opened first show what their line says. */
const MAX_OPEN_RECORDS = 20;

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
  const others = Object.entries(without(state.records, key));
  if (!isOpen) return { ...state, records: Object.fromEntries(others) };
  const records = Object.fromEntries([...others.slice(1 - MAX_OPEN_RECORDS), [key, { ref, kept: null }]]);
  return asked({ ...state, records }, ref);
}

/** A call moved: what is told of an open one may be another, and what has just changed files opens by itself. */
export function recordMoved(before: State, state: State, { chatId, event }: AgentEvent): State {
  if (event.kind !== "call" || chatId === null) return state;
  const { call, entry } = event;
  const open = state.records[keyOf({ chatId, callId: call.callId })];
  if (open !== undefined) return asked(state, open.ref);
  const isShown = chatOf(state)?.chatId === chatId;
  const isNews =
    isShown && isEdit(call) && !chatOf(before)?.items.some((item) => item.kind === "call" && item.callId === call.callId && isEdit(item));
  return isNews ? recordTurned(state, { chatId, entry, callId: call.callId }, true) : state;
}

function isEdit({ call, state }: CallRecord): boolean {
  return state === "succeeded" && call?.effect === "write";
}

/** The server told of a record. */
export function recordTold(state: State, ref: WantRecord, kept: RecordKept): State {
  const key = keyOf(ref);
  if (!Object.hasOwn(state.records, key)) return state;
  return { ...state, records: { ...state.records, [key]: { ref, kept } } };
}

function asked(state: State, ref: WantRecord): State {
  return withRequest(state, "tool/record", ref, { kind: "record", ref });
}
