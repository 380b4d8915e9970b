r"""Which names a listing may contain, by the words of the commands that wrote it.

`git ls-files | grep '\.ts$'` holds none but those that end so. What a command is told to leave out
counts only where no reading of its words could bring it back.
"""

# ruff: noqa: ARG001 -- whatever stands in the table of choosers is called alike

import fnmatch
import posixpath
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from assent.gate.programs.find_tests import Sample, may_find, may_stand_for, roots_and_tests
from assent.gate.programs.git_listers import LS_FILES
from assent.gate.programs.listing_options import FD, GREP, GREP_LISTS, LS, RG
from assent.gate.programs.options import Sorted
from assent.gate.programs.searched_names import let_in
from assent.gate.shell.word import Word
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve, frozen

__all__ = ["Choice", "choice_of", "is_whole"]

# What narrows a list of names: endings, beginnings, and letters that each of them must have.
#
# A pattern counts only where it is plain enough to mean the same to every program.

_Admits = Callable[[Sample], bool]
"""Whether a file may be among the names."""

_PLAIN_NAME: Final = late(r"[\w./-]*[A-Za-z0-9]{2}[\w./-]*")
_ENDING: Final = late(r"(?:[\w./*-]|\\\.)*\\\.(?:(\w+)|\\?\((\w+(?:\\?\|\w+)*)\\?\))\$")
"""`\\.ts$` and `\\.(ts|tsx)$`, with or without backslashes before what groups."""
_NO_LINES: Final = "-v --invert-match -z"
"""Flags with which a line that is let through need not match."""
_HEAD: Final = late(r"\^([\w/-]*\w/?)")


def _filtered(words: Sequence[Word]) -> _Admits | None:
    """Which names `grep` lets through; None where its pattern is not plain enough to tell.

    >>> from assent.gate.programs.read_lines import words_of
    >>> admits = _filtered(words_of("grep '^src/'")[1:])
    >>> [admits(Sample(name="a", path=it)) for it in ("src/a", "lib/a")]
    [True, False]
    >>> _filtered(words_of("grep -v src")[1:]) is None
    True
    """
    sorted_ = GREP.sort(words)
    if sorted_ is None or sorted_.has(_NO_LINES) or len(sorted_.operands) != 1:
        return None
    pattern, plain = sorted_.operands[0].text, sorted_.has("-F --fixed-strings")
    head = _HEAD.fullmatch(pattern)
    ending = _by_ending(pattern)
    if ending and not plain:
        return ending
    if head and not plain:
        return _begins(head[1].casefold())
    return _contains(pattern) if _PLAIN_NAME.fullmatch(pattern) else None


def _by_ending(pattern: str) -> _Admits | None:
    r"""The names that a pattern means which says how they end; None where it says more.

    >>> leaves = _by_ending(r"\.(ts|tsx)$")
    >>> [leaves(Sample(name=it)) for it in ("a.tsx", "a.py")]
    [True, False]
    """
    ending = _ENDING.fullmatch(pattern)
    if ending is None:
        return None
    text = ending[1] or ending[2].replace("\\", "")
    return _ends(tuple(f".{it.casefold()}" for it in text.split("|")))


def _ends(endings: tuple[str, ...]) -> _Admits:
    """Names that end so.

    >>> admits = _ends((".ts", ".tsx"))
    >>> [admits(Sample(name=it)) for it in ("a.ts", ".env")]
    [True, False]
    """
    return lambda sample: (sample.path or sample.name).casefold().endswith(endings)


def _begins(head: str) -> _Admits:
    return lambda sample: sample.path is None or sample.path.casefold().startswith(head)


def _contains(text: str) -> _Admits:
    """Names with these letters in them, where nothing else is known to stand before a name.

    >>> admits = _contains("test")
    >>> [admits(Sample(name="a", path=it)) for it in ("tests/a", "src/a")]
    [True, False]
    """
    pattern = f"*{text.replace('.', '?').casefold()}*"
    return lambda sample: (
        sample.path is None or fnmatch.fnmatchcase(sample.path.casefold(), pattern)
    )


_Counts = Callable[[str], bool]
"""Whether a searched folder is judged by all that may lie in it."""

_TOLD: Final = ("-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename")
_WHOLE: Final = frozenset((".", ".github", ".config", ".local", ".local/state"))
_NEGATES: Final = ("-not", "!")
_NO_CHOICE: Final = "-v -L --invert-match --files-without-match --files --passthru"
_GREPS: Final = frozenset(("grep", "egrep", "fgrep"))


