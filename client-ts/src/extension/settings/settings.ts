/**
 * Who wrote what in the settings, and writing them, through the editor's own settings.
 *
 * Which keys there are is read from the extension's manifest; no settings file is opened here.
 */

import { isDeepStrictEqual } from "node:util";
import type { Uri as EditorUri } from "vscode";
import { t } from "../../shared/l10n";
import type { Inspected, Layers, WriteSetting, Written } from "../../shared/protocol";
import { settingsFiles, unsaved } from "./settings-files";
import { ConfigurationTarget, workspace } from "../editor/vscode";

export const SECTION = "assent";

const PREFIX = `${SECTION}.`;
export const TARGETS = {
  user: ConfigurationTarget.Global,
  workspace: ConfigurationTarget.Workspace,
} as const;

/** The keys that the manifest declares, without the section's name. */
export function declaredKeys(manifest: unknown): readonly string[] {
  const { contributes } = manifest as { contributes?: { configuration?: Block | Block[] } };
  return [contributes?.configuration ?? []]
    .flat()
    .flatMap((block) => Object.keys(block.properties ?? {}))
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => key.slice(PREFIX.length));
}

/** Every key, by who set it; `storage` is the extension's own folder. */
export function inspect(keys: readonly string[], storage: EditorUri): Inspected {
  return {
    trusted: workspace.isTrusted,
    files: settingsFiles(storage),
    keys: Object.fromEntries(keys.map((key) => [key, layersOf(key)])),
  };
}

/** What the person's own settings say of a key; what a workspace says of it does not count. */
export function ofPerson(key: string): unknown {
  const found = workspace.getConfiguration(SECTION).inspect(key);
  return found?.globalValue ?? found?.defaultValue;
}

/** Write one key for the user or the workspace. Null takes it out. */
export async function write(keys: readonly string[], wish: WriteSetting, storage: EditorUri): Promise<Written> {
  const { scope, key, value, expected } = wish;
  if (!keys.includes(key)) {
    return { written: false, because: t("There is no setting `{0}{1}`.", PREFIX, key) };
  }
  if (scope === "workspace" && !hasWorkspace()) {
    return {
      written: false,
      because: t("No folder is open, so there are no workspace settings to write to."),
    };
  }
  const conflict = unsaved(scope, storage);
  if (conflict !== null) {
    return { written: false, because: conflict };
  }
  if (expected !== null && !isAsExpected(layersOf(key)[scope], expected.value)) {
    return { written: false, because: t("`{0}{1}` was changed meanwhile.", PREFIX, key), changed: true };
  }
  try {
    // Taking a key out is written as undefined here, which JSON cannot say.
    await workspace.getConfiguration(SECTION).update(key, value ?? undefined, TARGETS[scope]);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const why = said.replace(/^CodeExpectedError: /u, "");
    return { written: false, because: t("The editor could not write the setting: {0}", why) };
  }
  return { written: true };
}

/** Whether what stands there says the same as what was read, whatever the order of its keys. */
function isAsExpected(found: unknown, expected: unknown): boolean {
  const plain: unknown = JSON.parse(JSON.stringify(found ?? null));
  return isDeepStrictEqual(plain, expected ?? null);
}

interface Block {
  readonly properties?: Readonly<Record<string, unknown>>;
}

function hasWorkspace(): boolean {
  return workspace.workspaceFile !== undefined || (workspace.workspaceFolders ?? []).length > 0;
}

function layersOf(key: string): Layers {
  const found = workspace.getConfiguration(SECTION).inspect(key);
  return {
    default: found?.defaultValue,
    user: found?.globalValue,
    workspace: found?.workspaceValue,
    folder: joined(folderValues(key)),
  };
}

/**
 * What each folder of the workspace says of this key, in their order.
 *
 * A folder that is open by itself is the workspace, and has said what it says as that.
 */
function folderValues(key: string): readonly unknown[] {
  if (workspace.workspaceFile === undefined && (workspace.workspaceFolders ?? []).length < 2) {
    return [];
  }
  return (workspace.workspaceFolders ?? [])
    .map((folder) => workspace.getConfiguration(SECTION, folder.uri).inspect(key))
    .map((found) => found?.workspaceFolderValue)
    .filter((value) => value !== undefined);
}

/**
 * One value for what several folders say, so that no folder's wish to tighten is lost.
 *
 * Lists are put together, maps by their keys. Where folders disagree on anything else, all that
 * they say is handed on as a list, which no setting can be: it counts as malformed, and so as strict.
 */
export function joined(values: readonly unknown[]): unknown {
  return values.length < 2 ? values[0] : values.reduce(joinTwo);
}

function joinTwo(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) {
    return [...(one as readonly unknown[]), ...(other as readonly unknown[])];
  }
  if (!isMap(one) || !isMap(other)) {
    return Object.is(one, other) ? one : [one, other];
  }
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, joined([one, other].filter((map) => Object.hasOwn(map, key)).map((map) => map[key]))]),
  );
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
