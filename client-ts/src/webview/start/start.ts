/**
 * With whom a newcomer could begin: models and agents that are there, some to be had, and Eliza.
 *
 * The server says what there is, on this machine and in this editor; what is chosen is done by
 * the editor, which asks whatever has to be asked.
 */

import type { Partner } from "../../shared/partners";
import type { Beginnings } from "../../shared/protocol";
import { chatOf, isAsking, withErrand, withRequest, type State } from "../state/model";
import { partnerPicked } from "../chats/conversation";
import { ELIZA } from "../chats/built-in-agents";
import type { Starting } from "../state/moments";

/** Where the server could not say what there is. */
function nothingSaid(because: string): Beginnings {
  return { found: [], lacking: because, onPath: [], offered: [], more: 0 };
}

/** Whether nobody is there to be talked to but Eliza, and nobody was chosen. */
export function isNewcomer(state: State): boolean {
  const { agents, phase } = state.replica;
  if (phase !== "live" || state.partner !== null || chatOf(state) !== null) return false;
  return agents.every(({ id, state: how }) => id === ELIZA || how === "failed");
}

/** Whether it stands in the place of the transcript. */
export function isStarting(state: State): boolean {
  return isNewcomer(state) || state.start.isWanted;
}

/** It is asked for once it is to be drawn. */
export function startAsked(state: State): State {
  if (!isStarting(state) || state.start.ways !== null || state.server.state !== "ready") return state;
  return isAsking(state, ({ kind }) => kind === "start") ? state : lookedFor(state);
}

function lookedFor(state: State): State {
  return withRequest(state, "start/look", {}, { kind: "start" });
}

export function startTold(state: State, beginnings: Beginnings): State {
  return { ...state, start: { ...state.start, ways: beginnings } };
}

export function startFailed(state: State, error: string): State {
  return startTold(state, nothingSaid(error));
}

function left(state: State): State {
  return { ...state, start: { ...state.start, isWanted: false } };
}

export function starting(state: State, what: Starting): State {
  switch (what) {
    case "choose":
      return { ...state, start: { isWanted: true, ways: null } };
    case "look":
      return lookedFor(state);
    case "back":
      return withErrand(left(state), { kind: "focus", on: "composer" });
  }
}

/** Somebody was chosen; what is to be said to them comes next. */
export function begunWith(state: State, partner: Partner): State {
  const after = partnerPicked(left(state), partner);
  return withErrand(after, { kind: "focus", on: "composer" });
}
