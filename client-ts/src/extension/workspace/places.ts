/** Opens files of the workspace where an answer or an output names a place in them. */

import type { Uri as EditorUri } from "vscode";
import { placeOf } from "../../shared/file-places";
import { t } from "../../shared/l10n";
import { inert } from "../editor/inert-text";
import { commands, FileType, Position, Range, Uri, window, workspace } from "../editor/vscode";

/** Open the file, the cursor at the place. True where there is one; of several folders that have it, the first. */
export async function openPlace(named: string): Promise<boolean> {
  const place = placeOf(named);
  const uri = place === null ? null : await firstFile(candidates(place.path));
  if (place === null || uri === null) {
    void window.showInformationMessage(t("{0} is not in this workspace.", inert(named)));
    return false;
  }
  const at = new Position(place.line - 1, place.column - 1);
  await commands.executeCommand("vscode.open", uri, { preview: true, selection: new Range(at, at) });
  return true;
}

/** Where it would lie in the workspace; of several folders, first in the one that the path begins with. */
function candidates(path: string): readonly EditorUri[] {
  if (path.startsWith("/")) return [Uri.file(path)].filter((uri) => workspace.getWorkspaceFolder(uri) !== undefined);
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const [first = "", ...rest] = path.split("/");
  const named = folders.filter((uri) => rest.length > 0 && folders.length > 1 && uri.path.endsWith(`/${first}`));
  return [...named.map((uri) => Uri.joinPath(uri, ...rest)), ...folders.map((uri) => Uri.joinPath(uri, path))];
}

async function firstFile(uris: readonly EditorUri[]): Promise<EditorUri | null> {
  for (const uri of uris) {
    try {
      const { type } = await workspace.fs.stat(uri);
      if ((type & FileType.File) !== 0) return uri;
    } catch {
      // There is none.
    }
  }
  return null;
}
