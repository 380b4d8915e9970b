/**
 * The pipe between the view and the server.
 *
 * A message passes if `METHODS` lets it pass between the two in this direction, and in no other
 * case. Nothing is read, kept or changed on the way.
 */

import type { ToHost, ToView } from "../../shared/host-messages";
import { t } from "../../shared/l10n";
import { METHODS, type MethodName } from "../../shared/protocol";
import { reasonOf } from "../editor/error-text";

/** Which end a message comes from. */
export type End = "webview" | "server";

/** Sends a request to the server. */
export type Request = (method: MethodName, params: unknown) => Promise<unknown>;

type Wanted = Extract<ToHost, { readonly kind: "request" }>;
type Answer = Extract<ToView, { readonly kind: "answer" }>;

const SENDERS = { webview: "client", server: "server" } as const;
const SHAPES: { readonly [K in ToHost["kind"]]: Readonly<Record<string, readonly string[]>> } = {
  ready: {},
  request: { id: ["number"], method: ["string"] },
  openLink: { url: ["string"] },
  openPlace: { place: ["string"] },
  reveal: { uri: ["string"] },
  editText: { approvalId: ["string"] },
  showOutput: { chatId: ["string"], shellId: ["string"] },
  runCommand: { command: ["string"], about: ["string", "undefined"] },
  looks: {
    focused: ["boolean"],
    composerEmpty: ["boolean"],
    cardShown: ["string", "null"],
    cardFocused: ["boolean", "undefined"],
    title: ["string", "null"],
  },
};

/** Whether a message of this name may pass, coming from this end. */
export function mayPass(method: string, from: End): method is MethodName {
  if (!isMethod(method)) {
    return false;
  }
  const { webview, sender, request } = METHODS[method];
  // What the server asks is answered by the editor itself: a view gets its news only.
  return webview && sender === SENDERS[from] && request === (from === "webview");
}

/** The names that may pass to the view. */
export function newsForView(): readonly MethodName[] {
  return Object.keys(METHODS).filter((name): name is MethodName => mayPass(name, "server"));
}

/** Why a request came to nothing that was open when the server went. */
export const LOST = t("Assent's server stopped before it answered.");

/** Pass the view's request on, and bring back what became of it. */
export async function pass(wanted: Wanted, request: Request): Promise<Answer> {
  const { id, method, params } = wanted;
  if (!mayPass(method, "webview")) {
    return { kind: "answer", id, error: `A view may not send \`${String(method)}\`.` };
  }
  try {
    return { kind: "answer", id, result: await request(method, params) };
  } catch (error) {
    return { kind: "answer", id, error: reasonOf(error) };
  }
}

/** The view's message, if it has the shape of one. */
export function readFromView(message: unknown): ToHost | null {
  if (!isRecord(message) || typeof message["kind"] !== "string") {
    return null;
  }
  const { kind } = message;
  if (!Object.hasOwn(SHAPES, kind)) {
    return null;
  }
  const fields = Object.entries(SHAPES[kind as ToHost["kind"]]);
  const fits = fields.every(([name, types]) => types.includes(typeName(message[name])));
  return fits ? (message as unknown as ToHost) : null;
}

function isMethod(name: string): name is MethodName {
  return Object.hasOwn(METHODS, name);
}

/** Whether it is an object at all. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function typeName(value: unknown): string {
  return value === null ? "null" : typeof value;
}
