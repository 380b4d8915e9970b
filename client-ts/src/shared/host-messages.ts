/**
 * What the extension and its webview say to each other.
 *
 * Messages of the protocol pass through unread, if `METHODS` lets them; the rest are the few
 * things that only an editor can do, or that only a view can know.
 */

import type { HistoryFilter, MethodName, Offered, WantExport } from "./protocol";

/** A key or a menu of the editor, meant for the card that is shown. */
export type CardCommand =
  | "review"
  | "allowOnce"
  | "allowChat"
  | "allowBackground"
  | "deny"
  | "denyTell"
  | "keepWaiting"
  | "stopAsking"
  | "next"
  | "previous"
  | "openDiff";

/** From the webview to the extension. */
export type ToHost =
  | { readonly kind: "ready" }
  | {
      readonly kind: "request";
      readonly id: number;
      readonly method: MethodName;
      readonly params: unknown;
    }
  | { readonly kind: "openLink"; readonly url: string }
  | { readonly kind: "openPlace"; readonly place: string }
  | { readonly kind: "reveal"; readonly uri: string }
  | { readonly kind: "editText"; readonly approvalId: string }
  | { readonly kind: "showOutput"; readonly chatId: string; readonly shellId: string }
  | {
      readonly kind: "runCommand";
      readonly command:
        | "restartServer"
        | "openSettings"
        | "showHistory"
        | "showLog"
        | "setModelKey"
        | "addModel"
        | "addAgent"
        | "reviewInTab"
        | "showRules"
        | "showAlarms"
        | "help";
      readonly about?: string;
    }
  | {
      readonly kind: "looks";
      readonly focused: boolean;
      readonly composerEmpty: boolean;
      readonly cardShown: string | null;
      /** Whether the focus is in the card itself, whatever the composer holds. */
      readonly cardFocused?: boolean;
      /** The shown chat's title, which the editor writes above the page. Empty: no chat is shown. Null: the page does not know yet. */
      readonly title: string | null;
    };

/** From the extension to the webview. */
export type ToView =
  | {
      readonly kind: "answer";
      readonly id: number;
      readonly result?: unknown;
      readonly error?: string;
    }
  | { readonly kind: "message"; readonly method: MethodName; readonly params: unknown }
  | { readonly kind: "command"; readonly command: CardCommand }
  | { readonly kind: "newChat" }
  | { readonly kind: "showChat"; readonly chatId: string }
  | { readonly kind: "showCard"; readonly approvalId: string }
  | { readonly kind: "beginWith"; readonly agentId: string; readonly modelId: string | null }
  | { readonly kind: "focusComposer" }
  /** So many alarms that nobody has seen. */
  | { readonly kind: "alarms"; readonly count: number }
  | { readonly kind: "addWords"; readonly text: string }
  | { readonly kind: "addReferences"; readonly found: readonly Offered[] }
  /** A message of a page that is gone was not taken. */
  | {
      readonly kind: "notSent";
      readonly chatId: string;
      readonly text: string;
      readonly images: readonly string[];
      readonly because: string;
    }
  | {
      readonly kind: "server";
      readonly state: "starting" | "ready" | "restarting" | "dead";
      readonly text: string;
    };

/** From the History page to the extension. */
export type FromHistory =
  | Extract<ToHost, { readonly kind: "ready" | "request" }>
  | { readonly kind: "export"; readonly form: WantExport["form"]; readonly filter: HistoryFilter };

/** From the extension to the History page. */
export type ToHistory =
  | Extract<ToView, { readonly kind: "answer" }>
  /** Something was decided. */
  | { readonly kind: "changed" }
  /** The server is there to be asked, or there again. */
  | { readonly kind: "ready" };
