/**
 * All that the view is drawn from.
 *
 * A state is a value. What must be done in the world stands in its `errands` until it is done.
 */

import type { Partner } from "../../shared/partners";
import type { Values } from "../../shared/card";
import type { Failure } from "../../shared/catch-up";
import type { Mode } from "../../shared/modes";
import type {
  Beginnings,
  Chat,
  Messages,
  Offered,
  RecordKept,
  SoundKept,
  Span,
  Waiting,
  WantRecord,
  Previewed,
  Item,
  ChangeShown,
  RewindPlan,
} from "../../shared/protocol";
import type { ToHost, ToView } from "../../shared/host-messages";
import type { Purpose } from "./purposes";
import { EMPTY, type Replica, type Ticket } from "../../shared/replica";
import type { Scope } from "../../shared/rule-words";

export type { Purpose };
export type Method = keyof Messages;
export type Server = Omit<Extract<ToView, { kind: "server" }>, "kind">;
export type Looks = Omit<Extract<ToHost, { kind: "looks" }>, "kind">;

/** How much of a card can be seen, and of which card that is said. */
export interface Sight {
  readonly approvalId: string;
  readonly digest: string;
  /** Whether its answers are on the screen, whole. */
  readonly answers: boolean;
  /** How many of the parts that must be seen have never been on the screen. */
  readonly unseen: number;
}

/** Where the keyboard is; `away` is outside this view. */
export type Where = "card" | "composer" | "elsewhere" | "away";

/** A rule of that step, as the person has left it so far. */
export interface Draft {
  readonly text: string;
  readonly ticked: boolean;
}

/** What the rules that are ticked would do; or why nobody can tell. */
export type Foreseen = { readonly kind: "known"; readonly result: Previewed } | { readonly kind: "failed"; readonly because: string };

/** The second step of an answer for always, while it is open. */
export interface RuleStep {
  readonly optionId: string;
  readonly verdict: "allow" | "deny";
  /** Whether the rules would count for commands in the sandbox alone. */
  readonly inSandbox: boolean;
  readonly drafts: readonly Draft[];
  readonly scopes: readonly Scope[];
  readonly scope: Scope | null;
  /** When to ask what they would do; null where that was asked, or cannot be. */
  readonly askAt: number | null;
  /** Null until it is known for exactly these texts. */
  readonly foreseen: Foreseen | null;
}

/** The parts of a call among which a person chooses, while they do. */
export interface Choosing {
  readonly optionId: string;
  readonly choices: readonly string[];
  /** Those that are not ticked. */
  readonly off: readonly string[];
}

/** The calls of a batch, as they were when it opened. */
export interface Batch {
  readonly calls: readonly Ticket[];
  /** Those that are not ticked. */
  readonly off: readonly string[];
  /** When a tick last changed what the buttons say, and since when the rows had stood still then. */
  readonly tick: { readonly at: number; readonly since: number } | null;
}

/** The one card that is open, and how it stands. */
export interface Open {
  readonly approvalId: string;
  /** When it came onto the screen. */
  readonly shownAt: number;
  /** When it last moved or changed; it takes answers a while after that. */
  readonly since: number;
  readonly list: "allow" | "deny" | null;
  /** The words for the agent, while they are being written. */
  readonly words: string | null;
  /** What stands in the form that a server asks to be filled in, once something was written. */
  readonly values: Values | null;
  /** The second step of an answer for always, while it is open. */
  readonly step: RuleStep | null;
  readonly choosing: Choosing | null;
  /** Whether the middle of a long text has been opened. */
  readonly opened: boolean;
  /** Whether a first key press on a high card asks for a second one. */
  readonly confirming: boolean;
  /** Whether it says why it is asked, and what is no member of the call. */
  readonly why: boolean;
  /** The calls that are answered together with it, while they are. */
  readonly batch: Batch | null;
}

/** An answer that is on its way. */
export interface Sending {
  readonly optionId: string;
  readonly at: number;
}

/** A settled question that belonged to no chat. */
export interface Settled {
  readonly approvalId: string;
  readonly title: readonly Span[];
  readonly outcome: "allowed" | "refused" | "withdrawn" | "answered";
  readonly because: string;
}

