/** For which agents Assent asks, from the palette. */

import { t } from "../../shared/l10n";
import type { Follower } from "../waiting/follower";
import { pick } from "../editor/pick-list";
import { inert } from "../editor/inert-text";
import type { Server } from "../server/server";
import { window } from "../editor/vscode";
import { bypassed, inAuto } from "../waiting/waiting";
import { reasonOf } from "../editor/error-text";

interface Asking {
  readonly server: Server;
  readonly follower: Follower;
}

/** Ask again for an agent, in a chat that is in Auto, or for all of them. */
export async function askAgain({ server, follower }: Asking): Promise<void> {
  const agents = bypassed(follower.waiting).map(({ id, name }) => ({
    label: inert(name),
    value: [{ name, ask: () => server.request("agent/bypass", { agentId: id, on: false }) }],
  }));
  const chats = inAuto(follower.waiting).map(({ chatId, agentName, title }) => {
    const name = t("{0} in “{1}” (Auto)", agentName, title);
    return { label: inert(name), value: [{ name, ask: () => server.request("agent/setMode", { chatId, mode: "default" }) }] };
  });
  const choices = [...agents, ...chats];
  const [only] = choices;
  if (only === undefined) {
    await window.showInformationMessage(t("Assent asks for every agent."));
    return;
  }
  const all = { label: t("All of them"), value: choices.flatMap(({ value }) => value) };
  const chosen =
    choices.length === 1
      ? only
      : await pick([...choices, all], {
          title: t("Ask again"),
          placeholder: t("For which agent should Assent ask again?"),
        });
  await askEach(chosen?.value ?? []);
}

interface Wish {
  readonly name: string;
  readonly ask: () => Promise<unknown>;
}

/** One that fails keeps none of the others from being asked for; it is said afterwards. */
async function askEach(wishes: readonly Wish[]): Promise<void> {
  const failed: string[] = [];
  for (const { name, ask } of wishes) {
    await ask().catch((error: unknown) => failed.push(wishes.length === 1 ? reasonOf(error) : `${name}: ${reasonOf(error)}`));
  }
  if (failed.length > 0) throw new Error(failed.join(" "));
}

/** The server asks once more before it stops asking. */
export async function stopAskingFor({ server, follower }: Asking): Promise<void> {
  const agents = follower.waiting.agents.filter(({ bypassed: isOn }) => !isOn);
  if (agents.length === 0) {
    await window.showInformationMessage(t("There is no agent for which Assent asks."));
    return;
  }
  const chosen = await pick(
    agents.map(({ id, name }) => ({ label: inert(name), description: inert(id), value: id })),
    { title: t("Stop asking"), placeholder: t("For which agent should Assent stop asking in this workspace?") },
  );
  if (chosen !== null) {
    await server.request("agent/bypass", { agentId: chosen.value, on: true });
  }
}
