/**
 * Keeps a server running, and says what happened when one did not.
 *
 * There is at most one server. What an older one still says is not heard, and a server that
 * keeps dying is left alone until a person says otherwise.
 */

import { many, t } from "../../shared/l10n";
import type { MethodName } from "../../shared/protocol";
import type { Request } from "./bridge";

/** What a living server is to the rest of the extension. */
export interface Link {
  readonly request: Request;
  readonly configurationChanged: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Where a link puts what it hears. */
export interface Ears {
  readonly heard: (method: MethodName, params: unknown) => void;
  /** The process is gone without having been told to. */
  readonly ended: (how: string) => void;
}

export type State = "starting" | "ready" | "restarting" | "dead";

/** What the supervisor needs from outside. */
export interface Wiring {
  /** Start a server and shake hands. Rejects with a sentence for the person. */
  readonly open: (ears: Ears) => Promise<Link>;
  readonly heard: (method: MethodName, params: unknown) => void;
  readonly changed: (state: State, text: string) => void;
  /** How many tickets were open until now. */
  readonly openTickets: () => number;
  /** Tell the person; `grave` where nothing works until they act. */
  readonly tell: (grave: boolean, message: string, failure: Error | null) => void;
  readonly now: () => number;
}

/** The server speaks another version of the protocol. */
export class DifferentVersions extends Error {
  override readonly name = "DifferentVersions";

  constructor() {
    super(t("The extension and its server are of different versions; reload the window."));
  }
}

export const MAX_RESTARTS = 3;
export const RESTARTS_WINDOW_MS = 3 * 60_000;

const STARTING = t("Assent's server is starting.");

export class Server {
  readonly #wiring: Wiring;
  #link: Link | null = null;
  #state: State = "dead";
  #text = t("Assent's server does not run.");
  /** Counts starts, so that what an older server still says is not heard. */
  #life = 0;
  #restarts: readonly number[] = [];

  constructor(wiring: Wiring) {
    this.#wiring = wiring;
  }

  get state(): State {
    return this.#state;
  }

  get text(): string {
    return this.#text;
  }

  /** Ask the server; rejects with a sentence while there is none. */
  async request(method: MethodName, params: unknown): Promise<unknown> {
    if (this.#link === null) {
      throw new Error(this.#text);
    }
    return this.#link.request(method, params);
  }

  /** The settings, or the trust in the workspace, may be others now. */
  async configurationChanged(): Promise<void> {
    try {
      await this.#link?.configurationChanged();
    } catch {
      // It is just ending. The next one reads the settings when it starts.
    }
  }

  async start(): Promise<void> {
    await this.#open("starting", STARTING);
  }

  /** At the person's wish: earlier deaths do not count any more. */
  async restart(): Promise<void> {
    this.#restarts = [];
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    this.#life += 1;
    const link = this.#link;
    this.#link = null;
    this.#set("dead", t("Assent's server was stopped."));
    await link?.stop();
  }

  /** True where a server is ready after it. */
  async #open(state: State, text: string): Promise<boolean> {
    this.#life += 1;
    const life = this.#life;
    this.#set(state, text);
    try {
      const link = await this.#wiring.open(this.#earsOf(life));
      if (life !== this.#life) {
        await link.stop();
        return false;
      }
      this.#link = link;
      this.#set("ready", "");
      return true;
    } catch (error) {
      if (life === this.#life) {
        this.#failed(error);
      }
      return false;
    }
  }

  #earsOf(life: number): Ears {
    return {
      heard: (method, params) => {
        if (life === this.#life) {
          this.#wiring.heard(method, params);
        }
      },
      ended: () => {
        if (life === this.#life) {
          void this.#revive();
        }
      },
    };
  }

  async #revive(): Promise<void> {
    this.#link = null;
    const what = lossOf(this.#wiring.openTickets());
    const now = this.#wiring.now();
    this.#restarts = this.#restarts.filter((at) => now - at < RESTARTS_WINDOW_MS);
    if (this.#restarts.length >= MAX_RESTARTS) {
      const often = `${what} ${t("That was {0} times within 3 minutes, so it was not started again. Until it runs, agents can do nothing.", MAX_RESTARTS + 1)}`;
      this.#set("dead", often);
      this.#wiring.tell(true, often, null);
      return;
    }
    this.#restarts = [...this.#restarts, now];
    if (await this.#open("restarting", `${what} ${t("It is being started again.")}`)) {
      this.#wiring.tell(false, `${what} ${t("It was started again.")}`, null);
    }
  }

  #failed(error: unknown): void {
    const failure = error instanceof Error ? error : new Error(String(error));
    const known = failure instanceof DifferentVersions || failure.name === "NothingToStart";
    const text = known ? failure.message : t("Assent's server could not be started. {0}", failure.message);
    this.#set("dead", text);
    this.#wiring.tell(true, text, failure);
  }

  #set(state: State, text: string): void {
    this.#state = state;
    this.#text = text;
    this.#wiring.changed(state, text);
  }
}

function lossOf(openTickets: number): string {
  if (openTickets === 0) {
    return t("Assent's server stopped.");
  }
  return many(
    openTickets,
    "Assent's server stopped; 1 open card was refused, nothing of it ran.",
    "Assent's server stopped; {0} open cards were refused, nothing of them ran.",
  );
}
