/**
 * The extension: it starts the server, and puts the view, the badge and the commands around it.
 *
 * It decides nothing and keeps nothing; whatever is true is true in the server.
 */

import type { ExtensionContext } from "vscode";
import "./editor/language";
import { Assembly } from "./assembly";

/** Called by the editor once it has started. Whatever this makes ends with the subscriptions. */
export function activate(context: ExtensionContext): void {
  const assembly = new Assembly(context);
  context.subscriptions.push(assembly);
  assembly.start();
}
