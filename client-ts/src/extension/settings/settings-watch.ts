/**
 * Tells when what the settings say may have become something else.
 */

import type { Disposable } from "vscode";
import { SECTION } from "./settings";
import { isSettings } from "./settings-files";
import { workspace } from "../editor/vscode";

/** Who is told of it. */
export interface Watcher {
  /** The settings, or the trust in the workspace, are others. */
  readonly changed: () => void;
  /** A file of the settings was saved: a rule's line may be another now, if nothing else is. */
  readonly saved: () => void;
}

/** Watch until all that is handed back is disposed of. */
export function watchSettings({ changed, saved }: Watcher): readonly Disposable[] {
  return [
    workspace.onDidGrantWorkspaceTrust(changed),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(SECTION)) {
        changed();
      }
    }),
    workspace.onDidSaveTextDocument(({ uri }) => {
      if (isSettings(uri)) {
        saved();
      }
    }),
  ];
}
