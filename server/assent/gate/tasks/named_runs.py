"""The runs of tasks that a command line names: `make a b`, `npm run x`.

Only plain forms count, since only of these is it sure which task runs, out of which file: known
words, no variable that steers, no flag but those listed here, no wrapper, and beside it nothing
that may change what the file says. Whatever else names a runner is told as not followed.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from assent.gate.programs.aliases import SECOND
from assent.gate.shell.script import Command, Script, Step
from assent.gate.text.lazy_patterns import late
from assent.gate.values import frozen

__all__ = ["KINDS", "MAX_TEXT_LETTERS", "TOO_LONG", "Run", "inner", "is_run_by_name", "runs_in"]

MAX_TEXT_LETTERS: Final = 4_000
"""In letters: a longer text of a task is not read."""
TOO_LONG: Final = "its length"

KINDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), "npm"),
    **dict.fromkeys(("make", "gmake"), "make"),
    "just": "just",
    "poe": "poe",
    "pdm": "pdm",
    "task": "taskipy",
    "hatch": "hatch",
}
"""What stands before the names of a runner's tasks."""
_OTHERS: Final = frozenset(
    "npx pnpx bunx run-s run-p npm-run-all npm-run-all2 concurrently"
    " turbo nx lerna lage wireit gulp grunt rake invoke tox nox".split()
)
_THROUGH: Final = frozenset({"npx", "pnpx", "bunx"})
"""They run a program of the project, unless a flag says more."""
_BESIDE: Final = frozenset(
    "cd echo printf pwd true false : ls cat head tail grep wc sort uniq sleep date".split()
)
"""What may stand beside a run: nothing that changes a file, or what a word means."""
_CHANGING: Final = frozenset(
    "git cp mv ln sed perl tee dd tar unzip patch rsync install curl wget cpio"
    " alias unalias hash enable source . set shopt trap pushd popd export".split()
)
"""What may not stand beside a run within a text: it changes files, or what words mean."""
_QUIET: Final[Mapping[str, frozenset[str]]] = {
    "npm": frozenset({"-s", "--silent"}),
    "make": frozenset("-s --silent --quiet -k --keep-going -j --no-print-directory --".split()),
}
"""The flags that change nothing of what runs."""
_JOBS: Final = late(r"-j[0-9]+|--jobs=[0-9]+")
_VERBS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), ("run",)),
    **dict.fromkeys(("pdm", "hatch"), ("run",)),
}
_ALONE: Final = {
    "npm": {"test": "test", "t": "test", "start": "start"},
    "pnpm": {"t": "test", "tst": "test"},
}
_OWN: Final = {
    "pnpm": frozenset(
        """access add adduser approve-builds audit bin bugs c cache cat-file cat-index ci clean
        completion config create dedupe deploy deprecate dist-tag dlx docs doctor edit env exec
        fetch find find-hash get global help home i ignored-builds import info init install
        install-completion install-test issues it la licenses link list ll ln login logout ls m
        multi npm-version outdated owner pack patch patch-commit patch-remove ping pkg prefix
        profile prune publish rb rebuild recursive remove repo restart rm root rt run run-script
        runtime s sbom se search self-update server set set-script setup show star stars store team
        token un undeprecate uninstall unlink unpublish unstar up update upgrade v version view
        whoami why x xmas""".split()
    ),
    "yarn": frozenset(
        """access add audit autoclean bin cache check config constraints create dedupe dlx env exec
        explain fetch generate-lock-entry generateLockEntry global help i import info init install
        licenses link list login logout node npm outdated owner pack patch patch-commit plugin
        policies prune publish rebuild remove rm run search self-update set stage tag team unlink
        unplug up upgrade upgrade-interactive upgradeInteractive version versions why workspace
        workspaces""".split()
    ),
}
_NAME: Final = late(r"[A-Za-z0-9_@][\w:.@-]*", re.ASCII)
_TARGET: Final = late(r"[A-Za-z0-9_][\w-]*", re.ASCII)
_PIECE: Final = late(r"[\w.@-]+")


@frozen(kw_only=True)
class Run:
    """One call of a runner."""

    kind: str
    program: str
    names: tuple[str, ...]
    """Its tasks; none where it takes the first."""
    going: str = ""
    """The folder that it is sent to."""
    more: tuple[str, ...] = ()
    """The words that a script is given behind its own."""
    chains: tuple[tuple[Step, ...], ...] = ((),)
    """Where it may run, as its shell came there."""


@lru_cache(maxsize=2048)
def runs_in(text: str, shell: str = "bash", *, within: bool = False) -> tuple[tuple[Run, ...], str]:
    """The runs that a text says; and what in it runs a task, or may, in no plain form.

    What a text of a task does beside is the text's own, and is shown with it.
    """
    # Reading commands takes a parser, which nothing else needs.
    from assent.gate.programs.read_lines import read_script  # noqa: PLC0415

    script = read_script(text, shell)
    runs = [_run(command) for command in script.commands if command.program in KINDS]
    doubt = next((run for run in runs if isinstance(run, str)), "") or _doubt(
        script, has_runs=bool(runs), within=within
    )
    return tuple(run for run in runs if isinstance(run, Run)), doubt


