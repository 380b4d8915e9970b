/** What the person said of repositories that configure an agent, and taking it back. */

import { locale, t } from "../../shared/l10n";
import type { RepositoryAnswer, RepositoryAnswers } from "../../shared/protocol";
import type { Request } from "../server/bridge";
import { pick } from "../editor/pick-list";
import { inert } from "../editor/inert-text";
import { window } from "../editor/vscode";

const STANDING: Readonly<Record<RepositoryAnswer["standing"], string>> = {
  granted: t("you let it run here"),
  declined: t("you keep it off"),
};

/** Ask which answer, and forget it: the agent's next session asks again. */
export async function forgetRepository(request: Request): Promise<void> {
  const { answers } = (await request("repository/list", {})) as RepositoryAnswers;
  if (answers.length === 0) {
    void window.showInformationMessage(t("There is nothing that you said about this repository."));
    return;
  }
  const chosen = await pick(
    answers.map((answer) => ({
      label: inert(answer.agent),
      description: t("{0}, since {1}", STANDING[answer.standing], new Date(answer.at).toLocaleString(locale())),
      detail: inert(`${answer.folder}: ${answer.files.join(", ")}`),
      value: answer,
    })),
    { title: t("Forget what I said about this repository"), placeholder: t("Which answer? You are asked again.") },
  );
  if (chosen === null) {
    return;
  }
  const { agent, digest } = chosen.value;
  await request("repository/forget", { digest });
  void window.showInformationMessage(inert(t("Forgotten. The next chat with {0} asks you again.", agent)));
}