/** What is held of one chat before the entries of its replica. */
export interface Older {
  /** The number of the first of them. */
  readonly first: number;
  readonly items: readonly Item[];
  /** The number of the first entry that the server still has; null while nobody knows. */
  readonly keptFrom: number | null;
}

/** The older entries that are held, by their chat. */
export type OlderByChat = { readonly [chatId: string]: Older };

/** How the bar above the transcript stands. */
export interface ChangesBar {
  readonly open: boolean;
  /** The undo of which the person wants to be told no more. */
  readonly dismissed: string | null;
  /** The files whose changes are open, with what is told of them. */
  readonly files: { readonly [fileId: string]: { readonly digest: string; readonly told: ChangeShown | null } };
}

/** The question that stands below a message, until it is answered. */
export interface RewindAsked {
  readonly messageId: string;
  readonly plan: RewindPlan | null;
  /** The files that are to come back although somebody else wrote into them. */
  readonly over: readonly string[];
}

/** The message that stands in the draft to be edited. */
export interface Editing {
  readonly messageId: string;
  /** Whether files are to come back with it. */
  readonly files: boolean;
}

/** A message that was written and is not sent yet, with what goes with it. */
export interface Queued {
  readonly text: string;
  readonly images: readonly string[];
  readonly references: readonly Offered[];
}

/** A word behind an `@` that is being written, and what it could mean. */
export interface Mention {
  /** Where the `@` stands. */
  readonly start: number;
  readonly word: string;
  readonly found: readonly Offered[];
  /** Which of them is taken by Enter. */
  readonly at: number;
}

/** What can be given the keyboard. */
export type FocusOn =
  | "card"
  | "composer"
  | "partner"
  | "mode"
  | "allow"
  | "words"
  | "fold"
  | "unseen"
  | "list"
  | "rule"
  | "choice"
  | "confirm"
  | "allowWays"
  | "denyWays";

/** What must be done in the world. */
export type Errand =
  | { readonly kind: "post"; readonly message: ToHost }
  | { readonly kind: "focus"; readonly on: FocusOn }
  | { readonly kind: "toEnd" };

export interface State {
  readonly viewId: string;
  readonly now: number;
  readonly server: Server;
  readonly replica: Replica;
  /** Which questions of the replica failed, and when they are asked again. */
  readonly failures: readonly Failure[];
  /** What is held of chats before the entries of the replica. */
  readonly older: OlderByChat;
  /** The records that are open, those that were opened last behind the others; and the sound of a call that was asked for last. */
  readonly records: {
    readonly [key: string]: { readonly ref: WantRecord; readonly kept: RecordKept | null; readonly by: "byPerson" | "byItself" };
  };
  readonly sound: { readonly callId: string; readonly kept: SoundKept | null } | null;
  /** The changed files of the shown chat, as far as they are open. */
  readonly changes: ChangesBar;
  /** The question about rewinding, and the message that is edited in the draft. */
  readonly rewind: RewindAsked | null;
  readonly editing: Editing | null;
  readonly chatId: string | null;
  /** A chat that was opened for us and that the replica has not heard of yet. */
  readonly expected: string | null;
  /** The chat that an earlier page showed: others may be there before it, after a reload of the window. */
  readonly returning: string | null;
  /** What a first chat will be opened with. */
  readonly partner: Partner | null;
  readonly mode: Mode | null;
  /** Whether another model or agent is looked for, and with whom one could begin, once asked. */
  readonly start: { readonly isWanted: boolean; readonly ways: Beginnings | null };
  readonly draft: string;
  readonly images: readonly string[];
  /** What is named in the draft, and the word for which more is looked for. */
  readonly references: readonly Offered[];
  /** What is sent once the turn of its chat is over. */
  readonly queued: { readonly [chatId: string]: Queued };
  readonly mention: Mention | null;
  /** The words of before that stand in the draft, while nothing was written since. */
  readonly recalled: string | null;
  /** Whether the draft is to be sent as soon as there is somebody to send it to. */
  readonly isEager: boolean;
  /** How many alarms nobody has seen. */
  readonly alarms: number;
  /** Who was chosen while the chat belongs to another. */
  readonly offer: Partner | null;
  readonly open: Open | null;
  /** When the last card went. */
  readonly closedAt: number;
  /** What has come before a person's eyes of the card that was drawn last. */
  readonly sight: Sight | null;
  /** Whether what draws the fields of a form is there; before it is, no form is answered. */
  readonly canFill: boolean;
  readonly sending: { readonly [approvalId: string]: Sending };
  /** What to say on a card, by its ticket. */
  readonly remarks: { readonly [approvalId: string]: string };
  readonly settled: readonly Settled[];
  /** How the last ticket that left was settled. */
  readonly lastSettled: Pick<Settled, "approvalId" | "because"> | null;
  /** A sentence about the last thing that the person tried. */
  readonly note: string | null;
  /** What a screen reader is told next. */
  readonly live: string;
  readonly where: Where;
  readonly lastCommandAt: number;
  /** Wishes that came before the replica knew anything. */
  readonly wishes: readonly ToView[];
  readonly told: Looks | null;
  readonly nextId: number;
  readonly asked: { readonly [id: string]: Purpose };
  readonly errands: readonly Errand[];
}

