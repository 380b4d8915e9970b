/**
 * Finds the Python that runs the server.
 *
 * A candidate counts only after it was run and told its version, and is run only where it lies
 * outside the workspace. One that the person named is used or refused, never passed over in silence.
 */

import { execFile } from "node:child_process";
import { isAbsolute } from "node:path";
import { t } from "../../shared/l10n";
import { environmentFor } from "./environment";
import { isDoubted } from "./programs";

/** A way to start a Python that may or may not be there. */
export interface Candidate {
  readonly command: string;
  readonly args: readonly string[];
  /** Whose choice it is, for the messages. */
  readonly source: string;
}

/** What a candidate says of itself. */
export interface Version {
  readonly implementation: string;
  readonly major: number;
  readonly minor: number;
  /** Built without the global lock, which needs other compiled modules than we carry. */
  readonly freeThreaded: boolean;
  /** Where it lies, by its own word. */
  readonly executable: string;
  /** From where it loads what it is made of. */
  readonly parts: readonly string[];
}

/** A candidate, and why it will not do. */
export interface Refused {
  readonly candidate: Candidate;
  readonly because: string;
}

export type Found =
  | { readonly kind: "found"; readonly candidate: Candidate; readonly version: Version }
  | { readonly kind: "none"; readonly refused: readonly Refused[] };

/** Runs a candidate; null where it cannot be run. */
export type Probe = (candidate: Candidate) => Promise<Version | null>;

/** Whether what lies at a path may be the gate, where a person named it or nobody did. */
export type MayRun = (path: string, named: boolean) => boolean;

/** What people and other extensions say about which Python to use. */
export interface Wishes {
  /** The setting `assent.interpreter`. */
  readonly setting: string;
  /** What the Python extension has selected, if it is there. */
  readonly selected: string | null;
  readonly platform: NodeJS.Platform;
  /** The programs of a name that may run the gate, in the order of PATH. */
  readonly onPath: (name: string) => readonly string[];
}

export const OLDEST_MINOR = 11;
export const NEWEST_MINOR = 14;

const SETTING = t("the setting `assent.interpreter`");
const PROBE_TIMEOUT_MS = 10_000;
const QUESTION = [
  "import sys",
  "print(sys.implementation.name, *sys.version_info[:2], 't' in getattr(sys, 'abiflags', ''))",
  "print(sys.executable, *{sys.base_prefix, sys.base_exec_prefix, *sys.path}, sep='\\n')",
].join("\n");

/** Where to look, in order. */
export function candidates(wishes: Wishes): readonly Candidate[] {
  const { setting, selected, platform } = wishes;
  const onPath = (name: string, ...args: string[]): readonly Candidate[] =>
    wishes.onPath(name).map((command) => ({ command, args, source: t("the path") }));
  if (setting !== "") {
    const [command = setting] = wishes.onPath(setting);
    return [{ command, args: [], source: SETTING }];
  }
  const minors = Array.from({ length: NEWEST_MINOR - OLDEST_MINOR + 1 }, (_, i) => NEWEST_MINOR - i);
  const named = ["python3", ...minors.map((minor) => `python3.${minor}`)].flatMap((name) => onPath(name));
  return [
    ...(selected === null ? [] : [{ command: selected, args: [], source: t("the Python extension's choice") }]),
    ...(platform === "win32" ? [...onPath("py", "-3"), ...named, ...onPath("python")] : named),
  ];
}

/** The first candidate that will do, or why none does. */
export async function findPython(tried: readonly Candidate[], mayRun: MayRun, probe: Probe = run): Promise<Found> {
  const refused: Refused[] = [];
  for (const candidate of tried) {
    const named = candidate.source === SETTING;
    const may = (path: string): boolean => mayRun(path, named);
    // What may not be the gate is not run to ask what it is, either.
    const version = may(candidate.command) ? await probe(candidate) : undefined;
    if (version === undefined || !madeOf(version).every(may)) {
      refused.push({ candidate, because: isAbsolute(candidate.command) ? INSIDE : MISSING });
      continue;
    }
    const because = objection(version);
    if (version !== null && because === null) {
      return { kind: "found", candidate, version };
    }
    refused.push({ candidate, because: because ?? "" });
  }
  return { kind: "none", refused };
}

/** Why no Python was found, in sentences for a person. */
export function complaint(refused: readonly Refused[]): string {
  const needs = t("Assent's server needs Python 3.{0} to 3.{1}.", OLDEST_MINOR, NEWEST_MINOR);
  const named = refused.find(({ candidate }) => candidate.source === SETTING);
  if (named !== undefined) {
    return `${needs} ${t("{0}, from {1}, {2}.", named.candidate.command, SETTING, named.because)}`;
  }
  const near = refused.filter(({ because }) => because !== MISSING);
  if (near.length === 0) {
    return `${needs} ${t("There is none on this machine's path outside of this workspace; the setting `assent.interpreter` may name one.")}`;
  }
  return `${needs} ${near.map(({ candidate, because }) => `${candidate.command} ${because}.`).join(" ")}`;
}

/**
 * Whether another extension's choice may run the gate.
 *
 * A Python that lies in the workspace could be changed by an agent that may write there, and
 * then it would be that agent's gate.
 */
export function mayRunTheGate(path: string, trusted: boolean, folders: readonly string[]): boolean {
  return trusted && !isDoubted(path, folders);
}

const MISSING = t("cannot be run");
const INSIDE = t("lies in this workspace, or where anybody may write, so that it could be changed");

/** All that makes a Python what it is, which a link or a venv may have elsewhere. */
function madeOf(version: Version | null): readonly string[] {
  return version === null ? [] : [version.executable, ...version.parts];
}

function objection(version: Version | null): string | null {
  if (version === null) {
    return MISSING;
  }
  const { implementation, major, minor, freeThreaded } = version;
  if (implementation !== "cpython") {
    return t("is {0}, not CPython", implementation);
  }
  if (major !== 3 || minor < OLDEST_MINOR) {
    return t("is Python {0}.{1}, which is too old", major, minor);
  }
  if (minor > NEWEST_MINOR) {
    return t("is Python {0}.{1}, which this version of Assent does not know yet", major, minor);
  }
  return freeThreaded ? t("is a free-threaded Python {0}.{1}", major, minor) : null;
}

/** Run it and hear what it is. Nothing of the environment or of a user's packages has a say. */
export function run(candidate: Candidate, path = process.env["PATH"] ?? ""): Promise<Version | null> {
  const args = [...candidate.args, "-I", "-S", "-c", QUESTION];
  // It may be a script that looks for others by their names.
  const env = { ...environmentFor(process.env), PATH: path };
  const options = { timeout: PROBE_TIMEOUT_MS, cwd: __dirname, env, windowsHide: true };
  return new Promise((resolve) => {
    execFile(candidate.command, args, options, (error, said) => {
      resolve(error === null ? readVersion(said) : null);
    });
  });
}

function readVersion(said: string): Version | null {
  const read = /^(\w+) (\d+) (\d+) (True|False)\n([^]+)$/u.exec(said.trim().replaceAll("\r\n", "\n"));
  if (read === null) {
    return null;
  }
  const [, implementation = "", major, minor, freeThreaded, places = ""] = read;
  const [executable = "", ...parts] = places.split("\n");
  return {
    implementation,
    major: Number(major),
    minor: Number(minor),
    freeThreaded: freeThreaded === "True",
    executable,
    parts: parts.filter(isAbsolute),
  };
}
