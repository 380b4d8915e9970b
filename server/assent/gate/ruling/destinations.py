"""Where a word leads from a folder, and what prevents it: blanks, links, a missing file."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Final

from assent.gate.call.calls import Target
from assent.gate.programs.deeds import Kind, Touch
from assent.gate.programs.find_tests import Sample, may_stand_for
from assent.gate.programs.git_listers import LISTERS, LS_FILES
from assent.gate.programs.listed_names import Choice, choice_of
from assent.gate.programs.listing_options import FD
from assent.gate.ruling.facts import Looks
from assent.gate.ruling.protected import change_of
from assent.gate.ruling.ruling_context import RulingContext, against
from assent.gate.ruling.wildcards import pattern_in, split_off
from assent.gate.shell.anchored_paths import InFolder, InTop
from assent.gate.shell.word import Below, Word, word_of
from assent.gate.shell.word_sets import Day, Hash, Number, comes_apart, filled, parent
from assent.gate.text.lazy_patterns import late

__all__ = [
    "ONE_WORD",
    "chosen_by",
    "counts",
    "from_top",
    "is_harmless",
    "is_split",
    "led_away",
    "led_by_names",
    "looked_from",
    "may_open",
    "meant_by",
    "pieces_of",
    "target_of",
]

ONE_WORD: Final = late(r"[\w./@%+,:=-]+")
"""What no shell splits or takes for a pattern."""


_NOWHERE: Final = "null stdin stdout stderr tty zero full random urandom"
_HARMLESS: Final = frozenset(f"/dev/{it}" for it in _NOWHERE.split())
_DESCRIPTOR: Final = late(r"/dev/fd/[0-9]+")


def is_harmless(path: str) -> bool:
    """Whether reading or writing it touches no file."""
    return path in _HARMLESS or _DESCRIPTOR.fullmatch(path) is not None


def target_of(context: RulingContext, path: str, folder: Target | None) -> Target | None:
    """Where a path leads from a folder; None where that cannot be told."""
    if folder is None and not path.startswith(("/", "~")):
        return None
    return context.located(path, folder.resolved if folder else "/")


def looked_from(context: RulingContext, folder: Target) -> Looks | None:
    """Where git looks from a folder; None where it cannot be told, or git could run something."""
    runs = context.facts.git_runs(folder.resolved)
    return context.facts.git_looks(folder.resolved) if runs is None else None


def from_top(context: RulingContext, word: Word, folder: Target | None) -> Word:
    """The word, with the folder of the repository that git finds now, where it begins with that.

    Where none is found the word stays as it is, and nobody knows where it leads; as well where git
    may fail, since then the path begins with nothing.
    """
    if not isinstance(word, InTop) or folder is None:
        return word
    looks = looked_from(context, folder)
    top = looks.top if looks is not None and looks.sure else None
    if top is None or (word.splits and not ONE_WORD.fullmatch(top)):
        return word
    return word_of(f"{top}{word.below}", glob=word.glob)


def is_split(context: RulingContext, word: Word, folders: list[Target | None]) -> bool:
    """Whether the shell makes more than one word of the path of a folder, or a pattern of it.

    What a repository's folder becomes is told where it is put in (`from_top`).
    """
    if isinstance(word, InTop):
        return False
    home = target_of(context, "~", None)
    targets = folders if isinstance(word, InFolder) else [home]
    return any(
        target is None or not ONE_WORD.fullmatch(target.named or target.resolved)
        for target in targets
    )


def meant_by(context: RulingContext, pattern: str, where: Target) -> Sequence[str] | None:
    """What a pattern stands for now, or may of the gate; None where that cannot be told."""
    names = context.facts.names(pattern, where.resolved)
    base, last = split_off(pattern)
    above = target_of(context, base, where)
    if names is None or above is None:
        return None
    met = above.own or context.facts.premise(above, pattern_in(above, last))
    return names if met is None else (*names, met.path)


def led_away(context: RulingContext, touch: Touch, folder: Target) -> Iterator[Target | None]:
    """What is there now by such a name, and leads elsewhere: who writes it writes there."""
    pattern = touch.word.path.replace(Hash().text, "[0-9a-f]*")
    pattern = filled(pattern, number="[0-9]*", name="*")
    names = context.facts.names(pattern, folder.resolved)
    if names is None:
        yield None
    for name in names or ():
        target = target_of(context, name, folder)
        if target is None or target.resolved != target.named:
            yield target


# Words that are names of files only where there are such files, and else mean other things.


def counts(context: RulingContext, touch: Touch, folder: Target | None) -> bool:
    """Whether something is touched from a folder, by what is there now."""
    if touch.if_there and not _is_there(context, (touch.word,), folder):
        return False
    return not _is_there(context, touch.instead, folder)


def _is_there(context: RulingContext, words: tuple[Word, ...], folder: Target | None) -> bool:
    where = "/" if folder is None else folder.resolved
    return any(context.facts.names(word.path, where) for word in words if word.known)


# Links among the names that are listed below a folder: who opens such a name is led elsewhere.

_TESTS_LINKS: Final = frozenset({"-o", "-or", ",", "!", "-not", "-L", "-follow"})
"""Words of `find` with which a name need not be that of a file, though it is told to be."""

_UNTRACKED: Final = "-o --others -i --ignored --recurse-submodules"
"""With these, `git ls-files` lists what is not in the index at hand."""

_LETTERS: Final = {Hash: late(r"[0-9a-f]+"), Number: late(r"-?[0-9]+"), Day: late(r"[\w:.+-]+")}
"""What such a word is written in, whatever it is: no other name is among these."""
_RANGE: Final = late(rf"{re.escape(Hash().text)}\.{{2,3}}[^/…]*")
"""From one state of the files to another, which is the name of none."""
_WORD: Final = late(r"[\w-]+")
_BESIDE: Final = late(r"[;&\n]|\|\|")
"""What stands between a command and another, which may make folders for it."""

_Listing = tuple[tuple[Word, ...], ...]


def led_by_names(context: RulingContext, touch: Touch, folder: Target) -> Iterator[Target | None]:
    """Where names that a word stands for are links to what is guarded; None if not known.

    Guarded is what lies outside the workspace, what a rule refuses, and what is protected.
    """
    word, changes = touch.word, touch.kind.changes
    by = word.by
    if (by and _lists_no_links(by[0])) or _RANGE.fullmatch(word.text):
        return
    letters = _LETTERS.get(type(word))
    links = _links_in(context, by, folder.resolved, all_=changes)
    if links is None:
        yield None
    top, program = folder.shown == ".", by[0][0].text if by else ""
    choice = chosen_by(context, by, folder) if top or program != "git" else None
    for link in links or ():
        inner = link[len(folder.resolved) :].lstrip("/")
        if (letters and not letters.fullmatch(inner)) or not _may_lead_by(word, inner):
            continue
        sample = Sample(name=posixpath.basename(inner), path=inner if top else None)
        if (choice and not choice.may_hold(sample)) or (program == "ls" and "/" in inner):
            continue
        target = target_of(context, link, None)
        if target is None or not target.inside or _is_guarded(context, touch, target):
            yield target


def _may_lead_by(word: Word, link: str) -> bool:
    """Whether a path that a word stands for may lead through a link, as what is known tells."""
    text = filled(word.text, number="…", name="…")
    folder = text.partition("…")[0].rpartition("/")[0]
    path = posixpath.normpath(text[len(folder) :].lstrip("/"))
    # What is written with a backslash, or leads up, is not read here.
    if "…" not in path or "\\" in path or ".." in path.split("/"):
        return True
    ways = accumulate(path.replace("…", "*").split("/"), posixpath.join)
    return any(may_stand_for(way, link) is not False for way in ways)


def _is_guarded(context: RulingContext, touch: Touch, target: Target) -> bool:
    """Whether a rule refuses that a place is touched so, or each mode asks about a change there."""
    if touch.kind is Kind.READ and not touch.tree and context.facts.enters(target.resolved):
        # Who opens a folder as a file reads nothing.
        return False
    if against(context.book.path(touch.kind.tool, target, context)) is not None:
        return True
    return touch.kind.changes and (change_of(target) or context.facts.alias(target)) is not None


def chosen_by(context: RulingContext, by: _Listing, folder: Target) -> Choice | None:
    """What is known of the names that are listed; None where a folder's are, without the folder."""
    choice = choice_of(by) if by else None
    if choice is None or not choice.opened:
        return choice
    return None if _BESIDE.search(context.text) or may_open(context, choice, folder) else choice


