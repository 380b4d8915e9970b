/** The commands that run on in the background: one quiet line above the transcript, which unfolds. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { repeat } from "lit/directives/repeat.js";
import { plain } from "../../shared/card";
import { mixed, t } from "../../shared/l10n";
import { stateOf } from "../../shared/command-output";
import type { Chat, ShellInfo } from "../../shared/protocol";
import type { Hand } from "../state/hand";
import { code } from "../dom/spans";

/** The line, while anything runs there. */
export function background(chat: Chat | null, hand: Hand): TemplateResult | typeof nothing {
  const shells = (chat?.shells ?? []).filter(({ inBackground }) => inBackground);
  const running = shells.filter(({ state }) => state === "running").length;
  if (chat === null || running === 0) return nothing;
  // In the order in which they began, so that no row changes its place.
  const inOrder = shells.toSorted((one, other) => one.at - other.at);
  return html`<details class="plan shells" data-testid="shells">
    <summary>${mixed("{0} running in the background", running)}</summary>
    <ul>${repeat(
      inOrder,
      ({ shellId }) => shellId,
      (each) => row(chat.chatId, each, hand),
    )}</ul>
  </details>`;
}

function row(chatId: string, shell: ShellInfo, hand: Hand): TemplateResult {
  const ref = { chatId, shellId: shell.shellId };
  const name = plain(shell.command);
  const kill = (): void => hand.act({ kind: "killShell", shell: ref });
  const show = (): void => hand.act({ kind: "post", message: { kind: "showOutput", ...ref } });
  return html`<li data-testid="shell" data-state=${shell.state}>
    <span class="what">${code(shell.command)} <span class="muted">${stateOf(shell)}</span></span>
    ${shell.state === "running" ? html`<button class="second" data-still=${shell.shellId} aria-label=${t("Kill: {0}", name)} @click=${kill}>${t("Kill")}</button>` : nothing}
    <button class="quiet" aria-label=${t("Output: {0}", name)} @click=${show}>${t("Output")}</button>
  </li>`;
}