@frozen(kw_only=True)
class Choice:
    """What is known of the names that a listing holds."""

    roots: tuple[str, ...] = ()
    """The folders and patterns that are listed, if that is not the whole folder."""
    mentions: tuple[str, ...] = ()
    """The names that it is told to look for."""
    admits: tuple[_Admits, ...] = ()
    """Tests, all of which each name passes."""
    content: bool = False
    """Whether files are listed only for what stands in them, and not every file has that."""
    hidden: bool = True
    """Whether names with a dot may be among them."""
    there: bool = False
    """Whether it holds only what is in the workspace's files, and nothing of a repository's own."""
    opened: tuple[str, ...] = ()
    """Patterns whose folders would be opened, and not just named."""

    def may_hold(self, sample: Sample) -> bool:
        """Whether such a file may be among them."""
        return all(admits(sample) for admits in self.admits)


def choice_of(listing: Sequence[Sequence[Word]], counts: _Counts = lambda _: True) -> Choice | None:
    """What is known of the names that a pipeline of listers prints; None where nothing is.

    >>> from assent.gate.programs.read_lines import words_of
    >>> choice = choice_of([words_of("find . -name '*.ts'")])
    >>> [choice.may_hold(Sample(name=it)) for it in ("a.ts", ".env")]
    [True, False]
    """
    first, *rest = listing
    program = first[0].text.rpartition("/")[2]
    choice = _choice(program, first[1:], counts)
    if choice is None:
        return None
    if any(word.path.startswith(("/", "~", "..")) or word.home for word in first[1:]):
        # What stands before each name may be what is looked for.
        rest = [argv for argv in rest if argv[-1].text.endswith("$")]
    filters = [_filtered(argv[1:]) for argv in rest if argv[0].text in _GREPS]
    return evolve(choice, admits=(*choice.admits, *(it for it in filters if it is not None)))


def _choice(program: str, words: Sequence[Word], counts: _Counts) -> Choice | None:
    if program in _BY_WORD:
        return _BY_WORD[program](words, counts)
    lines, chooser = _BY_OPTION.get(program, (None, None))
    sorted_ = lines.sort(words) if lines else None
    return chooser(sorted_, counts) if chooser and sorted_ else None


def is_whole(text: str) -> bool:
    """Whether a path may, as it is spelled, be the folder itself, or one that counts whole.

    >>> is_whole("."), is_whole("*"), is_whole("src/*")
    (True, True, False)
    """
    path = posixpath.normpath(text) if text else "."
    if path.startswith(("/", "~", "..")) or path in _WHOLE:
        return True
    return "(" in path or ("/" not in path and path.strip("*?") == "")


def _find(words: Sequence[Word], counts: _Counts) -> Choice:
    roots, tests = roots_and_tests(words)
    told = [root.text for root in roots] or ["."]
    whole = [it.rstrip("/") or it for it in told if counts(it)]
    below = tuple(it for it in told if it not in whole)
    texts = ["", *(test.text for test in tests)]
    mentions = tuple(
        value
        for (before, test), (_, value) in pairwise(pairwise(texts))
        if test in _TOLD and before not in _NEGATES
    )
    return Choice(
        roots=below,
        mentions=(*mentions, *below),
        admits=(lambda sample: any(may_find(tests, root, sample) for root in whole),),
    )


def _named(patterns: Sequence[str]) -> _Admits:
    """Files whose names one of these patterns stands for."""
    last = ["*" if "{" in pattern else pattern.rpartition("/")[2] for pattern in patterns]
    return lambda sample: any(may_stand_for(one, sample.name) is not False for one in last)


def _is_rare(found: Sorted, patterns: Sequence[str]) -> bool:
    """Whether a search asks for plain letters, which not every file holds."""
    return not found.has(_NO_CHOICE) and all(map(_PLAIN_NAME.fullmatch, patterns))


def _ls(found: Sorted, counts: _Counts) -> Choice:
    operands = [operand.text for operand in found.operands]
    patterns = tuple(operand.text for operand in found.operands if operand.glob)
    as_is = found.has("-d")
    named = (
        operands and (as_is or len(patterns) == len(operands)) and not any(map(is_whole, operands))
    )
    return Choice(
        roots=tuple(operands),
        mentions=tuple(operands),
        admits=(lambda sample: any(_stands(operand, sample) for operand in operands),)
        if named
        else (),
        hidden=False,
        opened=() if as_is else patterns,
    )


