/**
 * What a view may ask of the editor besides messages: a link, a file, one of a few commands.
 */

import type { ToHost } from "../../shared/host-messages";
import { commands, env, Uri } from "./vscode";

type Wish = Extract<ToHost, { readonly kind: "openLink" | "reveal" | "runCommand" }>;

const LINKS: readonly string[] = ["http", "https", "mailto"];
const COMMANDS: readonly string[] = [
  "restartServer",
  "openSettings",
  "showHistory",
  "showLog",
  "setModelKey",
  "addModel",
  "addAgent",
  "reviewInTab",
  "showRules",
  "showAlarms",
  "help",
];

/**
 * The address that was shown, as what the editor opens.
 *
 * A `Uri` has its escapes decoded, and is encoded anew when it is opened: `state=a%26to%3Dx` would
 * come to be another query. The editor takes a string as well, which its types do not say, and
 * opens that to the letter.
 */
export function toTheLetter(url: string): Uri {
  return url as never;
}

/** Do it, if it is one of the things that a view may wish. True where it was done. */
export async function doOutside(wish: Wish): Promise<boolean> {
  switch (wish.kind) {
    case "openLink": {
      const { scheme } = Uri.parse(wish.url);
      // The editor asks the person before it leaves for a place that they do not trust yet.
      return LINKS.includes(scheme) && env.openExternal(toTheLetter(wish.url));
    }
    case "reveal": {
      const uri = Uri.parse(wish.uri);
      if (uri.scheme !== "file") {
        return false;
      }
      await commands.executeCommand("vscode.open", uri, { preview: true });
      return true;
    }
    case "runCommand":
      if (!COMMANDS.includes(wish.command)) {
        return false;
      }
      await commands.executeCommand(`assent.${wish.command}`, ...(wish.about === undefined ? [] : [wish.about]));
      return true;
  }
}
