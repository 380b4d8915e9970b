/**
 * The keys of models, in the editor's secret storage.
 *
 * A key goes from the person's fingers into the storage, and from there to the server when it
 * asks. It is shown nowhere, written into no log, and no page ever has it.
 */

import type { SecretStorage } from "vscode";
import { secretKey } from "./asked";
import { pick } from "./pick";
import { ofPerson } from "./settings";
import { window } from "./vscode";

const USUAL: readonly string[] = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"];
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/u;

type Secrets = Pick<SecretStorage, "get" | "store" | "delete">;

/** Ask for a key's name and for the key; true where the storage was changed. */
export async function setModelKey(secrets: Secrets): Promise<boolean> {
  const name = await chooseName(secrets);
  if (name === null) {
    return false;
  }
  const typed = await window.showInputBox({
    title: name,
    prompt: "The key. It is kept in the editor's secret storage; an empty line takes it out.",
    password: true,
    ignoreFocusOut: true,
  });
  if (typed === undefined) {
    return false;
  }
  const key = typed.trim();
  const place = placeOf(name);
  await (key === "" ? secrets.delete(place) : secrets.store(place, key));
  void window.showInformationMessage(key === "" ? `${name} is no longer stored.` : `${name} is stored.`);
  return true;
}

/** The names that are asked for most, and those that the person's own settings use. */
export function namesKnown(models: unknown): readonly string[] {
  const used = (Array.isArray(models) ? models : []).map((model: unknown) =>
    typeof model === "object" && model !== null && "key" in model ? model.key : null,
  );
  return [...new Set([...USUAL, ...used.filter(isName)])];
}

async function chooseName(secrets: Secrets): Promise<string | null> {
  const names = namesKnown(ofPerson("models"));
  const kept = await Promise.all(names.map(async (name) => (await secrets.get(placeOf(name))) !== undefined));
  const choices = names.map((name, at) => ({
    label: name,
    description: kept[at] === true ? "stored" : "",
    value: name,
  }));
  const other = { label: "Another name…", value: "" };
  const chosen = await pick([...choices, other], { title: "Set a model's key", placeholder: "Which key?" });
  return chosen?.value === "" ? askForName() : (chosen?.value ?? null);
}

async function askForName(): Promise<string | null> {
  const name = await window.showInputBox({
    title: "The key's name",
    prompt: "As `key` of a model in the setting `assent.models` names it.",
    ignoreFocusOut: true,
    validateInput: (text) => (isName(text) ? null : "Letters, digits and underscores, and no digit first."),
  });
  return isName(name) ? name : null;
}

function isName(text: unknown): text is string {
  return typeof text === "string" && NAME.test(text);
}

function placeOf(name: string): string {
  return secretKey(`modelKey.${name}`);
}
