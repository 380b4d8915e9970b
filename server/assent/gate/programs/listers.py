"""Commands that only print the names of files below the folder, one per line.

`git ls-files | grep x` is such; a listing of another folder is none. Of every program only the
flags that stand here are known to keep it so: one that adds to a line, or cuts it, is not there.
"""

import re
from collections.abc import Sequence
from typing import Final

from assent.gate.programs.find_tests import FINDERS, roots_and_tests, roots_of
from assent.gate.programs.git_listers import LS_FILES, git_lists
from assent.gate.programs.listing_options import FD, GREP, GREP_LISTS, LISTING, LS, RG, Lines
from assent.gate.programs.options import Sorted
from assent.gate.shell.script import Command, bare_name
from assent.gate.shell.word import Below, Exact, OneOf, Word
from assent.gate.shell.word_sets import LISTED, STRICT, Branch, Hash, Number, is_below, root_of
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["WRITERS", "fd_lists", "goes_below", "names_of", "searched_by"]

# What `echo` and `printf` write, where the script itself has it word by word.

_OF_STATES: Final = ["git", "merge-base"]
"""What is given states of the repository alone, which may come from git itself."""
_MAX_CHOICES: Final = 8
"""A word of more choices than these counts as unknown."""
_PLAIN: Final = late(r"[\w./@+][\w./@+,:=\-]*", re.ASCII)
_FORMATS: Final = frozenset((r"%s\n", r"%s\0", "%s\n", "%s "))


def _echoed(words: Sequence[Word]) -> Word | None:
    """Any one of the words that `echo` prints; None where one is no plain name.

    >>> from assent.gate.shell.word import Exact
    >>> _echoed([Exact(text="src"), Exact(text="lib")]).choices
    ('src', 'lib')
    >>> _echoed([Exact(text="-n"), Exact(text="lib")]) is None
    True
    """
    texts = [word.text for word in words]
    if texts[:1] and texts[0] in _FORMATS:
        words, texts = words[1:], texts[1:]
    odd = any(not word.known or word.glob or word.home for word in words)
    if odd or not 0 < len(texts) <= _MAX_CHOICES or not all(map(_PLAIN.fullmatch, texts)):
        return None
    if len(texts) == 1:
        return Exact(text=texts[0])
    # Also of one text twice there are two words, where they are put into others.
    return OneOf(text=texts[0], choices=tuple(dict.fromkeys(texts)))


_FILTERS: Final = {
    "head": Lines("head", "-q -z -n --lines --quiet -#"),
    "tail": Lines("tail", "-q -z -n --lines --quiet -#"),
    "sort": Lines("sort", "-n -r -u -f -V -h -d -b -g -M -R -s -z -k -t --unique --reverse"),
    "uniq": Lines("uniq", "-u -d -i -z"),
    "shuf": Lines("shuf", "-z -n"),
    "tac": Lines("tac"),
    "cat": Lines("cat"),
    "grep": GREP,
    "egrep": GREP,
    "fgrep": GREP,
}

_DEEP: Final = frozenset((*FINDERS, "fd", "fdfind", "rg"))
"""Programs that list what is in folders of folders."""
_SOME: Final = "-d -m -o -i -k --deleted --modified --others --ignored"
"""The flags by which git lists some of its files only, or those that are none of its own."""
_SOME_STATES: Final = late(r"-\d|-n|--max-count|--since|--after|[^-]")


def names_of(commands: Sequence[Command]) -> Word | None:
    """What each line is that a pipeline prints; None where it may be anything.

    >>> from assent.gate.programs.read_lines import read_script
    >>> names_of(read_script("git ls-files src | head -5").commands).text
    'src/…'
    >>> names_of(read_script("cat names.txt | head -5").commands) is None
    True
    """
    if not commands or commands[0].ways is None or any(command.wraps for command in commands):
        return None
    first = _lists(commands[0])
    if first is None or not all(map(_filters, commands[1:])):
        return None
    if not isinstance(first, Below) or isinstance(first, Hash):
        return first
    return evolve(first, by=tuple(command.argv for command in commands))


def _lists(command: Command) -> Word | None:
    lister = _LISTERS.get(command.name)
    states = [word.text for word in command.argv[:2]] == _OF_STATES
    told = (_is_told(word) or (states and isinstance(word, Branch | Hash)) for word in command.argv)
    if lister is None or not all(told):
        return None
    return lister(command.argv[1:])


def _is_told(word: Word) -> bool:
    """Whether it is known, and can be no flag: a pattern at its head may become one."""
    tail = re.split(r"[*?\]]", word.text)[-1]
    return word.known and not (word.glob and word.text[:1] in "*?[" and "." not in tail)


