/**
 * What of this machine's makes the editor, and Assent in it, what it is.
 *
 * Each is where the editor says that it keeps it, wherever that is; no name of an editor is known
 * here. The server asks about every change there.
 */

import type { ExtensionContext, Uri as EditorUri } from "vscode";
import type { EditorPlace } from "../protocol";
import { env, ExtensionMode, extensions, Uri } from "./vscode";

/** Under this name editors keep a person's settings, inside the folder of all their data. */
const USER = "User";

/** Every such file and folder that lies on this machine. */
export function premises(context: ExtensionContext): readonly EditorPlace[] {
  const { globalStorageUri: storage, extensionUri: own } = context;
  const shared = Uri.joinPath(storage, "..");
  const user = Uri.joinPath(shared, "..");
  const data = user.path.endsWith(`/${USER}`) ? Uri.joinPath(user, "..") : user;
  return [
    ...here("settings", [Uri.joinPath(user, "settings.json")]),
    ...here("data", [data, storage]),
    ...here("secrets", ["state.vscdb", "state.vscdb.backup"].map((name) => Uri.joinPath(shared, name))),
    ...here("extension", [own]),
    ...here("extensions", folders(context)),
    ...here("program", [env.appRoot, process.execPath].map((path) => Uri.file(path))),
  ];
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
