/** Collections of documents: how far the index of each is, and beginning or stopping one. */

import type { Disposable, StatusBarItem } from "vscode";
import { many, t } from "../../shared/l10n";
import type { CollectionState, CollectionStates, MethodName } from "../../shared/protocol";
import type { Request } from "../server/bridge";
import { type Choice, pick } from "../editor/pick-list";
import { inert } from "../editor/inert-text";
import { StatusBarAlignment, window } from "../editor/vscode";

const STATES: Readonly<Record<CollectionState["state"], string>> = {
  idle: t("not searched yet"),
  reading: t("being read"),
  embedding: t("being compared by meaning"),
  ready: t("up to date"),
  stopped: t("stopped by you"),
  failed: t("failed"),
};
const ICONS: Readonly<Record<CollectionState["state"], string>> = {
  idle: "circle-outline",
  reading: "loading~spin",
  embedding: "loading~spin",
  ready: "pass",
  stopped: "debug-stop",
  failed: "error",
};

type Order = "collection/index" | "collection/stop";

/** An item in the status bar for as long as an index is made, which leads to stopping it. */
export class CollectionsItem implements Disposable {
  readonly #item: StatusBarItem;
  /** Those whose index is being made, by their names. */
  readonly #working = new Map<string, CollectionState>();

  constructor() {
    this.#item = window.createStatusBarItem("assent.collections", StatusBarAlignment.Left, 99);
    this.#item.name = "Assent";
    this.#item.command = "assent.showCollections";
  }

  take(method: MethodName, params: unknown): void {
    if (method !== "collection/changed") {
      return;
    }
    const state = params as CollectionState;
    this.#working.delete(state.name);
    if (isWorking(state)) {
      this.#working.set(state.name, state);
    }
    this.#show();
  }

  /** The server is another one, or none. */
  forget(): void {
    this.#working.clear();
    this.#show();
  }

  #show(): void {
    const last = [...this.#working.values()].at(-1);
    if (last === undefined) {
      this.#item.hide();
      return;
    }
    const words = farOf(last);
    this.#item.text = `$(sync~spin) ${words}`;
    this.#item.tooltip = t("Assent makes an index of these documents. Click to stop it.");
    this.#item.accessibilityInformation = { label: `${words}. ${t("Click to stop it.")}`, role: "button" };
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}

/** Show all of them; of the one that is chosen the index can be begun or stopped. */
export async function showCollections(request: Request): Promise<void> {
  const { collections } = (await request("collection/list", {})) as CollectionStates;
  if (collections.length === 0) {
    void window.showInformationMessage(t("No collection of documents is set up: name some in assent.collections."));
    return;
  }
  const chosen = await pick(collections.map(lineOf), {
    title: t("Collections"),
    placeholder: t("Of which one is the index to be made or stopped?"),
  });
  if (chosen === null) {
    return;
  }
  const order: Order = isWorking(chosen.value) ? "collection/stop" : "collection/index";
  const { name, state, says } = (await request(order, { name: chosen.value.name })) as CollectionState;
  const told = order === "collection/index" ? t("Its files are looked at.") : STATES[state];
  void window.showInformationMessage(inert(says === "" ? `${name}: ${told}` : says));
}

function lineOf(collection: CollectionState): Choice<CollectionState> {
  const out = collection.leftOut === 0 ? "" : `, ${many(collection.leftOut, "1 file left out", "{0} files left out")}`;
  return {
    label: `$(${ICONS[collection.state]}) ${inert(collection.name)}`,
    description: (isWorking(collection) ? farOf(collection) : STATES[collection.state]) + out,
    detail: inert(collection.says === "" ? collection.paths.join(", ") : collection.says),
    value: collection,
  };
}

function isWorking({ state }: CollectionState): boolean {
  return state === "reading" || state === "embedding";
}

function farOf({ name, state, done, total }: CollectionState): string {
  return state === "embedding"
    ? t("{0}: {1} of {2} passages compared", inert(name), done, total)
    : t("{0}: {1} of {2} files read", inert(name), done, total);
}
