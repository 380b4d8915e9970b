/** What the person said of repositories that configure an agent, and taking it back. */

import type { RepositoryAnswer, RepositoryAnswers } from "../protocol";
import type { Request } from "./bridge";
import { pick } from "./pick";
import { inert } from "./plain";
import { window } from "./vscode";

const STANDING: Readonly<Record<RepositoryAnswer["standing"], string>> = {
  granted: "you let it run here",
  declined: "you keep it off",
};

/** Ask which answer, and forget it: the agent's next session asks again. */
export async function forgetRepository(request: Request): Promise<void> {
  const { answers } = (await request("repository/list", {})) as RepositoryAnswers;
  if (answers.length === 0) {
    void window.showInformationMessage("There is nothing that you said about this repository.");
    return;
  }
  const chosen = await pick(
    answers.map((answer) => ({
      label: inert(answer.agent),
      description: `${STANDING[answer.standing]}, since ${new Date(answer.at).toLocaleString()}`,
      detail: inert(`${answer.folder}: ${answer.files.join(", ")}`),
      value: answer,
    })),
    { title: "Forget what I said about this repository", placeholder: "Which answer? You are asked again." },
  );
  if (chosen === null) {
    return;
  }
  const { agent, digest } = chosen.value;
  await request("repository/forget", { digest });
  void window.showInformationMessage(inert(`Forgotten. The next chat with ${agent} asks you again.`));
}
