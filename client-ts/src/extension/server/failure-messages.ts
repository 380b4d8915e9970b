/**
 * Messages about the server itself, each with what the person can do about it.
 */

import { t } from "../../shared/l10n";
import { NothingToStart } from "./launch";
import { inert } from "../editor/inert-text";
import { DifferentVersions } from "./server";
import { commands, window } from "../editor/vscode";
import { reasonOf } from "../editor/error-text";

/** A button and the command behind it. */
interface Remedy {
  readonly label: string;
  readonly command: string;
  readonly argument?: string;
}

const RELOAD: Remedy = { label: t("Reload Window"), command: "workbench.action.reloadWindow" };
const RESTART: Remedy = { label: t("Restart"), command: "assent.restartServer" };
const SHOW_LOG: Remedy = { label: t("Show Log"), command: "assent.showLog" };
const CHOOSE_PYTHON: Remedy = {
  label: t("Choose Python"),
  command: "workbench.action.openSettings",
  argument: "@id:assent.interpreter",
};

/** Say it, and do what the person chooses. */
export async function tellFailure(grave: boolean, message: string, failure: Error | null): Promise<void> {
  const remedies = remediesFor(grave, failure);
  const labels = remedies.map(({ label }) => label);
  const chosen = grave
    ? await window.showErrorMessage(inert(message), ...labels)
    : await window.showWarningMessage(inert(message), ...labels);
  const remedy = remedies.find(({ label }) => label === chosen);
  if (remedy !== undefined) {
    await commands.executeCommand(remedy.command, ...(remedy.argument ? [remedy.argument] : []));
  }
}

/** What helps against this. */
export function remediesFor(grave: boolean, failure: Error | null): readonly Remedy[] {
  if (failure instanceof DifferentVersions) {
    return [RELOAD, SHOW_LOG];
  }
  if (failure instanceof NothingToStart) {
    return [CHOOSE_PYTHON, RESTART, SHOW_LOG];
  }
  return grave ? [RESTART, SHOW_LOG] : [SHOW_LOG];
}

/** Say what went wrong with something that the person wished for. */
export function complain(error: unknown): void {
  void window.showErrorMessage(inert(reasonOf(error)));
}
