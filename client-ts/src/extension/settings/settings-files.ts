/**
 * Which files the settings are written in, where that can be told.
 *
 * It is told for naming a file and a line, for not writing over what somebody is typing, and for
 * asking about every change of these files.
 * The person's own file is on this machine only if the extension runs there too.
 */

import { existsSync } from "node:fs";
import type { Uri as EditorUri } from "vscode";
import { t } from "../../shared/l10n";
import type { SettingsFiles, WriteSetting } from "../../shared/protocol";
import { env, Uri, workspace } from "../editor/vscode";

/** Under this scheme the editor opens the person's own settings, wherever they are. */
const OWN = "vscode-userdata";

/** Where each layer is written; `storage` is the extension's own folder beside the person's settings. */
export function settingsFiles(storage: EditorUri): SettingsFiles {
  const own = userFile(storage);
  const shared = workspaceFile();
  // A folder that is open by itself is the workspace.
  const folders = workspace.workspaceFile === undefined ? [] : (workspace.workspaceFolders ?? []);
  return {
    ...(own === null ? {} : { user: own.toString() }),
    ...(shared === undefined ? {} : { workspace: shared.toString() }),
    ...(folders.length === 0 ? {} : { folders: folders.map(({ uri }) => settingsIn(uri).toString()) }),
  };
}

/** What somebody has changed in that layer's file and not saved yet, as a sentence; else null. */
export function unsaved(scope: WriteSetting["scope"], storage: EditorUri): string | null {
  const file = scope === "user" ? userFile(storage) : (workspaceFile() ?? null);
  const open = workspace.textDocuments.find(({ uri, isDirty }) => isDirty && isSame(uri, file));
  if (open === undefined) {
    return null;
  }
  const name = open.uri.path.split("/").at(-1) ?? "";
  return t("`{0}` has changes that are not saved. Save it, or undo them, and try again.", name);
}

/** Whether settings are written in this file; a line in it may then be another. */
export function isSettings({ path }: EditorUri): boolean {
  return /\/settings\.json$|\.code-workspace$/u.test(path);
}

/** The address under which the editor shows a file of the settings; a remote one has but one. */
export function shownAs(uri: EditorUri, storage: EditorUri): EditorUri {
  return env.remoteName === undefined && isSame(uri, userFile(storage)) ? Uri.from({ scheme: OWN, path: uri.path }) : uri;
}

function userFile(storage: EditorUri): EditorUri | null {
  if (storage.scheme !== "file") {
    return null;
  }
  const file = Uri.joinPath(storage, "..", "..", "settings.json");
  return existsSync(file.fsPath) ? file : null;
}

function workspaceFile(): EditorUri | undefined {
  const { workspaceFile: own } = workspace;
  if (own !== undefined) {
    return own.scheme === "untitled" ? undefined : own;
  }
  const folder = onlyFolder();
  return folder === undefined ? undefined : settingsIn(folder);
}

function onlyFolder(): EditorUri | undefined {
  const [first, ...others] = workspace.workspaceFolders ?? [];
  return others.length === 0 ? first?.uri : undefined;
}

function settingsIn(folder: EditorUri): EditorUri {
  return Uri.joinPath(folder, ".vscode", "settings.json");
}

function isSame(one: EditorUri, other: EditorUri | null): boolean {
  return other !== null && [other.scheme, OWN].includes(one.scheme) && one.path === other.path;
}
