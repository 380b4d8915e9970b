/** What language servers know by a name: the functions, classes and the like of the workspace. */

import type { SymbolInformation } from "vscode";
import type { Symbols } from "../../shared/protocol";
import { beginningOf } from "../editor/inert-text";
import { commands } from "../editor/vscode";

const MAX_SYMBOLS = 20;
const MAX_NAME_LETTERS = 200;

/** Those with a name like this in files on the disk; lines count from 1. */
export async function symbols(word: string): Promise<Symbols> {
  const found = await commands.executeCommand<readonly SymbolInformation[] | undefined>("vscode.executeWorkspaceSymbolProvider", word);
  const onDisk = (found ?? []).filter(({ name, location }) => name !== "" && location.uri.scheme === "file");
  return {
    symbols: onDisk.slice(0, MAX_SYMBOLS).map(({ name, location: { uri, range } }) => ({
      name: beginningOf(name, MAX_NAME_LETTERS),
      uri: uri.toString(),
      line: range.start.line + 1,
      lastLine: range.end.line + 1,
    })),
  };
}
