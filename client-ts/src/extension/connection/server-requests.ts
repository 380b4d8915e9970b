/**
 * What the server asks of the editor: settings, secrets, a modal question, a diff.
 *
 * Every request of the table that a server sends has its answer here, which the type checks.
 */

import type { CancellationToken, Disposable, ExtensionContext } from "vscode";
import {
  METHODS,
  type Confirm,
  type Confirmed,
  type Messages,
  type MethodName,
  type OpenPage,
  type PageOpened,
} from "../../shared/protocol";
import { said } from "../../shared/server-sentences";
import { progressOf } from "../agents/add-agent";
import type { Request } from "../server/bridge";
import type { Diffs } from "../cards/diffs";
import { ModelBridge } from "../models/editor-models";
import { askAgentSecret, askInput } from "../models/keys";
import { toTheLetter } from "../editor/page-requests";
import { premises } from "../settings/editor-files";
import { changes } from "../workspace/git";
import { ProblemWatch } from "../workspace/problems";
import { symbols } from "../workspace/symbols";
import { seen } from "../workspace/open-editors";
import { secretKey, variableNamed } from "../models/secret-names";
import { declaredKeys, inspect, write } from "../settings/settings";
import { runInTerminal } from "../terminals/run-in-terminal";
import { TerminalWatch } from "../terminals/terminal-output";
import { env, window } from "../editor/vscode";

/** The requests that the editor answers. */
export type AskedMethod = {
  [M in MethodName]: (typeof METHODS)[M] extends { sender: "server"; request: true } ? M : never;
}[MethodName];

/** How each of them is answered. */
export type Asked = {
  readonly [M in AskedMethod]: (params: Messages[M]["params"], token: CancellationToken) => Promise<Messages[M]["result"]>;
};

/** Whether the editor answers this. */
export function askedOf(method: string): method is AskedMethod {
  if (!Object.hasOwn(METHODS, method)) {
    return false;
  }
  const { sender, request } = METHODS[method as MethodName];
  return sender === "server" && request;
}

/** What looks and listens for the server, for as long as the window is there. */
export class Helpers implements Disposable {
  readonly problems = new ProblemWatch();
  readonly terminals = new TerminalWatch();
  readonly models: ModelBridge;

  constructor(request: Request) {
    this.models = new ModelBridge(request);
  }

  dispose(): void {
    this.problems.dispose();
    this.terminals.dispose();
    this.models.dispose();
  }
}

/** The answers, for this extension. */
export function answers(context: ExtensionContext, diffs: Diffs, { problems, terminals, models }: Helpers): Asked {
  const keys = declaredKeys(context.extension.packageJSON);
  const storage = context.globalStorageUri;
  return {
    "settings/inspect": () => Promise.resolve({ ...inspect(keys, storage), places: premises(context) }),
    "settings/write": (wish) => write(keys, wish, storage),
    "secret/get": async ({ name }) => ({
      value: variableNamed(name) ?? (await context.secrets.get(secretKey(name))) ?? null,
    }),
    "secret/set": async ({ name, value }) => {
      await (value === "" ? context.secrets.delete(secretKey(name)) : context.secrets.store(secretKey(name), value));
      return {};
    },
    "ui/askSecret": (wanted) => askAgentSecret(context.secrets, wanted),
    "ui/askInput": (wanted) => askInput(context.secrets, wanted),
    "ui/runInTerminal": runInTerminal,
    "ui/confirm": confirm,
    "ui/openPage": openPage,
    "ui/progress": ({ of, says }) => {
      progressOf(of, says);
      return Promise.resolve({});
    },
    "editor/look": () => Promise.resolve(seen()),
    "editor/problems": (wanted) => problems.in(wanted),
    "editor/terminal": () => Promise.resolve(terminals.said()),
    "editor/changes": () => changes(),
    "editor/symbols": ({ word }) => symbols(word),
    "model/list": () => models.list(),
    "model/ask": (wanted, token) => models.ask(wanted, token),
    "ui/openDiff": async (wanted) => {
      await diffs.open(wanted);
      return {};
    },
    "ui/openDiffs": async (wanted) => {
      await diffs.openAll(wanted);
      return {};
    },
  };
}

/** Enter presses the first button; where that must change nothing, it is the one that draws back. */
async function confirm({ title, detail, actions, keeps }: Confirm): Promise<Confirmed> {
  const buttons = keeps === "" ? actions : [keeps, ...actions];
  const pressed = await window.showWarningMessage(said(title), { modal: true, detail: said(detail) }, ...buttons.map(said));
  const action = buttons.find((button) => said(button) === pressed);
  return { action: action === undefined || action === keeps ? null : action };
}

/** The page is opened that was shown, and no other; Escape opens none. */
async function openPage({ title, detail, action, url }: OpenPage): Promise<PageOpened> {
  const button = said(action);
  const pressed = await window.showInformationMessage(said(title), { modal: true, detail: said(detail) }, button);
  return { opened: pressed === button && (await env.openExternal(toTheLetter(url))) };
}
