/** What the drawn page hands back: inputs, and the facts about a press. */

import type { Press } from "../dom/press";
import type { Input } from "./moments";

export interface Hand {
  readonly act: (input: Input) => void;
  /** The facts about a click that came just now. */
  readonly press: (event: Event) => Press;
}
