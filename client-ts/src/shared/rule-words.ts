/** What both halves say of rules: where they are written, and what they would have covered. */

import { many, t } from "./l10n";
import type { CardOption, Previewed } from "./protocol";

export type Scope = CardOption["scopes"][number];

/** Where a rule can be written, in words. */
export const PLACES: { readonly [scope in Scope]: string } = {
  chat: t("This chat"),
  workspace: t("This workspace"),
  here: t("This folder, in my settings"),
  user: t("All my workspaces"),
};

/** What rules would have done to earlier calls. */
export function comparison({ matched, denied, of }: Previewed): string {
  if (of === 0) return t("There are no earlier calls to compare it with.");
  return many(
    of,
    "Matches {1} of your last 1 call, {2} that you denied.",
    "Matches {1} of your last {0} calls, {2} that you denied.",
    matched,
    denied,
  );
}
