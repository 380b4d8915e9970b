/**
 * The History page, in a tab of its own: what was decided, looked up in the journal.
 *
 * Its page may send the requests about history and no others. Nothing is kept here; a page that
 * comes back with the window asks anew.
 */

import { randomBytes } from "node:crypto";
import type { Disposable, Uri as EditorUri, Webview, WebviewPanel, WebviewPanelSerializer } from "vscode";
import { t } from "../../shared/l10n";
import type { ToHistory, ToView } from "../../shared/host-messages";
import type { MethodName } from "../../shared/protocol";
import { isRecord, pass, readFromView, type Request } from "../server/bridge";
import { exportTo } from "./history-export";
import { pageOf } from "../editor/html-page";
import { SPOKEN } from "../editor/language";
import { InsightsTab } from "./insights-tab";
import type { Server } from "../server/server";
import { complain } from "../server/failure-messages";
import { Uri, ViewColumn, window } from "../editor/vscode";

export const HISTORY = "assent.history";

/** What the page may ask the server for. */
const OURS = "history/";
const NOT_YET = t("Assent's server is not running; restart it, and reload this page.");

export class HistoryTab implements WebviewPanelSerializer, Disposable {
  readonly #root: EditorUri;
  readonly #server: Pick<Server, "request" | "state">;
  readonly #registered: Disposable;
  /** What the same journal tells of all questions together. */
  readonly insights: InsightsTab;
  #panel: WebviewPanel | null = null;

  constructor(root: EditorUri, server: Pick<Server, "request" | "state">) {
    this.#root = root;
    this.#server = server;
    this.insights = new InsightsTab(this.#ask);
    this.#registered = window.registerWebviewPanelSerializer(HISTORY, this);
  }

  readonly #ask: Request = (method, params) => this.#server.request(method, params);

  get #isReady(): boolean {
    return this.#server.state === "ready";
  }

  /** Show the page, and give it the focus. */
  show(): void {
    if (this.#panel === null) {
      this.#fill(window.createWebviewPanel(HISTORY, t("History"), ViewColumn.Active));
    } else {
      this.#panel.reveal();
    }
  }

  /** The window was loaded anew, with the page in it. */
  deserializeWebviewPanel(panel: WebviewPanel): Promise<void> {
    this.#panel?.dispose();
    this.#fill(panel);
    return Promise.resolve();
  }

  /** Something was told by the server: a call may have been decided. */
  take(method: MethodName): void {
    if (method === "tool/approvalSettled") {
      this.#post({ kind: "changed" });
    }
  }

  /** The server can be asked again. */
  serverIsReady(): void {
    this.#post({ kind: "ready" });
  }

  dispose(): void {
    this.#registered.dispose();
    this.insights.dispose();
    this.#panel?.dispose();
  }

  #fill(panel: WebviewPanel): void {
    this.#panel = panel;
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: [Uri.joinPath(this.#root, "dist")] };
    webview.onDidReceiveMessage((message: unknown) => this.#heard(webview, message));
    panel.onDidDispose(() => {
      if (this.#panel === panel) {
        this.#panel = null;
      }
    });
    webview.html = pageOf({
      nonce: randomBytes(18).toString("base64url"),
      cspSource: webview.cspSource,
      script: this.#address(webview, "history.js"),
      style: this.#address(webview, "history.css"),
      ...SPOKEN,
    });
  }

  #heard(webview: Webview, message: unknown): void {
    if (isRecord(message) && message["kind"] === "export") {
      void exportTo(message, this.#ask).catch(complain);
      return;
    }
    const read = readFromView(message);
    if (read?.kind === "ready" && this.#isReady) {
      this.#post({ kind: "ready" });
    }
    if (read?.kind === "request") {
      void this.#answer(read).then((answer) => webview.postMessage(answer));
    }
  }

  async #answer(wanted: Parameters<typeof pass>[0]): Promise<ToView> {
    const { id, method } = wanted;
    if (!method.startsWith(OURS)) {
      return { kind: "answer", id, error: `This page may not send \`${method}\`.` };
    }
    return this.#isReady ? pass(wanted, this.#ask) : { kind: "answer", id, error: NOT_YET };
  }

  #post(message: ToHistory): void {
    void this.#panel?.webview.postMessage(message);
  }

  #address(webview: Webview, name: string): string {
    return webview.asWebviewUri(Uri.joinPath(this.#root, "dist", name)).toString();
  }
}