def may_open(context: RulingContext, choice: Choice, folder: Target) -> bool:
    """Whether a pattern that is listed stands for a folder now, as far as it can be looked up."""
    found = (context.facts.names(f"{it.rstrip('/')}/", folder.resolved) for it in choice.opened)
    # Of brackets the text does not tell whether they were quoted, and not each means the same.
    return any("[" in it for it in choice.opened) or any(it != () for it in found)


def pieces_of(context: RulingContext, word: Word, folder: Target | None) -> Iterator[Target | None]:
    """Where the pieces lead that a shell makes of listed names with blanks; None if not known."""
    if not comes_apart(word) or folder is None:
        return
    where = target_of(context, parent(word.path).removesuffix("…") or ".", folder)
    # Other commands of git list what is in no index as well, such as files of an older state.
    indexed = word.by and [it.text for it in word.by[0][:2]] == ["git", "ls-files"]
    tracked = bool(indexed) and _lists_tracked(context, word.by[0])
    beside = isinstance(word, Below) and word.single and word.joined
    pieces = None
    if where is not None:
        # What stands beside a piece makes another name of it.
        cwd = None if beside else folder.resolved
        pieces = context.facts.pieces_in(where.resolved, cwd, tracked=tracked)
    if beside and pieces:
        pieces = None
    for piece in ("-",) if pieces is None else pieces:
        yield None if piece.startswith("-") else target_of(context, piece, folder)


