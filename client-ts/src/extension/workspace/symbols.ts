/** What language servers know by a name: the functions, classes and the like of the workspace. */

import type { SymbolInformation } from "vscode";
import type { Symbols } from "../../shared/protocol";
import { beginningOf } from "../editor/inert-text";
import { commands } from "../editor/vscode";

const MAX_SYMBOLS = 20;
const MAX_NAME_LETTERS = 200;

/** Those in files on the disk with this in their names; lines count from 1. */
export async function symbols(word: string): Promise<Symbols> {
  const found = await commands.executeCommand<readonly SymbolInformation[] | undefined>("vscode.executeWorkspaceSymbolProvider", word);
  const wanted = word.toLowerCase();
  // They may tell no range, and the editor gives all that are somehow like it by their alphabet.
  const like = (found ?? []).filter(
    ({ name, location: { uri, range } }) =>
      name.toLowerCase().includes(wanted) && uri.scheme === "file" && (range as unknown) !== undefined,
  );
  const isFirst = ({ name }: SymbolInformation): boolean => name.toLowerCase().startsWith(wanted);
  const sorted = [...like.filter(isFirst), ...like.filter((each) => !isFirst(each))];
  return {
    symbols: sorted.slice(0, MAX_SYMBOLS).map(({ name, location: { uri, range } }) => ({
      name: beginningOf(name, MAX_NAME_LETTERS),
      uri: uri.toString(),
      line: range.start.line + 1,
      lastLine: range.end.line + 1,
    })),
  };
}
