/**
 * Agents that the person runs in a terminal: how each stands, connected and taken back.
 */

import { locale, t } from "../../shared/l10n";
import type { TerminalAgent, TerminalAgents, TerminalChanged } from "../../shared/protocol";
import type { Request } from "../server/bridge";
import { pick } from "../editor/pick-list";
import { inert } from "../editor/inert-text";
import { window } from "../editor/vscode";
import { said } from "../../shared/server-sentences";

const STANDING: Readonly<Record<TerminalAgent["standing"], string>> = {
  "": t("not connected"),
  changed: t("is not connected as it should be; choose it once more"),
  connected: t("connected"),
};

/** Ask which agent, and connect it; one that is connected is disconnected. */
export async function connectTerminal(request: Request): Promise<void> {
  const { agents } = (await request("terminal/list", {})) as TerminalAgents;
  const chosen = await pick(
    agents.map((agent) => ({
      label: inert(agent.name),
      description: STANDING[agent.standing],
      detail: detailOf(agent),
      value: agent,
    })),
    { title: t("Connect a terminal agent"), placeholder: t("Which agent? What would change is shown first.") },
  );
  if (chosen === null) {
    return;
  }
  const { id, standing } = chosen.value;
  const params = { agentId: id, on: standing !== "connected" };
  const { told } = (await request("terminal/change", params)) as TerminalChanged;
  if (told !== "") {
    void window.showInformationMessage(inert(said(told)));
  }
}

function detailOf({ standing, seen }: TerminalAgent): string {
  if (standing !== "connected") {
    return t("Have it ask Assent before each call, wherever you run it.");
  }
  const last = seen === null ? t("Its hook has not run yet.") : t("Its hook ran last at {0}.", at(seen));
  return `${last} ${t("Choose it to disconnect it.")}`;
}

function at(millis: number): string {
  return new Date(millis).toLocaleString(locale());
}
