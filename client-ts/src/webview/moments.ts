/**
 * All that can happen to the view, from the host, the clock or the person.
 *
 * A moment is a value that says what happened and when. What it makes of the state, the fold says.
 */

import type { Values } from "../card";
import type { Effort, Partner } from "../agents";
import type { Mode } from "../modes";
import type { ToHost, ToView } from "../pipe";
import type { CallRef, FlowAgain, ShellRef, WantRecord } from "../protocol";
import type { Offer } from "../transcript";
import type { Press } from "./arming";
import type { ChangesStep } from "./changes";
import type { Where } from "./model";
import type { Naming } from "./naming";
import type { RewindStep } from "./rewinding";
import type { RuleChange } from "./rules";
import type { Sight } from "./sight";
import type { Starting } from "./start";

/** What a person can do about a call that runs, or that has run. */
export type CallMethod = "tool/kill" | "tool/background" | "tool/undo";

/** Everything that can happen. */
export type Input =
  | { readonly kind: "opened"; readonly viewId: string; readonly draft: string; readonly chatId: string | null }
  | { readonly kind: "fromHost"; readonly message: ToView }
  | { readonly kind: "tick" }
  | { readonly kind: "where"; readonly where: Where; readonly regained: boolean }
  | { readonly kind: "moved" }
  | { readonly kind: "tooSoon" }
  | { readonly kind: "typed"; readonly text: string; readonly caret?: number }
  | { readonly kind: "naming"; readonly step: Naming }
  | { readonly kind: "filled"; readonly text: string }
  | { readonly kind: "attach"; readonly image: string | null; readonly place?: number; readonly note?: string }
  | { readonly kind: "send" }
  | { readonly kind: "stop" }
  | { readonly kind: "tryNow" }
  | { readonly kind: "goOn" }
  | { readonly kind: "pickChat"; readonly chatId: string }
  | { readonly kind: "pickPartner"; readonly partner: Partner }
  | { readonly kind: "pickMode"; readonly mode: Mode }
  | { readonly kind: "pickEffort"; readonly effort: Effort | null }
  | { readonly kind: "logIn"; readonly way: string }
  | { readonly kind: "pickOption"; readonly optionId: string; readonly value: string }
  | { readonly kind: "starting"; readonly what: Starting }
  | { readonly kind: "begin"; readonly partner: Partner }
  | { readonly kind: "newChat"; readonly partner: Partner | null }
  | { readonly kind: "closeChat" }
  | { readonly kind: "goOnHere" }
  | { readonly kind: "takeOffer"; readonly offer: Offer }
  | { readonly kind: "dropOffer" }
  | { readonly kind: "dropNote" }
  | { readonly kind: "earlier" }
  | { readonly kind: "askAgain"; readonly agentId: string }
  | { readonly kind: "atCall"; readonly method: CallMethod; readonly call: CallRef }
  | { readonly kind: "again"; readonly call: FlowAgain }
  | { readonly kind: "turnRecord"; readonly ref: WantRecord; readonly isOpen: boolean }
  | { readonly kind: "openRecordDiff"; readonly ref: WantRecord; readonly file: number }
  | { readonly kind: "wantSound"; readonly ref: WantRecord }
  | { readonly kind: "changes"; readonly step: ChangesStep }
  | { readonly kind: "rewind"; readonly step: RewindStep }
  | { readonly kind: "killShell"; readonly shell: ShellRef }
  | { readonly kind: "show"; readonly approvalId: string }
  | { readonly kind: "turn"; readonly by: 1 | -1 }
  | { readonly kind: "list"; readonly list: "allow" | "deny" | null; readonly byKey: boolean }
  | { readonly kind: "words"; readonly words: string | null }
  | { readonly kind: "fill"; readonly values: Values }
  | { readonly kind: "fieldsThere" }
  | { readonly kind: "rule"; readonly change: RuleChange }
  | { readonly kind: "openMiddle" }
  | { readonly kind: "sight"; readonly sight: Sight | null }
  | { readonly kind: "together" }
  | { readonly kind: "oneByOne" }
  | { readonly kind: "tickCall"; readonly approvalId: string; readonly press: Press }
  | { readonly kind: "batchPress"; readonly side: "allow" | "deny"; readonly press: Press }
  | { readonly kind: "why"; readonly open: boolean }
  | { readonly kind: "toUnseen" }
  | { readonly kind: "press"; readonly optionId: string; readonly press: Press }
  | { readonly kind: "keepWaiting" }
  | { readonly kind: "openDiff"; readonly file: number }
  | { readonly kind: "post"; readonly message: ToHost };

/** An input, and when it came. */
export type Moment = Input & { readonly at: number };
