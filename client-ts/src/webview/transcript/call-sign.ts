/** How a call stands, as a sign, a colour and a word. */

import { t } from "../../shared/l10n";
import type { CallRecord, ShellInfo } from "../../shared/protocol";

/** A record's sign (`time` is a clock), the colour of the sign, and the word that says the same. */
export interface Sign {
  readonly sign: string;
  readonly tone: "ok" | "no" | "wait" | "warn";
  readonly head: string;
}

/** How this call stands; of what is in the background its shell tells, and one that is over may be gone. */
export function signOf(call: Pick<CallRecord, "state" | "by">, shell: ShellInfo | null = null): Sign {
  switch (call.state) {
    case "proposed":
      return { sign: "…", tone: "wait", head: t("Being ruled on") };
    case "waiting":
      return { sign: "?", tone: "warn", head: t("Waiting for you") };
    case "running":
      return { sign: "▸", tone: "wait", head: t("Running") };
    case "refused":
      return refused(call.by);
    case "answered":
      return { sign: "↩", tone: "ok", head: t("Asked") };
    case "succeeded":
      return { sign: "✓", tone: "ok", head: allowed(call.by) };
    case "failed":
      return { sign: "✗", tone: "no", head: t("{0}, failed", allowed(call.by)) };
    case "killed":
      return { sign: "■", tone: "no", head: t("{0}, ended", allowed(call.by)) };
    case "backgrounded":
      return {
        sign: "⇣",
        tone: "wait",
        head: t(shell?.state === "running" ? "{0}, runs in the background" : "{0}, ran in the background", allowed(call.by)),
      };
  }
}

function allowed(by: CallRecord["by"]): string {
  switch (by) {
    case "rule":
      return t("Allowed by a rule");
    case "mode":
      return t("Allowed by the mode");
    case "hook":
      return t("Allowed by a hook");
    case "user":
    case "timeout":
    case "stop":
    case "agentGone":
    case "error":
    case null:
      return t("Allowed");
  }
}

function refused(by: CallRecord["by"]): Sign {
  switch (by) {
    case "timeout":
      return { sign: "time", tone: "no", head: t("Nobody answered") };
    case "stop":
      return { sign: "■", tone: "no", head: t("Stopped") };
    case "agentGone":
      return { sign: "✕", tone: "no", head: t("The agent left") };
    case "rule":
      return { sign: "✕", tone: "no", head: t("Denied by a rule") };
    case "mode":
      return { sign: "✕", tone: "no", head: t("Denied by the mode") };
    case "hook":
      return { sign: "✕", tone: "no", head: t("Denied by a hook") };
    case "user":
    case "error":
    case null:
      return { sign: "✕", tone: "no", head: t("Denied") };
  }
}
