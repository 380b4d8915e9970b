/** What both halves say of rules: where they are written, and what they would have covered. */

import { counted } from "./card";
import type { CardOption, Previewed } from "./protocol";

export type Scope = CardOption["scopes"][number];

/** Where a rule can be written, in words. */
export const PLACES: { readonly [scope in Scope]: string } = {
  chat: "This chat",
  workspace: "This workspace",
  user: "All my workspaces",
};

/** What rules would have done to earlier calls. */
export function comparison({ matched, denied, of }: Previewed): string {
  if (of === 0) return "There are no earlier calls to compare it with.";
  return `Matches ${matched} of your last ${counted(of, "call")}, ${denied} that you denied.`;
}
