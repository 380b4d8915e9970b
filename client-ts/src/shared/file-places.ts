/**
 * Places in files, as answers and outputs name them: `src/a.py`, `src/a.py:3`, `/x/a.py:3:7`.
 *
 * A name alone counts where it ends as files of code do, so that `os.path` and `example.com:443` do not.
 */

/** Where a name leads: lines and columns are counted from 1. */
export interface FilePlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

const NAME = String.raw`[\w.@+-]+`;
const LETTERS = String.raw`[A-Za-z]\w{0,7}`;
const CODE = String.raw`\w[\w.@+-]*\.(?:[chm]|cc|cpp|cs|css|go|html|ini|java|js|json|jsx|kt|md|php|py|rb|rs|sh|sql|swift|toml|tsx?|txt|vue|xml|ya?ml)`;
/** A path, as a part of an expression. */
export const PATH = String.raw`\/?(?:${NAME}\/)+${NAME}\.${LETTERS}|${CODE}`;
const WHERE = String.raw`(?::(\d{1,7}))?(?::(\d{1,7}))?`;

const PLACE = new RegExp(`^(${PATH})${WHERE}$`, "u");

/** The place that a text names; null if it names none, or leads upwards by `..`. */
export function placeOf(text: string): FilePlace | null {
  const [, path, line = "1", column = "1"] = PLACE.exec(text) ?? [];
  if (path === undefined || path.split("/").includes("..")) return null;
  return { path, line: Math.max(1, Number(line)), column: Math.max(1, Number(column)) };
}