export const START: State = {
  viewId: "",
  now: 0,
  server: { state: "starting", text: "" },
  replica: EMPTY,
  failures: [],
  older: {},
  records: {},
  sound: null,
  changes: { open: false, dismissed: null, files: {} },
  rewind: null,
  editing: null,
  chatId: null,
  expected: null,
  returning: null,
  partner: null,
  mode: null,
  start: { isWanted: false, ways: null },
  draft: "",
  images: [],
  references: [],
  queued: {},
  mention: null,
  recalled: null,
  isEager: false,
  alarms: 0,
  offer: null,
  open: null,
  closedAt: -Infinity,
  sight: null,
  canFill: false,
  sending: {},
  remarks: {},
  settled: [],
  lastSettled: null,
  note: null,
  live: "",
  where: "away",
  lastCommandAt: -Infinity,
  wishes: [],
  told: null,
  nextId: 1,
  asked: {},
  errands: [],
};

/** The state with one more thing to do. */
export function withErrand(state: State, errand: Errand): State {
  return { ...state, errands: [...state.errands, errand] };
}

/** The state with a request on its way. */
export function withRequest<M extends Method>(
  state: State,
  method: M,
  params: Messages[M]["params"],
  purpose: Purpose = { kind: "other" },
): State {
  const id = state.nextId;
  const message: ToHost = { kind: "request", id, method, params };
  const asked = { ...state.asked, [id]: purpose };
  return withErrand({ ...state, nextId: id + 1, asked }, { kind: "post", message });
}

/** The chat that is shown. */
export function chatOf(state: State): Chat | null {
  return state.replica.chats.find((chat) => chat.chatId === state.chatId) ?? null;
}

/** Whether an agent works in the chat that is shown; without a server nobody works. */
export function isRunning(state: State): boolean {
  return state.server.state === "ready" && chatOf(state)?.running === true;
}

/** The pause in which the model of the shown chat is left alone, if it is. */
export function pauseOf(state: State): Waiting | null {
  return isRunning(state) ? (chatOf(state)?.waiting ?? null) : null;
}

/** The tickets that can be answered: none while the server is away. */
export function waiting(state: State): readonly Ticket[] {
  return state.server.state === "ready" ? state.replica.tickets : [];
}

/** The ticket whose card is open. */
export function shown(state: State): Ticket | null {
  const id = state.open?.approvalId;
  return waiting(state).find(({ request }) => request.approvalId === id) ?? null;
}

/** Whether the person is at something in the card: words for the agent, a rule, or a choice. */
export function isWriting({ open }: State): boolean {
  return open !== null && (open.words !== null || open.step !== null || open.choosing !== null);
}

/** Whether something is asked for already. */
export function isAsking(state: State, is: (purpose: Purpose) => boolean): boolean {
  return Object.values(state.asked).some(is);
}

/** A value without one of its keys. */
export function without<T>(record: { readonly [key: string]: T }, key: string): { readonly [key: string]: T } {
  return Object.fromEntries(Object.entries(record).filter(([each]) => each !== key));
}
