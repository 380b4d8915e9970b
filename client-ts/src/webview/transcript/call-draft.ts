/** A long call that the agent is still writing: its proposal, which nobody has judged yet. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import type { Chat } from "../../shared/protocol";
import { spans } from "../dom/spans";

export function draft({ agentName, drafted }: Chat): TemplateResult | typeof nothing {
  return drafted.length === 0
    ? nothing
    : html`<p class="draft muted" data-testid="draft" aria-live="off">${agentName} <bdi>${spans(drafted)}</bdi></p>`;
}
