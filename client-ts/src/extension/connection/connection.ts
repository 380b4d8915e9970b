/**
 * One life of the server: a process, and the LSP connection to it.
 *
 * Its standard input ends with the editor, and with that the process. Nothing passes in either
 * direction before both sides have shown that they speak the same version of the protocol.
 */

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import type { CancellationToken, Diagnostic, LogOutputChannel, Uri } from "vscode";
import {
  CloseAction,
  ErrorAction,
  ErrorCodes,
  LanguageClient,
  ResponseError,
  RevealOutputChannelOn,
  type InitializeResult,
  type LanguageClientOptions,
} from "vscode-languageclient/node";
import { t } from "../../shared/l10n";
import { askedOf, type Asked } from "./server-requests";
import { LOST, newsForView } from "../server/bridge";
import { applyEdit, Buffers } from "../workspace/unsaved-files";
import { environmentFor } from "../server/environment";
import type { Command } from "../server/launch";
import { METHODS, PROTOCOL_HASH } from "../../shared/protocol";
import { DifferentVersions, type Ears, type Link } from "../server/server";
import { untraced } from "./untraced-log";
import { said } from "../../shared/server-sentences";

const ANSWER_TIMEOUT_MS = 30_000;
const END_TIMEOUT_MS = 3_000;
const STOP_TIMEOUT_MS = 2_000;
const OF_CONNECTION: readonly number[] = [ErrorCodes.PendingResponseRejected, ErrorCodes.ConnectionInactive];

/** Start the server and shake hands with it. */
export async function openLink(
  command: Command,
  ears: Ears,
  asked: Asked,
  log: LogOutputChannel,
  shownAs: (uri: Uri) => Uri,
): Promise<Link> {
  const child = await started(command);
  log.info(`The server runs as process ${child.pid ?? 0}: ${[command.command, ...command.args].join(" ")}`);
  const ended = howItEnds(child);
  const client = clientFor(child, log, shownAs);
  listen(client, ears, asked);
  try {
    await Promise.race([client.start(), endsEarly(ended), isLate()]);
  } catch (error) {
    await stop(client, child);
    throw error;
  }
  if (hashOf(client.initializeResult) !== PROTOCOL_HASH) {
    await stop(client, child);
    throw new DifferentVersions();
  }
  const buffers = new Buffers((method, params) => {
    // A server that has just ended keeps nothing, and the next one is told anew.
    void client.sendNotification(method, params).catch(() => undefined);
  });
  void ended.then((how) => {
    buffers.dispose();
    ears.ended(how);
  });
  return {
    request: async (method, params) => {
      try {
        return await client.sendRequest<unknown>(method, params);
      } catch (error) {
        throw isOfServer(error) ? error : new Error(LOST);
      }
    },
    configurationChanged: () => client.sendNotification("workspace/didChangeConfiguration", { settings: null }),
    stop: () => {
      buffers.dispose();
      return stop(client, child);
    },
  };
}

/** The same fault in the editor's language. */
function inWords(fault: Diagnostic): Diagnostic {
  fault.message = said(fault.message);
  return fault;
}

/** A client that writes its complaints into the log and leaves the talking to us. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

async function started({ command, args, cwd }: Command): Promise<ChildProcessWithoutNullStreams> {
  const child = spawn(command, [...args], {
    cwd,
    env: environmentFor(process.env),
    windowsHide: true,
  });
  // A process that cannot be started says so by an event, and rejects here with the reason.
  await once(child, "spawn");
  // Writing to a process that has just ended is no news: its end is.
  child.stdin.on("error", () => undefined);
  return child;
}

function clientFor(child: ChildProcessWithoutNullStreams, log: LogOutputChannel, shownAs: (uri: Uri) => Uri): LanguageClient {
  const options: LanguageClientOptions & { readonly stdioOptions?: never } = {
    outputChannel: log,
    traceOutputChannel: untraced(log),
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: {
      protocolHash: PROTOCOL_HASH,
      clientFeatures: Object.keys(METHODS).filter(askedOf),
    },
    initializationFailedHandler: () => false,
    diagnosticCollectionName: "assent",
    middleware: {
      // A fault stands where the person sees the file, which has two addresses if it is their own.
      handleDiagnostics: (uri, diagnostics, next) => next(shownAs(uri), diagnostics.map(inWords)),
      workspace: { handleApplyEdit: applyEdit },
    },
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
    },
  };
  return new QuietClient("assent", "Assent", () => Promise.resolve(child), options);
}

function listen(client: LanguageClient, ears: Ears, asked: Asked): void {
  for (const method of newsForView()) {
    client.onNotification(method, (params: unknown) => {
      if (agrees(client)) {
        ears.heard(method, params);
      }
    });
  }
  for (const method of Object.keys(METHODS).filter(askedOf)) {
    const answer = asked[method] as (params: unknown, token: CancellationToken) => Promise<unknown>;
    client.onRequest(method, (params: unknown, token: CancellationToken) => {
      if (!agrees(client)) {
        throw new DifferentVersions();
      }
      return answer(params, token);
    });
  }
}

function agrees(client: LanguageClient): boolean {
  return hashOf(client.initializeResult) === PROTOCOL_HASH;
}

/** Whether the server itself refused, with a sentence for the person. */
function isOfServer(error: unknown): boolean {
  return error instanceof ResponseError && !OF_CONNECTION.includes(error.code);
}

function hashOf(result: InitializeResult | undefined): unknown {
  const experimental = result?.capabilities.experimental as { readonly assent?: { readonly protocolHash?: unknown } } | undefined;
  return experimental?.assent?.protocolHash;
}

async function stop(client: LanguageClient, child: ChildProcessWithoutNullStreams): Promise<void> {
  try {
    await client.stop(STOP_TIMEOUT_MS);
  } catch {
    // It does not run, or it does not answer any more. The process is ended below either way.
  }
  await end(child);
}

/** By the end of its input, which every living server obeys; else by force. */
async function end(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (hasEnded(child)) {
    return;
  }
  child.stdin.end();
  const force = setTimeout(() => child.kill("SIGKILL"), END_TIMEOUT_MS);
  await once(child, "exit");
  clearTimeout(force);
}

function hasEnded(child: ChildProcessWithoutNullStreams): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function endsEarly(ended: Promise<string>): Promise<never> {
  throw new Error(t("It ended before it was ready: {0}.", await ended));
}

function isLate(): Promise<never> {
  return new Promise((_, reject) => {
    const late = setTimeout(() => {
      reject(new Error(t("It did not answer within {0} seconds.", ANSWER_TIMEOUT_MS / 1_000)));
    }, ANSWER_TIMEOUT_MS);
    // The timer alone keeps nobody waiting.
    late.unref();
  });
}

function howItEnds(child: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => {
      resolve(signal === null ? t("exit code {0}", code ?? 0) : t("signal {0}", signal));
    });
  });
}