def _filters(command: Command) -> bool:
    """Whether it writes only lines that it reads."""
    lines = _FILTERS.get(command.name)
    if lines is None or any(not word.known or word.glob for word in command.argv):
        return False
    sorted_ = lines.sort(command.argv[1:])
    return sorted_ is not None and len(sorted_.operands) == (1 if lines is GREP else 0)


def _find(words: Sequence[Word]) -> Word | None:
    return roots_of(words, prints=True)


def _given(operands: Sequence[Word]) -> Word | None:
    """What is listed for operands, each of which begins the names that it gives."""
    if not all(map(is_below, operands)):
        return None
    if len(operands) == 1:
        return root_of(operands[0])
    wild = any(operand.glob and operand.text[:1] in "*?[" for operand in operands)
    return STRICT if operands and not wild else LISTED


def _ls(words: Sequence[Word]) -> Word | None:
    sorted_ = LS.sort(words)
    if sorted_ is None or not all(map(is_below, sorted_.operands)):
        return None
    if sorted_.has("-d"):
        return _given(sorted_.operands)
    several = len(sorted_.operands) > 1 or any(operand.glob for operand in sorted_.operands)
    return evolve(LISTED, empty=several)


def _grep(words: Sequence[Word]) -> Word | None:
    sorted_ = GREP_LISTS.sort(words)
    if sorted_ is None or not sorted_.has(LISTING):
        return None
    if any(operand.glob for operand in sorted_.operands) and not all(
        map(is_below, sorted_.operands)
    ):
        return None
    return _given(_behind_pattern(sorted_, "-e"))


def _behind_pattern(found: Sorted, without: str) -> Sequence[Word]:
    return found.operands[0 if found.has(without) else 1 :]


def _rg(words: Sequence[Word]) -> Word | None:
    sorted_ = RG.sort(words)
    if sorted_ is None or not sorted_.has(f"{LISTING} --files"):
        return None
    return _given(_behind_pattern(sorted_, "-e --files"))


def searched_by(argv: Sequence[Word]) -> Sequence[Word]:
    """The folders below which a command looks for the files that it lists, where it names any.

    >>> from assent.gate.programs.read_lines import words_of
    >>> for line in ("find src lib -name x", "grep -rl x src lib", "rg -l x src", "git ls-files"):
    ...     print([it.text for it in searched_by(words_of(line))])
    ['src', 'lib']
    ['src', 'lib']
    ['src']
    []
    """
    name, words = bare_name(argv[0].text), argv[1:]
    if name in FINDERS:
        return roots_and_tests(words)[0]
    lines, without = _SEARCHES.get(name, (None, ""))
    sorted_ = lines.sort(words) if lines is not None else None
    return _behind_pattern(sorted_, without) if sorted_ is not None else ()


def fd_lists(words: Sequence[Word]) -> Below | None:
    """What each line is that fd prints; None where it looks outside the folder.

    >>> from assent.gate.programs.read_lines import words_of
    >>> fd_lists(words_of("fd -e py")[1:]).text
    '…'
    >>> fd_lists(words_of("fd -e py . /etc")[1:]) is None
    True
    """
    sorted_ = FD.sort(words)
    return LISTED if sorted_ and all(map(is_below, sorted_.operands[1:])) else None


def _seq(words: Sequence[Word]) -> Word | None:
    plain = bool(words) and all(word.known and word.text.isdecimal() for word in words)
    return Number() if plain else None


_SEARCHES: Final = {"grep": (GREP_LISTS, "-e"), "rg": (RG, "-e --files")}
"""What stands before the folders that these search, but with the flags."""
_LISTERS: Final = {
    "find": _find,
    "git": git_lists,
    "ls": _ls,
    "grep": _grep,
    "rg": _rg,
    "fd": fd_lists,
    "fdfind": fd_lists,
    "echo": _echoed,
    "printf": _echoed,
    "seq": _seq,
}

WRITERS: Final = frozenset((*_LISTERS, *_FILTERS, "basename", "dirname"))
"""Programs of which it is known what they write."""


def goes_below(listing: Sequence[Sequence[Word]]) -> bool:
    """Whether a listing goes into folders, so that it may hold every file that there is.

    >>> from assent.gate.programs.read_lines import read_script
    >>> argvs = [[read_script(it).commands[0].argv] for it in ("fd", "ls", "git ls-files -m")]
    >>> [goes_below(it) for it in argvs]
    [True, False, False]
    """
    name, *words = listing[0]
    if name.text != "git":
        return name.text in _DEEP
    command, texts = (words[0].text if words else ""), [word.text for word in words[1:]]
    if command == "log":
        # Each file that there ever was, unless it tells of a few states or folders only.
        return not any(_SOME_STATES.match(text) for text in texts) and "--" not in texts
    sorted_ = LS_FILES.sort(words[1:]) if command == "ls-files" else None
    # With all of its own, what else it lists leaves out none of them.
    return sorted_ is not None and (not sorted_.has(_SOME) or sorted_.has("-c --cached"))
