/** How it is drawn what rewinding would do, below the message. */

import type { TemplateResult } from "lit/html.js";
import { plain } from "../../shared/card";
import type { ChangedFile, RewindFile, RewindPlan } from "../../shared/protocol";
import { code, html, mixed, nothing, sentence, t } from "../dom/lent-tools";
import type { Hand } from "../state/hand";
import type { RewindAsked } from "../state/model";
import type { RewindStep } from "../state/moments";

type Do = (step: RewindStep) => void;

/** What a person asked about, in a chat with these changes. */
interface Asked {
  readonly asked: RewindAsked;
  readonly changes: readonly ChangedFile[];
  readonly hand: Hand;
}

/** What rewinding to before a message would do, and the answers. */
export function rewind({ asked: { plan, over }, changes, hand }: Asked): TemplateResult {
  const act: Do = (step) => hand.act({ kind: "rewind", step });
  const escaped = (event: KeyboardEvent): void => {
    if (event.key === "Escape") act({ kind: "cancel" });
  };
  return html`<div class="rewind" role="group" aria-label=${t("Rewind")} data-testid="rewind-panel" @keydown=${escaped}>
    <b>${t("Rewind to before this message?")}</b>
    ${plan === null ? html`<p class="muted" aria-busy="true">…</p>` : html`<ul>${told(plan, over, changes, hand, act)}</ul>`}
    <div class="answers">
      <button class="second" data-testid="rewind-cancel" @click=${() => act({ kind: "cancel" })}>${t("Cancel")}</button>
      ${plan === null ? nothing : answers(plan, over, act)}
    </div>
  </div>`;
}

function answers(plan: RewindPlan, over: readonly string[], act: Do): TemplateResult {
  const go = (files: boolean, conversation: boolean) => (): void => act({ kind: "go", files, conversation });
  const some = plan.files.some(({ fate, fileId }) => fate === "back" || fate === "gone" || (fate === "edited" && over.includes(fileId)));
  return html`${some ? html`<button class="first" data-testid="rewind-files" data-still=${plan.digest} @click=${go(true, false)}>${t("Rewind files")}</button>` : nothing}
    ${some && plan.conversation ? html`<button class="quiet" data-testid="rewind-both" data-still=${plan.digest} @click=${go(true, true)}>${t("Files and conversation")}</button>` : nothing}
    ${plan.conversation ? html`<button class="quiet" data-testid="rewind-words" data-still=${plan.digest} @click=${go(false, true)}>${t("Conversation only")}</button>` : nothing}`;
}

function told(
  { files, ran, moreRan, because }: RewindPlan,
  over: readonly string[],
  changes: readonly ChangedFile[],
  hand: Hand,
  act: Do,
): TemplateResult {
  const [back, gone] = [files.filter(({ fate }) => fate === "back"), files.filter(({ fate }) => fate === "gone")];
  const more = moreRan === 0 ? nothing : html`${mixed(", and {0} more", moreRan)}`;
  return html`${back.length === 0 ? nothing : html`<li>${mixed("Brings back {0}.", listed(back.map(({ path }) => path)))}</li>`}
    ${gone.length === 0 ? nothing : html`<li>${mixed("Takes away {0}, not there before.", listed(gone.map(({ path }) => path)))}</li>`}
    ${files.filter(({ fate }) => fate === "edited").map((file) => edited(file, over, changes, hand, act))}
    ${files.filter(({ fate }) => fate === "stays").map((file) => html`<li><b>${t("Stays:")}</b> ${code(file.path)}. ${sentence(file.because)}</li>`)}
    ${files.length === 0 ? html`<li>${t("No file that an edit has changed since comes back.")}</li>` : nothing}
    ${ran.length === 0 ? nothing : html`<li><b>${t("Not undone:")}</b> ${listed(ran)}${more}.</li>`}
    ${because === "" ? nothing : html`<li>${sentence(because)}</li>`}`;
}

/** A file that somebody else wrote into stays, unless the person says otherwise of it. */
function edited(file: RewindFile, over: readonly string[], changes: readonly ChangedFile[], hand: Hand, act: Do): TemplateResult {
  const marked = changes.find(({ fileId }) => fileId === file.fileId);
  const diff = (): void => {
    if (marked !== undefined) hand.act({ kind: "changes", step: { kind: "diff", file: marked } });
  };
  return html`<li>${mixed("{0} It stays as it is.", sentence(file.because))}
    <label><input type="checkbox" data-testid="rewind-over" .checked=${over.includes(file.fileId)} @change=${() => act({ kind: "tick", fileId: file.fileId })} />${mixed("Put {0} back all the same", code(file.path))}</label>
    ${marked === undefined ? nothing : html`<button class="quiet" aria-label=${t("Open diff of {0}", plain(file.path))} @click=${diff}>${t("Open diff")}</button>`}</li>`;
}

function listed(all: readonly RewindFile["path"][]): TemplateResult {
  return html`${all.map((each, at) => html`${at === 0 ? nothing : at === all.length - 1 ? ` ${t("and")} ` : ", "}${code(each)}`)}`;
}
