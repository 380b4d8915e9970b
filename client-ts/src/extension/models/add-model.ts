/**
 * Adding a model: whose it is, the key or the address, which of those that are there, and a chat.
 *
 * The server asks the host, tries the model and writes it down. A key goes from the person's
 * fingers into the secret storage, where the server reads it; one that its host does not accept
 * gives way to whatever was kept before.
 */

import type { SecretStorage } from "vscode";
import { t } from "../../shared/l10n";
import type { ModelAdded, ModelHost, ModelHosts, ModelsOffered } from "../../shared/protocol";
import type { Request } from "../server/bridge";
import { heading, pick, type Choice } from "../editor/pick-list";
import { inert } from "../editor/inert-text";
import { secretKey } from "./secret-names";
import { ProgressLocation, window } from "../editor/vscode";
import { said } from "../../shared/server-sentences";

type Secrets = Pick<SecretStorage, "get" | "store" | "delete">;

/** Who is asked, and where the keys are. */
export interface Means {
  readonly request: Request;
  readonly secrets: Secrets;
}

const TITLE = t("Add a model");
const ADDRESS = "address";
const AZURE = "azure";
const AGAIN = t("Try Again");
const ANYWAY = t("Add It Anyway");
const OTHER = t("Another One…");

/** Ask all that it takes; the model's id, or null where the person drew back. */
export async function addModel(means: Means): Promise<string | null> {
  const { hosts } = (await means.request("model/hosts", {})) as ModelHosts;
  const chosen = await pick(hosts.map(choiceOf), {
    title: TITLE,
    placeholder: t("Who hosts it? What you send to a model goes there."),
  });
  if (chosen === null) return null;
  const url = await typedFor(chosen.value);
  return url === null ? null : fromHost(means, new Place(chosen.value, url));
}

/** A host, and the address that the person typed for it. */
class Place {
  readonly host: ModelHost;
  readonly url: string;

  constructor(host: ModelHost, url: string) {
    this.host = host;
    this.url = url;
  }

  get params(): { readonly hostId: string; readonly url: string } {
    return { hostId: this.host.id, url: this.url };
  }

  get name(): string {
    return inert(this.host.id === ADDRESS ? this.url : this.host.name);
  }
}

function choiceOf(host: ModelHost): Choice<ModelHost> {
  const isTyped = host.id === ADDRESS;
  return {
    label: inert(host.name),
    description: isTyped
      ? t("that speaks as OpenAI does, such as LiteLLM")
      : host.hasKey
        ? t("its key is stored")
        : ofThisMachine(host.url),
    value: host,
  };
}

/** The address of what runs on this machine; nothing for what does not. */
function ofThisMachine(url: string): string {
  return url.startsWith("http:") ? inert(url) : "";
}

/** What the person types of where a host is; nothing for one whose address is known, null where they draw back. */
async function typedFor({ id }: ModelHost): Promise<string | null> {
  if (id === ADDRESS) return askAddress();
  if (id !== AZURE) return "";
  const typed = await window.showInputBox({
    title: TITLE,
    prompt: t("What is your resource on Azure called? It is the first word of its address."),
    ignoreFocusOut: true,
  });
  return typed === undefined || typed.trim() === "" ? null : typed.trim();
}

async function askAddress(): Promise<string | null> {
  const typed = await window.showInputBox({
    title: TITLE,
    prompt: t("Where models are asked, such as http://127.0.0.1:1234/v1"),
    value: "http://127.0.0.1:",
    valueSelection: [17, 17],
    ignoreFocusOut: true,
  });
  return typed === undefined || typed.trim() === "" ? null : typed.trim();
}

/** To the model; a key is asked for once somebody wants one, so that none is kept untried. */
async function fromHost(means: Means, place: Place): Promise<string | null> {
  const { host } = place;
  const offered = await listed(means, place);
  if (offered === null) return null;
  if (host.id === AZURE) {
    // What it lists are all models that could be deployed, and none by the name of a deployment.
    const deployment = await askName(place, t("What is the deployment called?"));
    return deployment === null ? null : tried(means, place, deployment, offered.keyName);
  }
  const at = new Place(host, place.url === "" ? "" : offered.url);
  const model = await chooseModel(offered, at);
  return model === null ? null : tried(means, at, model, offered.keyName);
}

