/**
 * Whether a command can be drawn by its parts, and whether these can be looked at in another order.
 *
 * They can where each of them means the same alone: nothing is fed to one by another or by a
 * document, no folder or variable is changed on the way, and no loop or branch is around them.
 * Whatever is not known to be so counts as not so.
 */

import type { ShellBody, ShellPart } from "../../shared/protocol";
import { exact } from "./folds";

/** What changes the shell itself, or runs another word as its own command. */
const OF_THE_SHELL: ReadonlySet<string> = new Set(
  (
    ". alias bind break builtin case cd chdir command complete continue coproc declare dirs disown do done elif else " +
    "enable env esac eval exec exit export fc fg fi for function getopts hash if let local logout mapfile nocorrect noglob " +
    "popd pushd read readarray readonly return select set setopt shift shopt source suspend then time times trap typeset " +
    "ulimit umask unalias unset unsetopt until wait while z"
  ).split(" "),
);

/** Whether the command can be drawn by its parts without losing or adding a character. */
export function hasParts({ readable, parts, tail, command }: ShellBody): boolean {
  const joined = parts.map(({ operator, text }) => operator + exact(text)).join("");
  return readable && parts.length > 0 && joined + tail === exact(command);
}

/** Whether each command stands for itself. */
export function standAlone({ parts, tail }: ShellBody): boolean {
  return (
    tail.trim() === "" &&
    parts.every(isJoinedPlainly) &&
    parts.every(isPlain) &&
    !parts.some((each, at) => isLedUpTo(each, parts.slice(0, at)))
  );
}

/** Whether nothing but the order is said between a part and the one before. */
function isJoinedPlainly({ operator }: ShellPart, at: number): boolean {
  return at === 0 ? operator.trim() === "" : /^(?:\s*(?:&&|;)\s*|[ \t]*\n\s*)$/u.test(operator);
}

/** Whether a part is a program with words: no redirect, no variable, nothing of the shell itself. */
function isPlain(what: ShellPart): boolean {
  const text = exact(what.text);
  return /^[\w./-]+(?:\s|$)/u.test(text) && !/[<>|&$`(){};=!\\#]/u.test(text) && !OF_THE_SHELL.has(programOf(what));
}

/** Whether the same program is run before, which may have said where, or on what, this one works. */
function isLedUpTo(what: ShellPart, before: readonly ShellPart[]): boolean {
  return what.grave && before.some((each) => !each.grave && programOf(each) === programOf(what));
}

function programOf({ text }: ShellPart): string {
  return /^\S*/u.exec(exact(text))?.[0] ?? "";
}
