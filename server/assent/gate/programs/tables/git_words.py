"""Git: its own flags, then a command of one or two words that has a row."""

from collections.abc import Iterable
from typing import Final

from assent.gate.programs.deeds import Deeds, Kind, Touch, touched
from assent.gate.programs.options import Sorted, sort_words
from assent.gate.programs.outcome import HERE, deeds_of, operand_touches, paths_of
from assent.gate.programs.rows import Row
from assent.gate.programs.tables import git_by_name, of_git
from assent.gate.programs.tables.git_change_words import CHANGING, stored
from assent.gate.programs.tables.git_itself import HARMLESS_KEYS, HARMLESS_SECTIONS
from assent.gate.programs.tables.git_paths import (
    SHOWN,
    is_from_top,
    is_pattern,
    is_range,
    pathspec,
    revision,
    shown,
    to_the_letter,
    unless_left_out,
)
from assent.gate.shell.anchored_paths import InFolder, under
from assent.gate.shell.word import Word
from assent.gate.shell.word_sets import Hash, Revision
from assent.gate.values import evolve

__all__ = ["from_top", "use_git"]

_CONFIG_GETS: Final = (
    "--get --get-all --get-regexp --get-urlmatch -l --list --get-color --get-colorbool"
)
_CONFIG_SETS: Final = "--add --replace-all --unset --unset-all --rename-section --remove-section"
_RUNS_GPG: Final = ("%G", "%+G", "%-G", "% G", "%(signature")
_SHOWS_INSIDE: Final = frozenset({"log", "short"})
"""Forms of `--submodule` that start no git inside the submodule."""
_SHOWING: Final = frozenset({"diff", "show", "range-diff"})
"""What shows lines of files unless it is told to sum up."""
_SUMS: Final = (
    "--stat --shortstat --numstat --name-only --name-status --summary --dirstat --cumulative"
    " --compact-summary --raw -s --no-patch -q --quiet"
)
_PATCHES: Final = (
    "-p -u -U -W --patch --unified --function-context --cc -c --patch-with-stat"
    " --patch-with-raw --binary --word-diff --word-diff-regex --color-words"
)
"""Flags by which the others do so, too."""
_PATHS_FIRST: Final = frozenset({"blame", "archive"})
"""Where a word may be a path although a revision is called so, too."""


def use_git(row: Row, itself: Sorted) -> Deeds:
    """What git does with these words.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_git(*row_and_sorted("git diff --stat")))
    only reads
    >>> print(use_git(*row_and_sorted("git -C lib checkout -- a.py")))
    look lib, write lib/a.py/**
    >>> print(use_git(*row_and_sorted("git -c core.pager=./p log")))
    -c core.pager can run a program
    """
    if not itself.operands:
        return deeds_of(row, itself, (), safe=False)
    escapes = [why for why in itself.escapes if not why.startswith("-c ")]
    escapes += [
        f"-c {value.text.partition('=')[0]} can run a program"
        for flag, value in itself.values
        if flag == "-c" and not _is_harmless(value)
    ]
    itself.escapes = []
    if itself.has("--literal-pathspecs"):
        itself.operands = [to_the_letter(operand) for operand in itself.operands]
    deeds = _command(itself)
    folders = itself.of("-C")
    # The path of the folder that git was started in leads there from wherever it went before.
    anew = max((at for at, word in enumerate(folders) if isinstance(word, InFolder)), default=0)
    folders = folders[anew:]
    touched = [*deeds.touches, *([] if deeds.reading else _worked_in(itself))]
    touches = tuple(_moved(_through(touch), folders) for touch in touched)
    if any("pathspecs" in it for it in itself.found):
        # What leaves something out may be the name of a file then.
        touches = tuple(evolve(touch, without=()) for touch in touches)
    if folders:
        # What is named from the top of the repository may be above the folder that git goes to.
        touches = (*touches, *from_top(itself.operands, deeds))
    strange = itself.strange or itself.loose
    return evolve(
        deeds,
        touches=(*itself.touches, *touches),
        escapes=(*escapes, *deeds.escapes),
        reading=deeds.reading and not (escapes or strange),
        known=deeds.known and not strange,
        git_from=(tuple(folders),),
    )


