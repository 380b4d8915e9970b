/**
 * All that can happen to the view, from the host, the clock or the person.
 *
 * A moment is a value that says what happened and when. What it makes of the state, the fold says.
 */

import type { Values } from "../../shared/card";
import type { Effort, Partner } from "../../shared/partners";
import type { Mode } from "../../shared/modes";
import type { ToHost, ToView } from "../../shared/host-messages";
import type { CallRef, FlowAgain, ShellRef, WantRecord, ChangedFile, Offered } from "../../shared/protocol";
import type { Offer } from "../../shared/chat-events";
import type { Press } from "../dom/press";
import type { Where, Sight, Queued } from "./model";

/** What a person can do about a call that runs, or that has run. */
export type CallMethod = "tool/kill" | "tool/background" | "tool/undo";

/** What a person does on the page for beginners. */
export type Starting = "choose" | "look" | "back";

/** What a person does about rewinding, or about a message that is edited. */
export type RewindStep =
  | { readonly kind: "ask"; readonly messageId: string }
  | { readonly kind: "cancel" }
  | { readonly kind: "tick"; readonly fileId: string }
  | { readonly kind: "go"; readonly files: boolean; readonly conversation: boolean }
  | { readonly kind: "editFiles" }
  | { readonly kind: "dropEdit" };

/** What a person does about changed files. */
export type ChangesStep =
  | { readonly kind: "turn" }
  | { readonly kind: "turnFile"; readonly file: ChangedFile }
  | { readonly kind: "diff"; readonly file: ChangedFile }
  | { readonly kind: "diffs"; readonly files: readonly ChangedFile[] }
  | { readonly kind: "redo"; readonly undoId: string }
  | { readonly kind: "dismiss"; readonly undoId: string }
  | { readonly kind: "act"; readonly what: "keep" | "undo"; readonly files: readonly ChangedFile[] }
  | { readonly kind: "actHunk"; readonly what: "keepHunk" | "undoHunk"; readonly file: ChangedFile; readonly hunk: number };

/** What a person does about what they name, or with the words that they said before. */
export type Naming =
  | { readonly kind: "move"; readonly by: 1 | -1 }
  | { readonly kind: "take"; readonly at: number }
  | { readonly kind: "close" }
  | { readonly kind: "drop"; readonly at: number }
  | { readonly kind: "recall" }
  | { readonly kind: "restore" };

/** What a person does in the second step of an answer for always. */
export type RuleChange =
  | { readonly kind: "text"; readonly at: number; readonly text: string }
  | { readonly kind: "tick"; readonly at: number; readonly ticked: boolean }
  | { readonly kind: "scope"; readonly scope: string }
  | { readonly kind: "toConfirm" }
  | { readonly kind: "back" };

/** Everything that can happen. */
export type Input =
  | {
      readonly kind: "opened";
      readonly viewId: string;
      readonly draft: string;
      readonly references?: readonly Offered[];
      readonly queued?: { readonly [chatId: string]: Queued };
      readonly chatId: string | null;
    }
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
  | { readonly kind: "escape" }
  | { readonly kind: "takeBack" }
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
  | { readonly kind: "choose"; readonly choice: string; readonly ticked: boolean }
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
