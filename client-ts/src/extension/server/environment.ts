/**
 * The environment that our own processes are started with.
 *
 * The editor has all of the person's, keys among them, and whoever may look at a process reads what
 * it was started with. So the server starts without, and asks for a variable that a setting names.
 */

import { STARTED_WITH } from "../../shared/protocol";

// Windows calls it `Path`, and does not care.
const NAME = new RegExp(STARTED_WITH, process.platform === "win32" ? "iu" : "u");

/** The variables of the editor that may be handed on: none that could hold a key, or steer it. */
export function environmentFor(editor: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(editor).filter(([name]) => NAME.test(name)));
}
