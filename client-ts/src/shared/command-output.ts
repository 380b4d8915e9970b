/** What both halves say of commands and of what they print. */

import { t } from "./l10n";
import type { ShellInfo } from "./protocol";

/** What a command printed, without the codes that colour it. */
export function uncoloured(output: string): string {
  return output.replace(/\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/gu, "");
}

/** How a shell stands. */
export function stateOf({ state, code }: ShellInfo): string {
  switch (state) {
    case "running":
      return t("running");
    case "exited":
      return code === null ? t("ended by a signal") : t("ended with exit code {0}", code);
    case "killed":
      return t("killed");
    case "expired":
      return t("took too long");
  }
}

/** What stands before a line that came on standard error, where there is nothing to draw it with. */
export const MARK = "2> ";

/** A stretch of lines that all came on the same output. */
export interface Stretch {
  readonly text: string;
  readonly isError: boolean;
}

/** A text by its outputs; `errors` are pairs of a first line and the one behind the last. */
export function stretchesOf(text: string, errors: readonly number[]): readonly Stretch[] {
  const isError = new Set<number>();
  for (let at = 0; at + 1 < errors.length; at += 2) {
    for (let line = errors[at] ?? 0; line < (errors[at + 1] ?? 0); line += 1) isError.add(line);
  }
  if (isError.size === 0) return [{ text, isError: false }];
  const found: { text: string; isError: boolean }[] = [];
  for (const [number, line] of text.split(/(?<=\n)/u).entries()) {
    const last = found.at(-1);
    if (last !== undefined && last.isError === isError.has(number)) last.text += line;
    else found.push({ text: line, isError: isError.has(number) });
  }
  return found;
}

/** The end of a text, with the numbers of its error lines as they are there. */
export function endOf(text: string, errors: readonly number[], most: number): readonly [string, readonly number[]] {
  if (text.length <= most) return [text, errors];
  const left = text.slice(0, -most).split("\n").length - 1;
  return [text.slice(-most), errors.map((line) => Math.max(0, line - left))];
}

/** The same as one text, each error line behind its mark. */
export function marked(text: string, errors: readonly number[]): string {
  const mark = ({ text: part, isError }: Stretch): string =>
    isError
      ? part
          .split(/(?<=\n)/u)
          .map((line) => MARK + line)
          .join("")
      : part;
  return stretchesOf(text, errors).map(mark).join("");
}

/** What was read so far, with the next stretch behind it; one that goes on in a line stays in it. */
export function joined(before: string, text: string, errors: readonly number[]): string {
  const more = marked(text, errors);
  if (before === "" || before.endsWith("\n") || text === "") return before + more;
  const was = before.slice(before.lastIndexOf("\n") + 1).startsWith(MARK);
  const is = errors[0] === 0;
  if (was !== is) return `${before}\n${more}`;
  return before + (is ? more.slice(MARK.length) : more);
}