def _stands(pattern: str, sample: Sample) -> bool:
    text = pattern.removeprefix("./").rstrip("/")
    if sample.path is None:
        text = text.rpartition("/")[2]
    return may_stand_for(text, sample.path or sample.name) is not False


def _grep(found: Sorted, counts: _Counts) -> Choice:
    patterns, paths = _looked_for(found)
    deep = found.has("-r --recursive")
    only = _texts(found, "--include")
    if any(it == "--exclude" for it, _ in found.values[:1]):
        # What no pattern is about is listed then.
        only = []
    below = deep and paths and not any(map(counts, paths))
    return Choice(
        roots=tuple(paths),
        mentions=(*paths, *only),
        admits=(*((_named(only),) if only else ()), *((_nothing,) if below else ())),
        content=_is_rare(found, patterns),
        hidden=deep,
        there=".git" in _texts(found, "--exclude-dir"),
    )


def _texts(found: Sorted, flags: str) -> list[str]:
    return [word.text for word in found.of(flags)]


def _looked_for(found: Sorted) -> tuple[list[str], list[str]]:
    """What a search looks for, and where."""
    operands = [operand.text for operand in found.operands]
    if found.has("--files"):
        return [], operands
    given = _texts(found, "-e")
    return (given, operands) if given else (operands[:1], operands[1:])


def _nothing(_: Sample) -> bool:
    """Nothing of the folder itself is listed, but what lies in the folders that are named."""
    return False


def _rg(found: Sorted, counts: _Counts) -> Choice:
    patterns, paths = _looked_for(found)
    globs = let_in(found) or ()
    below = paths and not any(map(counts, paths))
    return Choice(
        roots=tuple(paths),
        mentions=(*paths, *globs),
        admits=(*((_named(globs),) if globs else ()), *((_nothing,) if below else ())),
        content=_is_rare(found, patterns or ["."]),
        hidden=bool(globs) or found.has("--hidden -u -t --type"),
    )


def _fd(found: Sorted, counts: _Counts) -> Choice:
    operands = [operand.text for operand in found.operands]
    pattern = "".join(operands[:1])
    endings = tuple(f".{text.lstrip('.').casefold()}" for text in _texts(found, "-e --extension"))
    plain = _PLAIN_NAME.fullmatch(pattern) and not found.has("-p")
    of_name = _contains(pattern) if plain else _by_ending(pattern)
    below = operands[1:] and not any(map(counts, operands[1:]))
    admits = (_ends(endings) if endings else None, of_name, _nothing if below else None)
    return Choice(
        roots=tuple(operands[1:]),
        mentions=tuple(operands),
        admits=tuple(admit for admit in admits if admit is not None),
        hidden=found.has("--hidden -H -u"),
    )


def _git(words: Sequence[Word], counts: _Counts) -> Choice | None:
    command, rest = words[0].text, [word.text for word in words[1:]]
    sorted_ = LS_FILES.sort(words[1:]) if command == "ls-files" else None
    if sorted_ is not None:
        specs = [operand.text for operand in sorted_.operands]
    else:
        specs = rest[rest.index("--") + 1 :] if "--" in rest else []
    return Choice(
        roots=tuple(spec for spec in specs if posixpath.normpath(spec) != "."),
        mentions=tuple(specs),
        admits=(lambda sample: any(_lies_at(spec, sample) for spec in specs),) if specs else (),
        there=True,
    )


def _lies_at(spec: str, sample: Sample) -> bool:
    """Whether git means such a file by this path or pattern."""
    if sample.path is None:
        # All that lies in a folder of that name, or behind a star, ends as it likes.
        last = _CHANGING.split(spec)[-1].rpartition("/")[2]
        return last == spec or sample.name.casefold().endswith(last.casefold())
    path, spec = sample.path, posixpath.normpath(spec)
    below = spec == "." or f"{path}/".startswith(f"{spec}/")
    return below or may_stand_for(spec, path) is not False


_CHANGING: Final = late(r"[*?\]]")
"""The last letters in a pattern that stand for others."""
_BY_WORD: Final = {"find": _find, "gfind": _find, "git": _git}
_BY_OPTION: Final = {
    "ls": (LS, _ls),
    "grep": (GREP_LISTS, _grep),
    "egrep": (GREP_LISTS, _grep),
    "fgrep": (GREP_LISTS, _grep),
    "rg": (RG, _rg),
    "fd": (FD, _fd),
    "fdfind": (FD, _fd),
}
