"""Git commands that only print file names, or hashes."""

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from assent.gate.programs.listing_options import LISTING, Lines
from assent.gate.shell.word import Word, word_of
from assent.gate.shell.word_sets import LISTED, Hash, is_below, root_of
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["LISTERS", "LS_FILES", "git_lists"]

_HASHES: Final = late(r"--(?:format|pretty)=(?:format:|tformat:)?%[hH]")
_NOTHING: Final = late(r"--(?:format|pretty)=(?:format:|tformat:)?")

_COMMITS: Final = Lines(
    "git log",
    "-i -n -# -1 -2 -3 --first-parent --reverse --no-merges --merges --all --max-count"
    " --max-parents --since --until --after --before --author --grep --skip --no-walk --topo-order"
    " --no-patch --branches --date-order",
)
_DIFF: Final = Lines(
    "git diff",
    "-z -M -C -r -b -w --name-only --cached --staged --diff-filter --relative --no-renames"
    " --merge-base --no-commit-id --no-color --find-renames --root --ignore-submodules"
    " --ignore-all-space",
)
LS_FILES: Final = Lines(
    "git ls-files",
    "-c -d -m -o -i -z -k -x -X --cached --others --exclude-standard --modified --deleted"
    " --ignored --exclude --deduplicate --full-name --recurse-submodules --directory",
)
_GIT_GREP: Final = Lines(
    "git grep",
    "-l -L -i -n -w -E -F -P -G -I -z -e --files-with-matches --name-only --files-without-match"
    " --cached --untracked --ignore-case --word-regexp --fixed-strings",
)
_COMMIT: Final = late(r"HEAD|@|[A-Za-z0-9][\w/.-]*(?<!\.)(?:[~^]\d*)+", re.ASCII)
"""What surely is a commit, and no tag or file: `HEAD`, or a parent of something."""
_ANY_REF: Final = frozenset(("--all", "--branches"))
_MERGE_BASE: Final = Lines("git merge-base", "-a --all --octopus --fork-point")
_REV_PARSE: Final = Lines("git rev-parse", "-q --short --short? --verify --quiet")
_REVISION: Final = late(r"[A-Za-z0-9](?:[\w/.~^@{}+-]*[\w~^}])?")


def git_lists(words: Sequence[Word]) -> Word | None:
    """What each line is that a command of git prints; None where it may be anything.

    >>> from assent.gate.programs.read_lines import words_of
    >>> git_lists(words_of("git ls-files src")[1:]).text
    'src/…'
    >>> git_lists(words_of("git log --oneline")[1:]) is None
    True
    """
    if not words or words[0].glob:
        return None
    lister = _OF_GIT.get(words[0].text)
    return lister(words[1:]) if lister else None


def _of_paths(operands: Sequence[Word]) -> Word | None:
    """What git prints for paths: patterns are expanded, and `./` is dropped."""
    if any(operand.text.startswith(":") or not is_below(operand) for operand in operands):
        return None
    if len(operands) != 1:
        return LISTED
    text = operands[0].text.removeprefix("./")
    if text in ("", ".") or text.startswith("-"):
        return LISTED
    return root_of(word_of(text, glob=any(sign in text for sign in "*?[")))


def _git_files(rest: Sequence[Word]) -> Word | None:
    sorted_ = LS_FILES.sort(rest)
    given = _of_paths(sorted_.operands) if sorted_ else None
    return LISTED if given and sorted_ and sorted_.has("--full-name") else given


def _git_diff(rest: Sequence[Word]) -> Word | None:
    sorted_ = _DIFF.sort(rest)
    named = sorted_ is not None and sorted_.has("--name-only")
    return LISTED if named and sorted_ and _of_paths(sorted_.operands) else None


def _git_grep(rest: Sequence[Word]) -> Word | None:
    sorted_ = _GIT_GREP.sort(rest)
    if sorted_ is None or not sorted_.has(LISTING):
        return None
    return LISTED if _of_paths(sorted_.operands[0 if sorted_.has("-e") else 1 :]) else None


def _git_log(rest: Sequence[Word]) -> Word | None:
    """`git log` and `git show`: hashes, or names of files, where nothing else is written."""
    hashes = [word for word in rest if _HASHES.fullmatch(word.text)]
    nothing = [word for word in rest if _NOTHING.fullmatch(word.text)]
    names = [word for word in rest if word.text == "--name-only"]
    told = (len(hashes), len(nothing), len(names))
    left = [word for word in rest if word not in (*hashes, *nothing, *names)]
    sorted_ = _COMMITS.sort(left)
    if sorted_ is None:
        return None
    if told == (0, 1, 1):
        return evolve(LISTED, empty=True) if _of_paths(sorted_.operands) else None
    return Hash() if told == (1, 0, 0) else None


def _git_show(rest: Sequence[Word]) -> Word | None:
    """The same for `git show` of commits; of a tag or a file it prints the content."""
    named = list(takewhile(lambda word: word.text != "--", rest))
    if any(word.text in _ANY_REF for word in named):
        return None
    if not all(word.text.startswith("-") or _COMMIT.fullmatch(word.text) for word in named):
        return None
    brief = [word for word in rest if word.text in ("-s", "--no-patch")]
    left = [word for word in rest if word not in brief]
    given = _git_log(left)
    return given if given is None or given != Hash() or brief else None


def _shared_state(rest: Sequence[Word]) -> Word | None:
    return Hash() if _MERGE_BASE.sort(rest) else None


def _rev_list(rest: Sequence[Word]) -> Word | None:
    return Hash() if _COMMITS.sort(rest) else None


def _rev_parse(rest: Sequence[Word]) -> Word | None:
    """A hash for a revision; other words `rev-parse` prints as they are."""
    sorted_ = _REV_PARSE.sort(rest)
    if sorted_ is None or len(sorted_.operands) != 1 or sorted_.operands[0].glob:
        return None
    text = sorted_.operands[0].text
    return Hash() if _REVISION.fullmatch(text) and ".." not in text else None


_OF_GIT: Final = {
    "ls-files": _git_files,
    "diff": _git_diff,
    "diff-tree": _git_diff,
    "grep": _git_grep,
    "log": _git_log,
    "show": _git_show,
    "merge-base": _shared_state,
    "rev-list": _rev_list,
    "rev-parse": _rev_parse,
}

LISTERS: Final = frozenset(_OF_GIT)
"""None of them changes what git tracks, whatever it is told."""
