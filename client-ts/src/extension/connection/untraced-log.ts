/**
 * The log, as the client of the protocol may trace into it: not at all.
 *
 * A trace would hold what passes, word for word, and answers to `secret/get` are among it. A
 * workspace's settings must not be able to ask for that, nor a log level that a person forgot.
 */

import type { LogOutputChannel } from "vscode";
import { EventEmitter, LogLevel } from "../editor/vscode";

/** A channel for traces that keeps none of them. */
export function untraced(log: LogOutputChannel): LogOutputChannel {
  return {
    ...log,
    logLevel: LogLevel.Off,
    onDidChangeLogLevel: new EventEmitter<LogLevel>().event,
    trace: () => undefined,
  };
}
