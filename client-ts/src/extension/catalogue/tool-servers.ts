/** Servers of tools: how each is, and starting one anew or ending it. */

import { many, t } from "../../shared/l10n";
import type { ToolServer, ToolServers } from "../../shared/protocol";
import type { Request } from "../server/bridge";
import { type Choice, pick } from "../editor/pick-list";
import { inert } from "../editor/inert-text";
import { ProgressLocation, window } from "../editor/vscode";
import { said as inWords } from "../../shared/server-sentences";

const STATES: Readonly<Record<ToolServer["state"], string>> = {
  idle: t("not needed yet"),
  starting: t("starting"),
  running: t("running"),
  ended: t("ended"),
  stopped: t("ended by you"),
  unfit: t("cannot be started"),
  locked: t("needs a log-in"),
};
const ICONS: Readonly<Record<ToolServer["state"], string>> = {
  idle: "circle-outline",
  starting: "loading~spin",
  running: "pass",
  ended: "error",
  stopped: "debug-stop",
  unfit: "error",
  locked: "lock",
};
const MAX_LINES_SHOWN = 3;

type Order = "source/restart" | "source/stop" | "source/logIn" | "source/logOut";

/** Show all of them; what is chosen can be started anew or ended. */
export async function showToolServers(request: Request): Promise<void> {
  const { servers } = (await request("source/list", {})) as ToolServers;
  if (servers.length === 0) {
    void window.showInformationMessage(t("No server of tools is set up: name some in assent.mcpServers."));
    return;
  }
  const chosen = await pick(servers.map(lineOf), {
    title: t("MCP servers"),
    placeholder: t("Which one is to be started anew or ended?"),
  });
  if (chosen !== null) {
    await change(request, chosen.value);
  }
}

function lineOf(server: ToolServer): Choice<ToolServer> {
  const tools = server.state === "running" ? `, ${many(server.tools, "1 tool", "{0} tools")}` : "";
  const last = server.says === "" ? server.lines.slice(-MAX_LINES_SHOWN).join(" / ") : inWords(server.says);
  return {
    label: `$(${ICONS[server.state]}) ${inert(server.name)}`,
    description: STATES[server.state] + tools,
    detail: inert(last),
    value: server,
  };
}

async function change(request: Request, server: ToolServer): Promise<void> {
  const ends: Choice<Order>[] =
    server.state === "running" || server.state === "starting"
      ? [{ label: t("Stop"), description: t("until you start it again"), value: "source/stop" }]
      : [];
  const restart: Choice<Order> = { label: server.state === "idle" ? t("Start") : t("Restart"), value: "source/restart" };
  const said: Choice<Order>[] = server.lines.map((line) => ({ label: inert(line) }));
  const chosen = await pick<Order>(
    [...(server.state === "locked" ? [...accountOf(server), restart] : [restart, ...ends, ...accountOf(server)]), ...said],
    { title: inert(server.name), placeholder: t("What it wrote last stands below.") },
  );
  if (chosen === null) {
    return;
  }
  const done = await (chosen.value === "source/logIn" ? logIn(request, server.name) : request(chosen.value, { name: server.name }));
  if (done === null) {
    return;
  }
  const { name, state, says } = done as ToolServer;
  void window.showInformationMessage(inert(says === "" ? `${name}: ${STATES[state]}.` : inWords(says)));
}

/** What can be done about a log-in there. */
function accountOf({ account }: ToolServer): Choice<Order>[] {
  if (account === "none") {
    return [];
  }
  // Whoever is out may have something kept all the same, such as of an earlier start.
  return [
    { label: account === "in" ? t("Log in again") : t("Log in"), description: t("in your browser"), value: "source/logIn" },
    { label: t("Log out"), description: t("what was kept of it is forgotten"), value: "source/logOut" },
  ];
}

/** Log in, for as long as the person wants to wait for that; null where they drew back. */
async function logIn(request: Request, name: string): Promise<unknown> {
  // The page to which the browser comes back does not know the editor's language.
  const greeting = {
    back: t("You are back. This page can be closed; the editor tells what came of it."),
    odd: t("Nobody waits for this here."),
  };
  const options = { location: ProgressLocation.Notification, title: t("Logging in to {0}", inert(name)), cancellable: true };
  return window.withProgress(options, async (_, token) => {
    token.onCancellationRequested(() => void request("source/stopLogIn", { name }));
    try {
      return await request("source/logIn", { name, ...greeting });
    } catch (error) {
      if (token.isCancellationRequested) {
        return null;
      }
      throw error;
    }
  });
}
