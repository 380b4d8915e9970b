/** What both halves say of commands and of what they print. */

import type { ShellInfo } from "./protocol";

/** What a command printed, without the codes that colour it. */
export function uncoloured(output: string): string {
  return output.replace(/\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/gu, "");
}

/** How a shell stands. */
export function stateOf({ state, code }: ShellInfo): string {
  switch (state) {
    case "running":
      return "running";
    case "exited":
      return code === null ? "ended by a signal" : `ended with exit code ${code}`;
    case "killed":
      return "killed";
    case "expired":
      return "took too long";
  }
}
