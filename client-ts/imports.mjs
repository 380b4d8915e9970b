/**
 * Checks who imports whom in `src`: `node imports.mjs`, or with another folder behind it.
 *
 * The extension and the webview import nothing of each other, and `shared` imports neither. No
 * files, and no folders, import each other in a circle; an import of types counts as any other.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

const ROOT = process.argv[2] ?? join(import.meta.dirname, "src");

const paths = readdirSync(ROOT, { recursive: true }).map((path) => path.replaceAll("\\", "/"));
const files = new Map(paths.filter((path) => path.endsWith(".ts")).map((path) => [path, importsOf(path)]));
const faults = [...crossings(files), ...circle("Files", files), ...circle("Folders", foldersOf(files))];
for (const fault of faults) console.error(fault);
process.exit(faults.length === 0 ? 0 : 1);

/** The files that a file imports, by their paths below the root. */
function importsOf(path) {
  const named = readFileSync(join(ROOT, path), "utf8").matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]*)"/gu);
  const imported = [...named].map(([, name]) => `${posix.join(dirname(path), name)}.ts`);
  return new Set(imported.filter((name) => existsSync(join(ROOT, name))));
}

/** Whoever imports what it must not know. */
function crossings(graph) {
  const half = (path) => path.split("/")[0];
  const isForbidden = (from, to) => half(to) !== "shared" && half(to) !== half(from);
  return [...graph].flatMap(([from, all]) =>
    [...all].filter((to) => isForbidden(from, to)).map((to) => `${from} imports ${to}: move what both need to shared/.`),
  );
}

/** The folders, with the other folders that their files import. */
function foldersOf(graph) {
  const folders = new Map([...graph.keys()].map((path) => [dirname(path), new Set()]));
  for (const [from, all] of graph) for (const to of all) if (dirname(to) !== dirname(from)) folders.get(dirname(from)).add(dirname(to));
  return folders;
}

/** A circle, as a sentence; nothing where there is none. */
function circle(what, graph) {
  const done = new Set();
  const way = [];
  const found = (node) => {
    if (way.includes(node)) return [...way.slice(way.indexOf(node)), node];
    if (done.has(node)) return null;
    way.push(node);
    for (const next of graph.get(node)) {
      const round = found(next);
      if (round !== null) return round;
    }
    done.add(way.pop());
    return null;
  };
  for (const node of graph.keys()) {
    const round = found(node);
    if (round !== null) return [`${what} import each other in a circle: ${round.join(" → ")}.`];
  }
  return [];
}
