/**
 * The keys of models and the secrets of agents, in the editor's secret storage.
 *
 * A key goes from the person's fingers into the storage, and from there to the server when it
 * asks. It is shown nowhere, written into no log, and no page ever has it. The two have names of
 * their own: no agent is given the key of a model because somebody called a secret like it.
 */

import type { SecretStorage } from "vscode";
import { t } from "../../shared/l10n";
import type { AskInput, AskSecret, SecretAsked } from "../../shared/protocol";
import { secretKey } from "./secret-names";
import { pick } from "../editor/pick-list";
import { inert } from "../editor/inert-text";
import { ofPerson } from "../settings/settings";
import { window } from "../editor/vscode";

const USUAL: readonly string[] = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"];
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/u;
const NAMED = /\$\{secret:([A-Za-z_][A-Za-z0-9_]*)\}/gu;

type Secrets = Pick<SecretStorage, "get" | "store" | "delete">;

/** What is kept: how it is asked for, and under which names. */
interface Kind {
  readonly place: (name: string) => string;
  readonly known: () => readonly string[];
  readonly title: string;
  readonly which: string;
  readonly prompt: string;
  readonly named: string;
  readonly naming: string;
}

const KEYS: Kind = {
  place: (name) => secretKey(`modelKey.${name}`),
  known: () => namesKnown(ofPerson("models")),
  title: t("Set a model's key"),
  which: t("Which key?"),
  prompt: t("The key. It is kept in the editor's secret storage; an empty line takes it out."),
  named: t("The key's name"),
  naming: t("As `key` of a model in the setting `assent.models` names it."),
};

const SECRETS: Kind = {
  place: (name) => secretKey(`agentSecret.${name}`),
  known: () => secretsNamed(ofPerson("agents")),
  title: t("Set an agent's secret"),
  which: t("Which secret?"),
  prompt: t("It is kept in the editor's secret storage; an empty line takes it out."),
  named: t("The secret's name"),
  naming: t("As `${secret:…}` in `env` of an agent in the setting `assent.agents` names it."),
};

/** Ask for a key's name and for the key; true where the storage was changed. */
export async function setModelKey(secrets: Secrets): Promise<boolean> {
  return set(secrets, KEYS);
}

/** Ask for the name of an agent's secret and for the secret; true where the storage was changed. */
export async function setAgentSecret(secrets: Secrets): Promise<boolean> {
  return set(secrets, SECRETS);
}

/** Ask for a secret that an agent is to be given now; whether there is one. */
export async function askAgentSecret(secrets: Secrets, { name, agent }: AskSecret): Promise<SecretAsked> {
  const typed = await window.showInputBox({
    title: t("{0} is to be given {1}", agent, name),
    prompt: t("A secret that your settings name. It is kept in the editor's secret storage."),
    password: true,
    ignoreFocusOut: true,
  });
  const kept = typed !== undefined && typed.trim() !== "";
  if (kept) await secrets.store(SECRETS.place(name), typed.trim());
  return { kept };
}

/** Ask for what a workspace's file has the person give a server of tools; whether there is something new. */
export async function askInput(secrets: Secrets, wanted: AskInput): Promise<SecretAsked> {
  const title = t("{0} asks you for {1}", wanted.server, wanted.input);
  const said =
    wanted.says === "" ? t("A file of this workspace asks for it.") : t("A file of this workspace says: {0}", inert(wanted.says));
  const keeps = wanted.isKept ? ` ${t("What you said before stays where you say nothing.")}` : "";
  const prompt = `${said}${keeps}`;
  const typed =
    wanted.options.length > 0
      ? (
          await pick(
            wanted.options.map((value) => ({ label: inert(value), value })),
            { title, placeholder: prompt },
          )
        )?.value
      : await window.showInputBox({ title, prompt, password: wanted.hidden, ignoreFocusOut: true });
  const text = typed?.trim() ?? "";
  if (text !== "") await secrets.store(secretKey(wanted.name), text);
  return { kept: text !== "" };
}

async function set(secrets: Secrets, kind: Kind): Promise<boolean> {
  const name = await chooseName(secrets, kind);
  if (name === null) {
    return false;
  }
  const typed = await window.showInputBox({
    title: name,
    prompt: kind.prompt,
    password: true,
    ignoreFocusOut: true,
  });
  if (typed === undefined) {
    return false;
  }
  const key = typed.trim();
  const place = kind.place(name);
  await (key === "" ? secrets.delete(place) : secrets.store(place, key));
  void window.showInformationMessage(key === "" ? t("{0} is no longer stored.", name) : t("{0} is stored.", name));
  return true;
}

/** The names of secrets that the agents of these settings are to be given. */
export function secretsNamed(agents: unknown): readonly string[] {
  const text = JSON.stringify(agents ?? {});
  return [...new Set([...text.matchAll(NAMED)].flatMap(({ 1: name }) => (isName(name) ? [name] : [])))];
}

/** The names that are asked for most, and those that the person's own settings use. */
export function namesKnown(models: unknown): readonly string[] {
  const used = (Array.isArray(models) ? models : []).map((model: unknown) =>
    typeof model === "object" && model !== null && "key" in model ? model.key : null,
  );
  return [...new Set([...USUAL, ...used.filter(isName)])];
}

async function chooseName(secrets: Secrets, kind: Kind): Promise<string | null> {
  const names = kind.known();
  const kept = await Promise.all(names.map(async (name) => (await secrets.get(kind.place(name))) !== undefined));
  const choices = names.map((name, at) => ({
    label: name,
    description: kept[at] === true ? t("stored") : "",
    value: name,
  }));
  const other = { label: t("Another name…"), value: "" };
  const chosen = await pick([...choices, other], { title: kind.title, placeholder: kind.which });
  return chosen?.value === "" ? askForName(kind) : (chosen?.value ?? null);
}

async function askForName(kind: Kind): Promise<string | null> {
  const name = await window.showInputBox({
    title: kind.named,
    prompt: kind.naming,
    ignoreFocusOut: true,
    validateInput: (text) => (isName(text) ? null : t("Letters, digits and underscores, and no digit first.")),
  });
  return isName(name) ? name : null;
}

function isName(text: unknown): text is string {
  return typeof text === "string" && NAME.test(text);
}
