/** What requests were sent for: by that their answers find their places. */

import type { Question } from "../../shared/catch-up";
import type { CardOption, ChangeAt, Offered, WantRecord } from "../../shared/protocol";

/** What a request was sent for, so that its answer finds its place. */
export type Purpose =
  | Question
  | { readonly kind: "answer"; readonly approvalId: string; readonly option: CardOption["kind"]; readonly url?: string }
  | { readonly kind: "later"; readonly approvalId: string }
  | {
      readonly kind: "preview";
      readonly approvalId: string;
      readonly optionId: string;
      readonly rules: readonly string[];
    }
  | { readonly kind: "newChat"; readonly text: string | null; readonly instead: string | null }
  | {
      readonly kind: "prompt";
      readonly chatId: string;
      readonly text: string;
      readonly images: readonly string[];
      readonly references: readonly Offered[];
    }
  | { readonly kind: "named"; readonly start: number; readonly word: string }
  | { readonly kind: "turns"; readonly chatId: string; readonly before: number; readonly epoch: string | null }
  | { readonly kind: "record"; readonly ref: WantRecord }
  | { readonly kind: "sound"; readonly callId: string }
  | { readonly kind: "change"; readonly at: ChangeAt }
  | { readonly kind: "changesDone"; readonly said: string }
  | { readonly kind: "rewindPlan"; readonly messageId: string; readonly isEdit: boolean }
  | { readonly kind: "rewound"; readonly messageId: string; readonly text: string | null; readonly conversation: boolean }
  | { readonly kind: "start" | "other" };
