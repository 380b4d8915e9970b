/**
 * The records that are open, each with what the server tells of its call.
 *
 * A record is asked for when it is opened, and again when its call moves while it is open; it is
 * held as long as it is open, and no more than a few are.
 */

import type { AgentEvent, CallRecord, RecordKept, SoundKept, WantRecord } from "../../shared/protocol";
import { withRequest, without, type State } from "../state/model";

/** So many are held; of more, those that were opened first show what their line says. */
const MAX_OPEN_RECORDS = 20;

/** By what an open record is found. */
export function keyOf({ chatId, callId }: Pick<WantRecord, "chatId" | "callId">): string {
  return `${chatId} ${callId}`;
}

/** What is known of an open record. */
export function keptOf({ records }: State, chatId: string, { callId }: CallRecord): RecordKept | null {
  return records[keyOf({ chatId, callId })]?.kept ?? null;
}

/** The sound that a call made, where it was the last that was asked for. */
export function heardOf({ sound }: State, { callId }: CallRecord): SoundKept | null {
  return sound?.callId === callId ? sound.kept : null;
}

/** A record was opened or closed. */
export function recordTurned(state: State, ref: WantRecord, isOpen: boolean): State {
  const key = keyOf(ref);
  const others = Object.entries(without(state.records, key));
  if (!isOpen) return { ...state, records: Object.fromEntries(others) };
  const records = Object.fromEntries([...others.slice(1 - MAX_OPEN_RECORDS), [key, { ref, kept: null }]]);
  return asked({ ...state, records }, ref);
}

/** The call of an open record moved: what is told of it may be another. */
export function recordMoved(state: State, { chatId, event }: AgentEvent): State {
  if (event.kind !== "call" || chatId === null) return state;
  const open = state.records[keyOf({ chatId, callId: event.call.callId })];
  return open === undefined ? state : asked(state, open.ref);
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
