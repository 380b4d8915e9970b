/** Programs that the server has run in a terminal of the editor, where the person sees them. */

import { homedir } from "node:os";
import type { RunEnded, RunInTerminal } from "../../shared/protocol";
import { inert } from "../editor/inert-text";
import { window } from "../editor/vscode";

/** Run it, by its path and without a shell; settled once its terminal is closed. */
export function runInTerminal({ title, program, args, env }: RunInTerminal): Promise<RunEnded> {
  const terminal = window.createTerminal({
    name: inert(title),
    shellPath: program,
    shellArgs: [...args],
    cwd: homedir(),
    env: { ...env },
    isTransient: true,
  });
  return new Promise((resolve) => {
    const watch = window.onDidCloseTerminal((closed) => {
      if (closed === terminal) {
        watch.dispose();
        resolve({ code: closed.exitStatus?.code ?? null });
      }
    });
    terminal.show();
  });
}