def inner(text: str, kind: str) -> tuple[tuple[str, ...], str]:
    """The tasks of the same file that a text of a task runs; and what of it is not followed."""
    if len(text) > MAX_TEXT_LETTERS:
        return (), TOO_LONG
    names, left = list[str](), ""
    # A recipe gives each line to a shell of its own.
    for part in text.split("\n") if kind in {"make", "just"} else [text]:
        runs, doubt = runs_in(part, within=True)
        left = left or doubt
        for run in runs:
            if run.kind != kind or run.going or run.more or run.chains != ((),) or not run.names:
                left = left or run.program
            else:
                names += run.names
    return tuple(names), left


def _doubt(script: Script, *, has_runs: bool, within: bool) -> str:
    """What keeps it from being sure that the runs which were found are all that it does."""
    if script.opaque:
        return script.text[script.opaque[0].start : script.opaque[0].end][:20] or "$"
    beside = [command for command in script.commands if command.program not in KINDS]
    hidden = next(filter(None, map(_hidden, beside)), "")
    return hidden or (_steering(script, beside, within=within) if has_runs else "")


def _hidden(command: Command) -> str:
    """What of another command may be a runner, whether it stands there as a program or not."""
    if command.argv and not command.name:
        return command.argv[0].text
    words = [word.text for word in command.argv[1:]]
    if command.program in _THROUGH:
        if words[:1] and words[0].startswith("-"):
            return words[0]
    elif command.program in _OTHERS:
        return command.program
    if command.program == "node" and (run := [word for word in words if word.startswith("--run")]):
        return run[0]
    if command.program in _BESIDE:
        return ""
    pieces = (piece for word in words for piece in _PIECE.findall(word))
    return next((piece for piece in pieces if piece in KINDS or piece in _OTHERS), "")


def _steering(script: Script, beside: list[Command], *, within: bool) -> str:
    from assent.gate.programs.variables import is_harmless  # noqa: PLC0415

    sets = {
        *script.sets,
        *(set_.name for command in script.commands for set_ in command.assignments),
    }
    steers = next((name for name in sorted(sets) if not is_harmless(name)), "")
    other = (
        command.name for command in beside if command.argv and not _stays(command, within=within)
    )
    written = (
        to.operator + to.target.text
        for command in script.commands
        for to in command.redirects
        if to.writes and to.target.text != "/dev/null"
    )
    return steers or next(other, "") or next(written, "")


def _stays(command: Command, *, within: bool) -> bool:
    return command.name not in _CHANGING if within else command.name in _BESIDE


def _run(command: Command) -> Run | str:
    """The run that a command is; what of it is in no plain form otherwise."""
    # In a substitution, behind a wrapper, or a function of that name.
    if command.depth or command.carried or command.wraps or command.name != command.program:
        return command.name
    if command.folders is None:
        return "cd"
    for word in command.argv[1:]:
        if not word.known or word.glob or word.home:
            return word.text
    words = [word.text for word in command.argv[1:]]
    kind = KINDS[command.program]
    parts = _made(words) if kind == "make" else _named(command.program, words)
    if isinstance(parts, str):
        return parts
    names, going, more = parts
    return Run(
        kind=kind,
        program=command.program,
        names=names,
        going=going,
        more=more,
        chains=command.folders,
    )


_Parts = tuple[tuple[str, ...], str, tuple[str, ...]]


def _made(words: list[str]) -> _Parts | str:
    """Its targets, and the folder that it is sent to."""
    names, going = list[str](), ""
    left = iter(enumerate(words))
    for at, word in left:
        if word == "-C" and not going and words[at + 1 : at + 2]:
            going = next(left)[1]
        elif word in _QUIET["make"] or _JOBS.fullmatch(word):
            # A number behind the flag is its own.
            if word == "-j" and words[at + 1 : at + 2] and words[at + 1].isdecimal():
                next(left)
        elif _TARGET.fullmatch(word):
            names.append(word)
        else:
            return word
    return tuple(names), going, ()


def _named(program: str, words: list[str]) -> _Parts | str:
    """The one task that a runner is told to run, and what that is given."""
    bar = words.index("--") if program == "npm" and "--" in words else len(words)
    # The others hand a flag behind the name on.
    quiet = _QUIET["npm"] if program == "npm" else frozenset[str]()
    plain = [word for word in words[:bar] if word not in quiet]
    verbs = _VERBS.get(program, ())
    if verbs and plain[:1] and SECOND.get(program, {}).get(plain[0], plain[0]) in verbs:
        plain = plain[1:]
    elif verbs:
        plain = [_script(program, plain[0])] if len(plain) == 1 else ["-"]
    if len(plain) == 1 and _NAME.fullmatch(plain[0]):
        return (plain[0],), "", tuple(words[bar + 1 :])
    return " ".join([program, *words[:2]])


def is_run_by_name(manager: str, name: str) -> bool:
    """Whether a manager of packages surely runs a script whose name alone it is told.

    >>> [is_run_by_name(*it.split()) for it in ("npm test", "npm build", "yarn build", "yarn add")]
    [True, False, True, False]
    """
    return _script(manager, name) == name


def _script(program: str, word: str) -> str:
    """The script that a word runs without `run`, if that is sure."""
    return _ALONE.get(program, {}).get(word, word if word not in _OWN.get(program, {word}) else "-")
