/** For which agents Assent asks, from the palette. */

import type { Follower } from "./follow";
import { pick } from "./pick";
import { inert } from "./plain";
import type { Server } from "./server";
import { window } from "./vscode";
import { bypassed } from "./waiting";

interface Asking {
  readonly server: Server;
  readonly follower: Follower;
}

/** Ask again for an agent, or for all of them. */
export async function askAgain({ server, follower }: Asking): Promise<void> {
  const agents = bypassed(follower.waiting);
  const [only] = agents;
  if (only === undefined) {
    await window.showInformationMessage("Assent asks for every agent.");
    return;
  }
  const choices = agents.map((agent) => ({ label: inert(agent.name), value: [agent] }));
  const all = { label: "All of them", value: [...agents] };
  const chosen =
    agents.length === 1
      ? { value: [only] }
      : await pick([...choices, all], {
          title: "Ask again",
          placeholder: "For which agent should Assent ask again?",
        });
  for (const { id } of chosen?.value ?? []) {
    await server.request("agent/bypass", { agentId: id, on: false });
  }
}

/** The server asks once more before it stops asking. */
export async function stopAskingFor({ server, follower }: Asking): Promise<void> {
  const agents = follower.waiting.agents.filter(({ bypassed: isOn }) => !isOn);
  if (agents.length === 0) {
    await window.showInformationMessage("There is no agent for which Assent asks.");
    return;
  }
  const chosen = await pick(
    agents.map(({ id, name }) => ({ label: inert(name), description: inert(id), value: id })),
    { title: "Stop asking", placeholder: "For which agent should Assent stop asking in this workspace?" },
  );
  if (chosen !== null) {
    await server.request("agent/bypass", { agentId: chosen.value, on: true });
  }
}