def _through(touch: Touch) -> Touch:
    """The touch, where git itself reads its word as a pattern."""
    pattern = touch.word.glob and touch.kind is not Kind.LOOK and is_pattern(touch.word.text)
    return evolve(touch, through=True) if pattern else touch


def from_top(words: Iterable[Word], deeds: Deeds) -> list[Touch]:
    """The touches of a command of git whose paths start at the top of the repository.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> row, sorted_ = row_and_sorted("git show HEAD:docs/a.md")
    >>> print(*from_top(sorted_.words, use_git(row, sorted_)))
    read docs/a.md
    """
    named = {path.text for word in words if is_from_top(word) if (path := revision(word))}
    return [touch for touch in deeds.touches if touch.word.text in named]


def _is_harmless(setting: Word) -> bool:
    key = setting.text.partition("=")[0].casefold()
    return setting.known and (key in HARMLESS_KEYS or key.startswith(HARMLESS_SECTIONS))


def _command(itself: Sorted) -> Deeds:
    name, words = of_git(itself.operands)
    row = git_by_name().get(name)
    return Deeds() if row is None else _used(row, words)


def _used(row: Row, words: tuple[Word, ...]) -> Deeds:
    sorted_ = sort_words(row, words)
    sorted_.escapes += [
        f"{flag} can run a program"
        for flag, value in sorted_.values
        if any(mark in value.text for mark in _RUNS_GPG)
    ]
    sorted_.escapes += [
        f"{flag} works in the submodules"
        for flag, value in sorted_.values
        if flag == "--submodule" and value.text not in _SHOWS_INSIDE
    ]
    usage = _USAGES.get(row.form)
    if usage is not None:
        return usage(row, sorted_)
    paths = [path for word in paths_of(row, sorted_) if (path := pathspec(word))]
    safe = row.max_read_operands is None or len(sorted_.operands) <= row.max_read_operands
    touches = operand_touches(row, sorted_, paths)
    if row.operands and row.operands.changes:
        touches += unless_left_out(row.operands, sorted_.operands)
    return deeds_of(row, sorted_, touches, safe=safe)


def _moved(touch: Touch, folders: list[Word]) -> Touch:
    """The touch as seen from where git was started, before it went to another folder."""
    if touch.instead and folders:
        touch = evolve(touch, instead=tuple(_below(word, folders) for word in touch.instead))
    word = _below(touch.word, folders)
    return touch if word is touch.word else evolve(touch, word=word)


def _below(word: Word, folders: list[Word]) -> Word:
    for folder in reversed(folders):
        if word.home or word.text.startswith("/"):
            break
        text = f"{folder.text.rstrip('/') or '/'}/{word.path}"
        word = under(folder, text, known=word.known, glob=word.glob)
    return word


def _revs(row: Row, sorted_: Sorted) -> Deeds:
    states = _states(row, sorted_)
    free = (
        [operand for operand in sorted_.operands if operand not in sorted_.marked] if states else []
    )
    operands = [
        operand
        for operand in sorted_.operands
        if not (operand in free and _is_any(operand, states))
    ]
    paths = [path for word in operands if (path := revision(word))]
    # `reflog` has commands of its own, and some of them forget.
    first = sorted_.operands[0].text if sorted_.operands else ""
    safe = not (row.names == "reflog" and first in {"expire", "delete", "drop", "write"})
    touches = operand_touches(row, sorted_, paths)
    if sorted_.has("--batch --batch-command --stdin") or (
        row.names == "archive" and len(paths) <= 1
    ):
        # What its input names, or all that is in the revision.
        touches.append(Touch(kind=Kind.READ, word=HERE, tree=True))
    if sorted_.has("--no-index"):
        touches = [evolve(touch, tree=True) for touch in touches]
    elif _shows(row, sorted_):
        whole = sorted_.has("--full-diff")
        touches += [SHOWN] if whole else shown(sorted_.marked, paths)
    return deeds_of(row, sorted_, touches, safe=safe)


