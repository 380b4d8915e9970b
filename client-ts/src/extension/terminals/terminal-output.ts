/**
 * What the terminal in front printed last, where the editor's shell integration tells of it.
 *
 * Of each terminal the last command is held, and of that the end of what it printed. It goes
 * nowhere unless the person names the terminal in a message.
 */

import type { Disposable, Terminal, TerminalShellExecution } from "vscode";
import { t } from "../../shared/l10n";
import type { TerminalSaid } from "../../shared/protocol";
import { uncoloured } from "../../shared/command-output";
import { beginningOf } from "../editor/inert-text";
import { window } from "../editor/vscode";

const MAX_OUTPUT_LETTERS = 20_000;
const MAX_COMMAND_LETTERS = 2_000;
const SELECT = t("Select what you want to show, and use “Assent: Add Terminal Selection”.");

interface Said {
  readonly execution: TerminalShellExecution;
  readonly command: string;
  output: string;
  isWhole: boolean;
  code: number | null;
}

/** Listens for as long as the window is there. */
export class TerminalWatch implements Disposable {
  readonly #last = new WeakMap<Terminal, Said>();
  readonly #listeners: readonly (Disposable | undefined)[];

  constructor() {
    // An editor before shell integration has no such events.
    const { onDidStartTerminalShellExecution: starts, onDidEndTerminalShellExecution: ends } = window as Partial<typeof window>;
    this.#listeners = [
      starts?.(({ terminal, execution }) => void this.#hear(terminal, execution)),
      ends?.(({ terminal, execution, exitCode }) => {
        const said = this.#last.get(terminal);
        if (said?.execution === execution) said.code = exitCode ?? null;
      }),
    ];
  }

  /** What the terminal in front printed last. */
  said(): Required<TerminalSaid> {
    const terminal = window.activeTerminal;
    if (terminal === undefined) return nothing(t("No terminal is open."));
    const said = this.#last.get(terminal);
    if (said === undefined) return nothing(`${t("Nothing that was run in the terminal in front is known to the editor.")} ${SELECT}`);
    const { command, code, isWhole } = said;
    return { command: beginningOf(command, MAX_COMMAND_LETTERS), output: plainly(said.output), code, isWhole, because: "" };
  }

  dispose(): void {
    for (const listener of this.#listeners) listener?.dispose();
  }

  async #hear(terminal: Terminal, execution: TerminalShellExecution): Promise<void> {
    const said: Said = { execution, command: execution.commandLine.value, output: "", isWhole: true, code: null };
    this.#last.set(terminal, said);
    for await (const piece of execution.read()) {
      said.output += piece;
      if (said.output.length > 2 * MAX_OUTPUT_LETTERS) {
        said.output = said.output.slice(-MAX_OUTPUT_LETTERS);
        said.isWhole = false;
      }
    }
  }
}

function nothing(because: string): Required<TerminalSaid> {
  return { command: "", output: "", code: null, isWhole: true, because };
}

/** As it stands on the screen: without codes, and of a line that was written over what stood last. */
export function plainly(output: string): string {
  const lines = uncoloured(output)
    .replace(/\u001b(?:[()*+].|.)/gu, "")
    .replaceAll("\r\n", "\n")
    .split("\n");
  const text = lines.map((line) => line.replace(/\r+$/u, "").replace(/^.*\r/u, "")).join("\n");
  return text
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/gu, "")
    .trimEnd()
    .slice(-MAX_OUTPUT_LETTERS);
}
