/** Terminals in memory, which a test closes. */

export interface FakeTerminal {
  readonly options: Readonly<Record<string, unknown>>;
  isShown: boolean;
  exitStatus: { readonly code: number | undefined } | undefined;
  readonly show: () => void;
}

const open: FakeTerminal[] = [];
const listeners = new Set<(terminal: FakeTerminal) => void>();

/** Those that were opened and not closed, the newest last. */
export function openTerminals(): readonly FakeTerminal[] {
  return open;
}

/** Close a terminal, as its program's end does. */
export function closeTerminal(terminal: FakeTerminal, code: number | undefined): void {
  open.splice(open.indexOf(terminal), 1);
  terminal.exitStatus = { code };
  for (const listener of [...listeners]) listener(terminal);
}

/** What a window of the editor has for that. */
export const terminalsOfWindow = {
  createTerminal: (options: Readonly<Record<string, unknown>>): FakeTerminal => {
    const terminal: FakeTerminal = {
      options,
      isShown: false,
      exitStatus: undefined,
      show: () => {
        terminal.isShown = true;
      },
    };
    open.push(terminal);
    return terminal;
  },
  onDidCloseTerminal: (listener: (terminal: FakeTerminal) => void) => {
    listeners.add(listener);
    return { dispose: () => listeners.delete(listener) };
  },
};