/** What the host has; a key is asked for as often as it is not accepted. */
async function listed(means: Means, place: Place): Promise<ModelsOffered | null> {
  const ask = async (): Promise<ModelsOffered> =>
    waited(t("Asking {0} for its models…", place.name), means.request("model/offered", place.params)) as Promise<ModelsOffered>;
  let offered = await ask();
  while (offered.because !== "" && offered.models.length === 0) {
    if (offered.wantsKey) {
      const { keyName, because } = offered;
      const next = await withKey(means, keyName, said(because), ask, ({ wantsKey }) => !wantsKey);
      if (next === null) return null;
      offered = next;
      continue;
    }
    const press = await window.showErrorMessage(inert(said(offered.because)), AGAIN, OTHER);
    if (press === OTHER) return offered;
    if (press !== AGAIN) return null;
    offered = await ask();
  }
  return offered;
}

async function chooseModel({ models }: ModelsOffered, place: Place): Promise<string | null> {
  const known = models.map((name): Choice<string> => ({ label: inert(name), value: name }));
  const other: Choice<string> = { label: OTHER, description: t("whose name you know"), value: "" };
  if (known.length === 0) return askName(place);
  const chosen = await pick([...known, heading<string>(""), other], {
    title: t("Add a model of {0}", place.name),
    placeholder: t("Which model? It is tried before it is added."),
  });
  if (chosen === null) return null;
  return chosen.value === "" ? askName(place) : chosen.value;
}

async function askName(place: Place, prompt = t("What is the model called there?")): Promise<string | null> {
  const typed = await window.showInputBox({
    title: t("Add a model of {0}", place.name),
    prompt,
    ignoreFocusOut: true,
  });
  return typed === undefined || typed.trim() === "" ? null : typed.trim();
}

/** Have it tried and written down; what went wrong is a sentence with what can be done about it. */
async function tried(means: Means, place: Place, model: string, keyName: string): Promise<string | null> {
  const add = async (untried = false): Promise<ModelAdded> =>
    waited(t("Trying {0}…", inert(model)), means.request("model/add", { ...place.params, model, untried })) as Promise<ModelAdded>;
  let added = await add();
  while (added.modelId === null) {
    if (added.wantsKey) {
      const next = await withKey(means, keyName, said(added.because), add, ({ wantsKey }) => !wantsKey);
      if (next === null) return null;
      added = next;
      continue;
    }
    const press = await window.showErrorMessage(inert(said(added.because)), AGAIN, ANYWAY);
    if (press === undefined) return null;
    added = await add(press === ANYWAY);
    if (press === ANYWAY && added.modelId === null) return null;
  }
  return added.modelId;
}

/** Ask for a key and do what wants it; one that is not accepted is not kept. */
async function withKey<T>(
  { secrets }: Means,
  name: string,
  because: string,
  then: () => Promise<T>,
  isTaken: (result: T) => boolean,
): Promise<T | null> {
  const before = await secrets.get(placeOf(name));
  if (!(await askKey({ secrets }, name, because))) return null;
  const result = await then();
  if (!isTaken(result)) await restore(secrets, name, before);
  return result;
}

async function restore(secrets: Secrets, name: string, before: string | undefined): Promise<void> {
  await (before === undefined ? secrets.delete(placeOf(name)) : secrets.store(placeOf(name), before));
}

/** Whether there is a key now. */
async function askKey({ secrets }: Pick<Means, "secrets">, name: string, because: string): Promise<boolean> {
  const typed = await window.showInputBox({
    title: TITLE,
    prompt: `${inert(because)} ${t("Type or paste it; it is kept in the editor's secret storage as {0}.", name)}`,
    password: true,
    ignoreFocusOut: true,
  });
  if (typed === undefined || typed.trim() === "") return false;
  try {
    await secrets.store(placeOf(name), typed.trim());
  } catch {
    throw new Error(
      t(
        "This editor keeps no secrets, so the key was not stored. Set {0} in the environment that the editor is started from, and add the model again.",
        name,
      ),
    );
  }
  return true;
}

function placeOf(name: string): string {
  return secretKey(`modelKey.${name}`);
}

function waited(title: string, work: Promise<unknown>): Thenable<unknown> {
  return window.withProgress({ location: ProgressLocation.Notification, title }, () => work);
}
