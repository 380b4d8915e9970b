/** The modes of a chat in words, in the order from the strictest to the loosest. */

import { t } from "./l10n";
import type { Chat } from "./protocol";

export type Mode = Chat["mode"];

/** One mode, as a list shows it. */
export interface ModeWords {
  readonly mode: Mode;
  readonly label: string;
  readonly detail: string;
}

/** What is asked about in every mode, and whatever bypass is on. */
export const ALWAYS_ASKED = t("changes to settings, hooks and start-up files, removals of everything, and what cannot be read");

export const MODES: readonly ModeWords[] = [
  {
    mode: "plan",
    label: t("Plan"),
    detail: t("Reads the workspace, by commands too. Asks before it reads elsewhere, and refuses the rest."),
  },
  { mode: "ask", label: t("Ask every time"), detail: t("Asks before every call.") },
  {
    mode: "default",
    label: t("Default"),
    detail: t("Reads the workspace. Runs commands in the sandbox where it can. Asks before the rest."),
  },
  {
    mode: "acceptEdits",
    label: t("Accept edits"),
    detail: t("Reads and edits the workspace. Runs commands in the sandbox where it can. Asks before the rest."),
  },
  {
    mode: "auto",
    label: t("Auto"),
    detail: t("Runs commands in the sandbox where it can. Asks only about what leaves it, and outside of it about {0}.", ALWAYS_ASKED),
  },
];
