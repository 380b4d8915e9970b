/**
 * The commands about commands that run: kill them, move them to the background, show their output.
 *
 * Which one is meant is always asked, even where there is one: nothing is killed unnamed.
 */

import { plain } from "../../shared/card";
import { t } from "../../shared/l10n";
import { titled } from "../../shared/server-sentences";
import { stateOf } from "../../shared/command-output";
import type { CallRecord, Chat, MethodName, ShellInfo } from "../../shared/protocol";
import type { Follower } from "../waiting/follower";
import type { Outputs } from "./outputs";
import { pick, type Choice } from "../editor/pick-list";
import { inert } from "../editor/inert-text";
import type { Server } from "../server/server";
import { shellIn } from "./shells-list";
import { window } from "../editor/vscode";

/** What these commands work on. */
export interface Surroundings {
  readonly server: Pick<Server, "request">;
  readonly follower: Pick<Follower, "chats">;
  readonly outputs: Pick<Outputs, "show">;
}

/** The commands about them, by their names. */
export function runningCommands(around: Surroundings): Readonly<Record<string, (argument?: unknown) => Promise<void>>> {
  return {
    killCall: () => killCall(around),
    backgroundCall: () => backgroundCall(around),
    killShell: () => killShell(around),
    showOutput: () => showOutput(around),
    "shells.output": async (row) => {
      const ref = shellIn(row);
      await (ref === null ? showOutput(around) : around.outputs.show(ref));
    },
    "shells.kill": async (row) => {
      const ref = shellIn(row);
      await (ref === null ? killShell(around) : around.server.request("shell/kill", ref));
    },
  };
}

export async function killCall(around: Surroundings): Promise<void> {
  await atCall(around, "kill", "tool/kill", t("Kill a running command"));
}

export async function backgroundCall(around: Surroundings): Promise<void> {
  await atCall(around, "background", "tool/background", t("Move a running command to the background"));
}

export async function killShell({ server, follower }: Surroundings): Promise<void> {
  const shells = shellsOf(follower.chats).filter(({ shell }) => shell.state === "running");
  const chosen = await choose(shells.map(shellChoice), t("Kill a shell"), t("No shell runs."));
  if (chosen !== null) {
    await server.request("shell/kill", refOf(chosen));
  }
}

export async function showOutput({ follower, outputs }: Surroundings): Promise<void> {
  const shells = shellsOf(follower.chats).map(shellChoice);
  const chosen = await choose(shells, t("Show a shell's output"), t("There is no shell."));
  if (chosen !== null) {
    await outputs.show(refOf(chosen));
  }
}

async function atCall(
  { server, follower }: Surroundings,
  may: CallRecord["may"][number],
  method: MethodName,
  title: string,
): Promise<void> {
  const calls = follower.chats.flatMap((chat) =>
    chat.items.flatMap((item) => (item.kind === "call" && item.may.includes(may) ? [{ chat, call: item }] : [])),
  );
  const chosen = await choose(calls.map(callChoice), title, t("No command runs that could be."));
  if (chosen !== null) {
    await server.request(method, { chatId: chosen.chat.chatId, callId: chosen.call.callId });
  }
}

interface OfCall {
  readonly chat: Chat;
  readonly call: CallRecord;
}

function callChoice(value: OfCall): Choice<OfCall> {
  const { title, part } = value.call;
  const label = inert(part === "" ? plain(titled(title)) : t("in “{0}”: {1}", part, plain(titled(title))));
  return { label, description: whose(value.chat), value };
}

interface OfShell {
  readonly chat: Chat;
  readonly shell: ShellInfo;
}

/** The newest first, and those that run before those that have ended. */
function shellsOf(chats: readonly Chat[]): readonly OfShell[] {
  const all = chats.flatMap((chat) => chat.shells.map((shell) => ({ chat, shell })));
  const runs = ({ shell }: OfShell): number => (shell.state === "running" ? 1 : 0);
  return all.sort((one, other) => runs(other) - runs(one) || other.shell.at - one.shell.at);
}

function shellChoice(value: OfShell): Choice<OfShell> {
  const { chat, shell } = value;
  const state = shell.inBackground ? t("{0}, in the background", stateOf(shell)) : stateOf(shell);
  return { label: inert(plain(shell.command)), description: state, detail: whose(chat), value };
}

function refOf({ chat, shell }: OfShell): { readonly chatId: string; readonly shellId: string } {
  return { chatId: chat.chatId, shellId: shell.shellId };
}

function whose({ agentName, title }: Chat): string {
  return inert(`${agentName} · ${title}`);
}

async function choose<T>(choices: readonly Choice<T>[], title: string, none: string): Promise<T | null> {
  if (choices.length === 0) {
    await window.showInformationMessage(none);
    return null;
  }
  return (await pick(choices, { title, placeholder: t("Which one?") }))?.value ?? null;
}
