/**
 * The Insights page, in a tab of its own. The server draws it whole: it has no script, loads
 * nothing, and is shown as it is.
 */

import type { Disposable, WebviewPanel } from "vscode";
import { t } from "../../shared/l10n";
import type { InsightsPage } from "../../shared/protocol";
import type { Request } from "../server/bridge";
import { inWords } from "./insights-page";
import { ProgressLocation, ViewColumn, window } from "../editor/vscode";

export const INSIGHTS = "assent.insights";

export class InsightsTab implements Disposable {
  readonly #request: Request;
  #panel: WebviewPanel | null = null;

  constructor(request: Request) {
    this.#request = request;
  }

  /** Work it out anew and show it. */
  async show(): Promise<void> {
    const options = { location: ProgressLocation.Notification, title: t("Looking what you were asked") };
    const { html } = await window.withProgress(options, () => this.#request("history/insights", {}) as Promise<InsightsPage>);
    this.#panel ??= this.#made();
    this.#panel.webview.html = inWords(html);
    this.#panel.reveal();
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #made(): WebviewPanel {
    const options = { enableScripts: false, localResourceRoots: [] };
    const panel = window.createWebviewPanel(INSIGHTS, t("Insights"), ViewColumn.Active, options);
    panel.onDidDispose(() => {
      this.#panel = null;
    });
    return panel;
  }
}
