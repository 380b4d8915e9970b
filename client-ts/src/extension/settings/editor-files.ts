/**
 * What of this machine's makes the editor, and Assent in it, what it is.
 *
 * Each is where the editor says that it keeps it, wherever that is; no name of an editor is known
 * here. The server asks about every change there.
 */

import { existsSync, readdirSync } from "node:fs";
import type { ExtensionContext, Uri as EditorUri } from "vscode";
import type { EditorPlace } from "../../shared/protocol";
import { env, ExtensionMode, extensions, Uri } from "../editor/vscode";

/** Under this name editors keep a person's settings, inside the folder of all their data. */
const USER = "User";
/** In the folder of a person's settings: those of each profile, and of the editor's own one deeper. */
const PROFILES = "profiles";
/** The server reads them so, too: `editor/window/servers/kept_logins`. Both are tried with `tests/gate/settings/profiles.json`. */
const IN_PROFILE = new RegExp(`/${USER}/${PROFILES}((?:/[^/]+){1,2})$`, "u");

/** Every such file and folder that lies on this machine. */
export function premises(context: ExtensionContext): readonly EditorPlace[] {
  const { globalStorageUri: storage, extensionUri: own } = context;
  const active = Uri.joinPath(storage, "..", "..");
  const user = userFolder(active);
  const data = user.path.endsWith(`/${USER}`) ? Uri.joinPath(user, "..") : user;
  // Whichever profile is active, an extension's secrets are kept in the one that has no name.
  const profiles = [active, user, ...profilesOf(user)];
  const secrets = ["state.vscdb", "state.vscdb.backup"].map((name) => `globalStorage/${name}`);
  return [
    ...here("settings", inEach(profiles, ["settings.json"])),
    ...here("data", [data, storage]),
    ...here("secrets", inEach(profiles, secrets)),
    ...here("extension", [own]),
    ...here("extensions", folders(context)),
    ...here(
      "program",
      [env.appRoot, process.execPath].map((path) => Uri.file(path)),
    ),
  ];
}

/** The folder of the profile that has no name: a named one lies in it. */
function userFolder(profile: EditorUri): EditorUri {
  const below = IN_PROFILE.exec(profile.path)?.[1]?.split("/").slice(1) ?? null;
  return below === null ? profile : Uri.joinPath(profile, "..", ...below.map(() => ".."));
}

/** The folders of all named profiles. */
function profilesOf(user: EditorUri): readonly EditorUri[] {
  const named = foldersIn(Uri.joinPath(user, PROFILES));
  return [...named, ...named.flatMap(foldersIn).filter(isProfile)];
}

function isProfile(folder: EditorUri): boolean {
  return ["settings.json", "globalStorage"].some((name) => existsSync(Uri.joinPath(folder, name).fsPath));
}

function foldersIn(folder: EditorUri): readonly EditorUri[] {
  if (folder.scheme !== "file") return [];
  try {
    const entries = readdirSync(folder.fsPath, { withFileTypes: true });
    return entries.filter((entry) => !entry.isFile()).map(({ name }) => Uri.joinPath(folder, name));
  } catch {
    return [];
  }
}

function inEach(profiles: readonly EditorUri[], names: readonly string[]): readonly EditorUri[] {
  return profiles.flatMap((profile) => names.map((name) => Uri.joinPath(profile, name)));
}

/** The folders in which extensions lie; one that is being developed lies among anything. */
function folders({ extensionUri: own, extensionMode }: ExtensionContext): readonly EditorUri[] {
  const others = extensions.all.map(({ extensionUri }) => extensionUri);
  const installed = others.filter((uri) => uri.toString() !== own.toString());
  const all = extensionMode === ExtensionMode.Development ? installed : [own, ...installed];
  return all.map((uri) => Uri.joinPath(uri, ".."));
}

function here(kind: EditorPlace["kind"], uris: readonly EditorUri[]): readonly EditorPlace[] {
  const files = uris.filter(({ scheme }) => scheme === "file").map((uri) => uri.toString());
  return [...new Set(files)].map((uri) => ({ uri, kind }));
}