def _links_in(
    context: RulingContext, by: _Listing, folder: str, *, all_: bool
) -> tuple[str, ...] | None:
    """The links that may be listed; of what git lists, those that stand where it tracks a file."""
    if by and _lists_tracked(context, by[0]):
        tracked = context.facts.links_tracked(folder)
        if tracked is not None:
            return tracked
    return context.facts.links_in(folder, all_=all_)


def _lists_tracked(context: RulingContext, argv: Sequence[Word]) -> bool:
    """Whether it lists what git tracks, and nothing beside it in the call could change that."""
    texts = [word.text for word in argv]
    if texts[0] != "git" or texts[1] not in LISTERS:
        return False
    if texts[1] == "ls-files":
        sorted_ = LS_FILES.sort(argv[2:])
        if sorted_ is None or sorted_.has(_UNTRACKED):
            return False
    context.budget.spend(len(context.text) // 8)
    words = _WORD.findall(context.text)
    behind = (after for word, after in pairwise((*words, "")) if word == "git")
    return all(it in LISTERS or it == "status" for it in behind)


def _lists_no_links(argv: Sequence[Word]) -> bool:
    """Whether it lists only what is a file itself."""
    texts = [word.text for word in argv[1:]]
    match argv[0].text.rpartition("/")[2]:
        case "rg" | "grep" | "egrep" | "fgrep":
            # What these search is opened by them already; a link that they come upon is not.
            return True
        case "git":
            return texts[:1] == ["grep"]
        case "find" | "gfind":
            return ("-type", "f") in pairwise(texts) and _TESTS_LINKS.isdisjoint(texts)
        case "fd" | "fdfind":
            # What is told of several types is of any of them.
            sorted_ = FD.sort(argv[1:])
            return sorted_ is not None and {word.text for word in sorted_.of("-t --type")} == {"f"}
        case _:
            return False
