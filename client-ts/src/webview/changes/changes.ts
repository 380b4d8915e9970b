/**
 * The files that edits of the shown chat have changed: what is open of them, and what is done.
 *
 * What a person acts on is named by its digest, so nothing is done to changes that are others
 * than those on the screen. While a card waits the bar is closed. What was undone can be brought
 * back, for as long as the server offers it.
 */

import { t } from "../../shared/l10n";
import type { ChangeAt, ChangedFile, ChangesDone, ChangeShown, FilesUndone } from "../../shared/protocol";
import { chatOf, shown, without, withRequest, type State } from "../state/model";
import type { ChangesStep } from "../state/moments";

/** The files with changes in the chat that is shown. */
export function changedFiles(state: State): readonly ChangedFile[] {
  return state.server.state === "ready" ? (chatOf(state)?.changes ?? []) : [];
}

/** What was undone last and can be brought back, unless the person wants to be told no more. */
export function undoneOf(state: State): FilesUndone | null {
  const undone = state.server.state === "ready" ? (chatOf(state)?.undone ?? null) : null;
  return undone?.undoId === state.changes.dismissed ? null : undone;
}

/** Whether the files are listed: never behind a card that waits. */
export function isOpen(state: State): boolean {
  return state.changes.open && shown(state) === null;
}

export function atChanges(state: State, step: ChangesStep): State {
  const chatId = chatOf(state)?.chatId;
  if (chatId === undefined) return state;
  switch (step.kind) {
    case "turn":
      return { ...state, changes: { ...state.changes, open: !isOpen(state) } };
    case "turnFile":
      return turned(state, step.file);
    case "diff":
      return withRequest(state, "change/openDiff", { chatId, ...at(step.file) });
    case "diffs":
      return withRequest(state, "change/openDiffs", { chatId, files: step.files.map(at) });
    case "act":
      return withRequest(
        state,
        `change/${step.what}`,
        { chatId, files: step.files.map(at) },
        { kind: "changesDone", said: SAID[step.what] },
      );
    case "actHunk":
      return withRequest(
        state,
        `change/${step.what}`,
        { chatId, ...at(step.file), hunk: step.hunk },
        { kind: "changesDone", said: SAID[step.what] },
      );
    case "redo":
      return withRequest(state, "change/redo", { chatId, undoId: step.undoId }, { kind: "changesDone", said: t("It is brought back.") });
    case "dismiss":
      return { ...state, changes: { ...state.changes, dismissed: step.undoId } };
  }
}

/** What a screen reader is told of it. */
const SAID = {
  keep: t("Done."),
  keepHunk: t("Done."),
  undo: t("Undone. “Redo” brings it back."),
  undoHunk: t("Undone. “Redo” brings it back."),
} as const;

/** What was told of a file's changes, if they are still those. */
export function changeTold(state: State, { fileId, digest }: ChangeAt, told: ChangeShown): State {
  if (state.changes.files[fileId]?.digest !== digest) return state;
  const files = { ...state.changes.files, [fileId]: { digest, told } };
  return { ...state, changes: { ...state.changes, files } };
}

/** What became of it is said where not all of it was done. */
export function changesDone(state: State, live: string, { because }: ChangesDone): State {
  return because === "" ? { ...state, live } : { ...state, note: because };
}

/** A card closes the list; of files that are open and have changed since it is asked anew. */
export function changesFollowed(state: State): State {
  const { open, files } = state.changes;
  if (open && shown(state) !== null) return { ...state, changes: { ...state.changes, open: false } };
  const there = changedFiles(state);
  return Object.keys(files).reduce<State>((now, fileId) => {
    const file = there.find((each) => each.fileId === fileId);
    if (file === undefined) return state.replica.phase === "live" ? forgotten(now, fileId) : now;
    return file.digest === files[fileId]?.digest ? now : asked(now, file);
  }, state);
}

function at({ fileId, digest }: ChangedFile): ChangeAt {
  return { fileId, digest };
}

function turned(state: State, file: ChangedFile): State {
  return Object.hasOwn(state.changes.files, file.fileId) ? forgotten(state, file.fileId) : asked(state, file);
}

function forgotten(state: State, fileId: string): State {
  return { ...state, changes: { ...state.changes, files: without(state.changes.files, fileId) } };
}

function asked(state: State, file: ChangedFile): State {
  const { chatId } = chatOf(state) ?? {};
  if (chatId === undefined) return state;
  const files = { ...state.changes.files, [file.fileId]: { digest: file.digest, told: null } };
  const after = { ...state, changes: { ...state.changes, files } };
  return withRequest(after, "change/show", { chatId, ...at(file) }, { kind: "change", at: at(file) });
}
