/**
 * Adding an agent: a list of what the registry offers, an installation that can be watched and
 * stopped, and a chat with it at the end.
 */

import { t } from "../../shared/l10n";
import type { AgentAdded, AgentOffer, AgentOffers } from "../../shared/protocol";
import type { Request } from "../server/bridge";
import { pick, type Choice } from "../editor/pick-list";
import { inert } from "../editor/inert-text";
import { ProgressLocation, window } from "../editor/vscode";
import { said } from "../../shared/server-sentences";

const WHICH = t("Which agent? One that you do not have yet is installed into Assent's own folder.");

/** Who shows how an installation goes, by the offer's id. */
const watchers = new Map<string, (says: string) => void>();

/** The server says how something goes. */
export function progressOf(of: string, says: string): void {
  watchers.get(of)?.(says);
}

/** Ask which agent, unless one of those that are offered is wanted, and have it installed; its id, or null where the person drew back. */
export async function addAgent(request: Request, wanted: string | null = null): Promise<string | null> {
  const { offers, note } = (await withTitle(t("Looking for agents…"), () => request("agent/offers", {}))) as AgentOffers;
  const known = offers.find(({ id, added }) => id === wanted && !added);
  if (known !== undefined) return (await install(known, request)) ? known.id : null;
  const chosen = await pick(offers.map(choiceOf), {
    title: t("Add an agent"),
    // As a heading it would stand in the first agent's line and leave that no room.
    placeholder: inert(said(note)) || WHICH,
  });
  if (chosen === null) {
    return null;
  }
  return (await install(chosen.value, request)) ? chosen.value.id : null;
}

function choiceOf(offer: AgentOffer): Choice<AgentOffer> {
  return {
    label: inert(offer.name),
    description: inert(offer.added ? t("{0}, added already", offer.version) : offer.version),
    detail: inert(`${said(offer.says)} (${said(offer.source)})`),
    ...(offer.added ? {} : { value: offer }),
  };
}

/** Whether it was added; what went wrong is thrown as a sentence. */
async function install({ id, name, wantsPath }: AgentOffer, request: Request): Promise<boolean> {
  const path = wantsPath ? await programOf(name) : "";
  if (path === null) {
    return false;
  }
  const options = {
    location: ProgressLocation.Notification,
    title: t("Adding {0}", inert(name)),
    cancellable: true,
  };
  return window.withProgress(options, async (progress, token) => {
    token.onCancellationRequested(() => void request("agent/stopAdding", { offerId: id }));
    watchers.set(id, (says) => progress.report({ message: inert(says) }));
    try {
      const { added } = (await request("agent/add", { offerId: id, path })) as AgentAdded;
      return added;
    } catch (error) {
      if (token.isCancellationRequested) {
        return false;
      }
      throw error;
    } finally {
      watchers.delete(id);
    }
  });
}

/** Where the person has the program of an agent that is not installed for them; null where they draw back. */
async function programOf(name: string): Promise<string | null> {
  const title = t("Choose the program of {0}", inert(name));
  const chosen = await window.showOpenDialog({ title, openLabel: t("Add") });
  return chosen?.[0]?.fsPath ?? null;
}

function withTitle<T>(title: string, work: () => Promise<T>): Thenable<T> {
  return window.withProgress({ location: ProgressLocation.Window, title }, work);
}
