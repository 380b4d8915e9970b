/**
 * Which file a program's name stands for: PATH, walked by ourselves, by what each entry leads to.
 *
 * A program that the workspace could have put there is passed over, in Restricted Mode too: one in
 * a folder of the workspace, one that links lead to from there or into there, one in a folder where
 * anybody may write, one that is another wherever it is looked for.
 */

import { accessSync, closeSync, constants, openSync, readlinkSync, readSync, realpathSync, statSync, type BigIntStats } from "node:fs";
import { delimiter, dirname, isAbsolute, join, normalize, parse, resolve, sep } from "node:path";

/** Where programs are looked for, and what is not looked into. */
export interface Search {
  /** The variable PATH. */
  readonly path: string;
  /** The workspace's folders. */
  readonly folders: readonly string[];
}

const MAX_LINKS = 40;
const WRITABLE_BY_ALL = 0o002n;
const STICKY = 0o1000n;
const FIRST_LINE_BYTES = 256;

/** Every program of that name outside the workspace, in the order of PATH, each once. */
export function programsOf(name: string, search: Search): readonly string[] {
  if (name === "" || name !== parse(name).base || name === "..") {
    return [];
  }
  const names = process.platform === "win32" ? [`${name}.exe`, name] : [name];
  const found = search.path
    .split(delimiter)
    .filter(isAbsolute)
    .flatMap((folder) => names.map((one) => join(folder, one)))
    .filter((path) => isProgram(path) && !isDoubted(path, search.folders));
  const once = new Map([...found].reverse().map((path) => [realpathSync(path), path]));
  return [...once.values()].reverse();
}

/** Whether the workspace, or anybody, could have put there what lies at an absolute path. */
export function isDoubted(path: string, folders: readonly string[]): boolean {
  const spots = isAbsolute(path) ? waysOf(path) : null;
  return spots === null || spots.some((spot) => isInside(spot, folders)) || isOpenToAll(path, spots);
}

/** Whether a path lies in one of these folders, however each is spelled. */
export function isInside(path: string, folders: readonly string[]): boolean {
  const tops = folders.filter((folder) => dirname(folder) !== folder);
  const texts = new Set(tops.flatMap((folder) => [normalize(folder), real(folder)]).map(bare));
  const there = new Set(tops.map(identity).filter((one) => one !== null));
  return above(path).some((at) => {
    const here = identity(at);
    return texts.has(bare(at)) || (here !== null && there.has(here));
  });
}

/**
 * The words that start a program: a script that leaves it to `env` which program reads it is given
 * to one outside the workspace. Null where there is none.
 */
export function startOf(program: string, search: Search): readonly string[] | null {
  const named = /^#!\s*\S*\/env(?:\s+-S)?\s+([^\s=-][^\s=]*)((?:\s+\S+)*)\s*$/u.exec(firstLine(program));
  if (named === null) {
    return /^#!\s*\S*\/env\s/u.test(firstLine(program)) ? null : [program];
  }
  const [, name = "", flags = ""] = named;
  const [reader] = isAbsolute(name) ? [name] : programsOf(name, search);
  return reader === undefined ? null : [reader, ...flags.split(/\s+/u).filter(Boolean), program];
}

/** PATH without the folders of which a program would be passed over. */
export function pathOutside(search: Search): string {
  const kept = (folder: string): boolean => isAbsolute(folder) && !isDoubted(folder, search.folders);
  return search.path.split(delimiter).filter(kept).join(delimiter);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The path itself and each path by which links lead on; null where that cannot be told. */
function waysOf(path: string): readonly string[] | null {
  const found = [path];
  const root = parse(path).root;
  let at = root;
  let rest = path.slice(root.length).split(sep);
  while (rest.length > 0) {
    const [name = "", ...more] = rest;
    rest = more;
    if (name === "" || name === ".") {
      continue;
    }
    const inner = name === ".." ? dirname(at) : join(at, name);
    const led = name === ".." ? null : linkAt(inner);
    if (led === null) {
      at = inner;
      continue;
    }
    if (found.length > MAX_LINKS) {
      return null;
    }
    const base = isAbsolute(led) ? parse(led).root : at;
    rest = [...led.slice(isAbsolute(led) ? base.length : 0).split(sep), ...rest];
    at = base;
    found.push(resolve(at, ...rest.filter(Boolean)));
  }
  return [...found, at];
}

function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** Whether anybody may change a program, or put another into its place. */
function isOpenToAll(path: string, spots: readonly string[]): boolean {
  if (process.platform === "win32") {
    // What may be written there is not told by a mode.
    return false;
  }
  const open = (at: string, besides: bigint): boolean => {
    const mode = look(at)?.mode ?? 0n;
    return (mode & WRITABLE_BY_ALL) !== 0n && (mode & besides) === 0n;
  };
  const folders = spots.map(dirname);
  return open(path, 0n) || folders.some((folder) => open(folder, 0n) || above(folder).some((at) => open(at, STICKY)));
}

/** A path and all folders above it. */
function above(path: string): readonly string[] {
  const found = [normalize(path)];
  for (let at = normalize(path); dirname(at) !== at; at = dirname(at)) {
    found.push(dirname(at));
  }
  return found;
}

function identity(path: string): string | null {
  const found = look(path);
  return found === null ? null : `${found.dev}:${found.ino}`;
}

function look(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return null;
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return normalize(path);
  }
}

function bare(path: string): string {
  return path.endsWith(sep) ? path.slice(0, -1) : path;
}

function firstLine(path: string): string {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const bytes = Buffer.alloc(FIRST_LINE_BYTES);
    const count = readSync(file, bytes, 0, FIRST_LINE_BYTES, 0);
    return bytes.toString("utf8", 0, count).split("\n")[0] ?? "";
  } catch {
    return "";
  } finally {
    if (file !== undefined) {
      closeSync(file);
    }
  }
}
