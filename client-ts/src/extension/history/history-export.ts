/**
 * Writes what the History page shows into a file that the person names, piece after piece.
 *
 * The file is theirs alone: commands and paths stand in it. What was not written whole says so.
 */

import { open } from "node:fs/promises";
import { many, t } from "../../shared/l10n";
import type { Exported, HistoryFilter, WantExport } from "../../shared/protocol";
import type { Request } from "../server/bridge";
import { inert } from "../editor/inert-text";
import { ProgressLocation, Uri, window, workspace } from "../editor/vscode";

const FORMS: { readonly [form in WantExport["form"]]: string } = { csv: "CSV", jsonl: "JSON Lines" };

/** Ask where to, and write it. The server says what is wrong with a filter. */
export async function exportTo(wish: Readonly<Record<string, unknown>>, request: Request): Promise<void> {
  const form = wish["form"] === "csv" ? "csv" : "jsonl";
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const to = await window.showSaveDialog({
    title: t("Export History"),
    filters: { [FORMS[form]]: [form] },
    ...(folder === undefined ? {} : { defaultUri: Uri.joinPath(folder, `history.${form}`) }),
  });
  if (to === undefined) {
    return;
  }
  if (to.scheme !== "file") {
    throw new Error(t("History can be exported into a file of this machine only."));
  }
  const options = { location: ProgressLocation.Notification, title: t("Exporting History"), cancellable: true };
  const count = await window.withProgress(options, (progress, token) =>
    write(to.fsPath, request, { form, filter: wish["filter"] as HistoryFilter }, (written) => {
      progress.report({ message: many(written, "1 record", "{0} records") });
      return token.isCancellationRequested;
    }),
  );
  void window.showInformationMessage(inert(many(count, "1 record written to {1}.", "{0} records written to {1}.", to.fsPath)));
}

/** Write piece after piece; how many records that were. `told` says whether to stop. */
async function write(
  path: string,
  request: Request,
  wanted: Omit<WantExport, "before">,
  told: (written: number) => boolean,
): Promise<number> {
  const file = await open(path, "w", 0o600);
  try {
    let count = 0;
    for (let before: number | null = null; ; ) {
      const params: WantExport = { ...wanted, ...(before === null ? {} : { before }) };
      const piece = (await request("history/export", params)) as Exported;
      await file.write(piece.text);
      count += piece.told;
      before = piece.next;
      if (before === null || told(count)) {
        return count;
      }
    }
  } finally {
    await file.close();
  }
}