def _shows(row: Row, sorted_: Sorted) -> bool:
    """Whether it shows what stands in files, and not in one of a revision alone."""
    name = row.names.partition(",")[0]
    shows = sorted_.has(_PATCHES) or (name in _SHOWING and not sorted_.has(_SUMS))
    return shows and not any(
        ":" in operand.text for operand in sorted_.operands if operand not in sorted_.marked
    )


def _is_any(word: Word, states: tuple[type[Word], ...]) -> bool:
    """Whether it is one of these kinds, or all that lies between two states."""
    return isinstance(word, states) or is_range(word)


def _states(row: Row, sorted_: Sorted) -> tuple[type[Word], ...]:
    """The kinds of words that are no paths: git takes none that is a file's name as well.

    Where it finds no repository, `git diff` compares two files of any name.
    """
    name = row.names.partition(",")[0]
    if sorted_.has("--no-index") or name in _PATHS_FIRST:
        return ()
    return (Hash,) if name == "diff" else (Revision,)


def _listing(row: Row, sorted_: Sorted) -> Deeds:
    limit = row.max_read_operands or 0
    lists = len(sorted_.operands) <= limit or (
        bool(row.no_pattern_flags) and sorted_.has(row.no_pattern_flags)
    )
    return deeds_of(row, sorted_, (), safe=lists)


def _grep(row: Row, sorted_: Sorted) -> Deeds:
    words = paths_of(row, sorted_)
    paths = [path for word in words if (path := revision(word))]
    touches = operand_touches(row, sorted_, paths)
    if paths and not any(word in sorted_.marked or word.glob for word in (*words, *paths)):
        # What is no file's name is a revision, and all that is in that is searched.
        unless = tuple(dict.fromkeys(paths))
        touches.append(Touch(kind=Kind.READ, word=HERE, tree=True, instead=unless))
    return deeds_of(row, sorted_, touches)


def _worked_in(itself: Sorted) -> list[Touch]:
    """The folder that `--work-tree` names, below which anything may be written."""
    trees = itself.of("--work-tree")
    return touched(Kind.WRITE, trees, tree=True)


def _config(row: Row, sorted_: Sorted) -> Deeds:
    first = sorted_.operands[0].text if sorted_.operands else ""
    if first.isalpha():
        # A word of its own says what is done, and flags may stand behind it again.
        behind = sort_words(evolve(row, operand_ends_flags=False), tuple(sorted_.operands[1:]))
        sorted_.add(behind)
        sorted_.operands[1:] = behind.operands
        sorted_.marked += behind.marked
        sorted_.loose = sorted_.loose or behind.loose
    gets = sorted_.has(_CONFIG_GETS) or first in {"get", "list"}
    gets = gets or len(sorted_.operands) == 1
    # `--no-get` takes a flag back by which it would only tell.
    taken_back = any(stranger.text.startswith("--no-") for stranger in sorted_.strangers)
    gets = gets and not (taken_back or sorted_.has(_CONFIG_SETS))
    if not gets:
        return stored(row, sorted_)
    sorted_.touches = [evolve(touch, kind=Kind.READ) for touch in sorted_.touches]
    named = [revision(value) for flag, value in sorted_.values if flag == "--blob"]
    return deeds_of(row, sorted_, [Touch(kind=Kind.READ, word=word) for word in named if word])


_USAGES: Final = {
    "revs": _revs,
    "listing": _listing,
    "gitgrep": _grep,
    "config": _config,
    **CHANGING,
}
