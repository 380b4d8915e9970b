/**
 * A rule that Insights proposes, picked from a list and written where the person says.
 *
 * Nothing is written unasked: what allows is asked about once more by the server, in a dialog of
 * the editor's own.
 */

import { many, t } from "../../shared/l10n";
import type { HistoryRecord, InsightsPage, ProposedRule } from "../../shared/protocol";
import type { Request } from "../server/bridge";
import { pick } from "../editor/pick-list";
import { inert } from "../editor/inert-text";
import { ProgressLocation, window } from "../editor/vscode";

type Place = HistoryRecord["scopes"][number];

const TITLE = t("Add a rule that Insights proposes");
const PLACES: Readonly<Record<Place, string>> = {
  workspace: t("In this workspace, on this machine"),
  user: t("In every workspace of yours"),
};
/** What was counted to propose the rule does not reach as far as that. */
const BEYOND = t("Only what you were asked in this workspace was looked at");
const NONE = t("No rule would have saved questions of the last 30 days without letting pass what you denied.");

/** Let the person pick one of the proposed rules, and a place for it. */
export async function addProposedRule(request: Request): Promise<void> {
  const options = { location: ProgressLocation.Notification, title: t("Looking what you were asked") };
  const { proposals } = await window.withProgress(options, () => request("history/insights", {}) as Promise<InsightsPage>);
  if (proposals.length === 0) {
    void window.showInformationMessage(NONE);
    return;
  }
  const placeholder = t("Which rule is to allow from now on? You are asked once more.");
  const chosen = await pick(proposals.map(line), { title: TITLE, placeholder });
  if (chosen === null) {
    return;
  }
  const { rule, record } = chosen.value;
  const { scopes } = (await request("history/show", record)) as HistoryRecord;
  const places = scopes.map((value) => ({
    label: PLACES[value],
    ...(value === "user" ? { description: BEYOND } : {}),
    value,
  }));
  const place = await pick(places, { title: inert(rule), placeholder: t("Where is it to hold?") });
  if (place === null) {
    return;
  }
  await request("history/makeRule", { ...record, verdict: "allow", rules: [rule], scope: place.value });
  void window.showInformationMessage(inert(t("Allowed from now on: {0}", rule)));
}

function line(proposed: ProposedRule): { label: string; description: string; detail: string; value: ProposedRule } {
  const { rule, saved } = proposed;
  const description = many(saved, "would have saved 1 question", "would have saved {0} questions");
  return { label: inert(rule), description, detail: inert(also(proposed)), value: proposed };
}

/** What else it would let pass. */
function also({ also: others, more }: ProposedRule): string {
  if (others.length === 0) {
    return t("Of what is known it would let pass nothing else.");
  }
  return more > 0
    ? t("Would also let pass: {0} and {1} more", others.join(" · "), more)
    : t("Would also let pass: {0}", others.join(" · "));
}
