"""What a substitution becomes, if its command always answers alike: numbers, hashes, dates.

Nothing of it can be a flag or lead away. Where the command may fail it may be nothing as well.
"""

# ruff: noqa: ARG001, FBT001 -- whatever stands in the table of answers is called alike

import re
from collections.abc import Callable, Sequence
from typing import Final

from assent.gate.programs.listers import names_of
from assent.gate.programs.listing_options import Lines
from assent.gate.shell.anchored_paths import InFolder, InTop
from assent.gate.shell.expansions import is_visible, without
from assent.gate.shell.script import Command
from assent.gate.shell.word import Below, Exact, Word
from assent.gate.shell.word_sets import LISTED, Branch, Day, Hash, Made, Number, Ref
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["answer", "names_branch"]

_FORMAT: Final = late(r"\+%[YmdHMSFjsu](?:%[YmdHMSFjsuT]|[\w.-])*", re.ASCII)
_PLAIN_DATES: Final = ("+%s", "+%Y", "+%s%N", "+%s%3N")
"""These print a number without a nought before it."""
_SUFFIX: Final = late(r"\.[\w.]*\w", re.ASCII)
_SPELLED: Final = late(r"/?(?:[\w.][\w.+-]*/)*[\w.][\w.+-]*", re.ASCII)
"""A path of plain letters: no name begins with a dash, and no slash stands twice."""
_ONE: Final = frozenset(("merge-base", "rev-parse"))
_FIRST: Final = late(r"(?:^| )(?:-1|-n ?1|--max-count=1)(?: |$)")
_INTEGER: Final = late(r"\d+")
_COUNTING: Final = Lines("grep", "-c -v -w -x -i -E -F -P -G -s")
_NUMBERING: Final = Lines("grep", "-n --line-number -i -w -x -v -E -F -P -G -m -s")
_CUTS: Final = late(r"cut (?:-d ?: -f ?1|-f ?1 -d ?:)")
_PICKS: Final = late(r"(?:head|tail) -(?:n ?)?(?:(1)|\d+)")
_LOOKS: Final = frozenset(("grep", "stat"))
_COUNTS_ONE: Final = late(r"-[lwcm]")
_STRIPS: Final = late(r"-d (?: |\[:space:\]| \\n|\\n)")
_NULL: Final = "/dev/null"
_SIZES: Final = late(r"(?:-c ?|--format=|--printf=)%[sYXZhugib] [^-\s]\S*")
_ASKING: Final = Lines("curl", "-s -S -f -L -k -m -o -w")
_STATUS: Final = (["%{http_code}"], ["%{response_code}"])
_NAMING: Final = late(
    r"branch --show-current|rev-parse --abbrev-ref HEAD|symbolic-ref --short (?:-q )?HEAD"
)
_TEMPORARY: Final = late(
    r"(?!.*--suffix=.*X{3}.*(?<!X)\Z)"
    r"(?:(?:-[dq]{1,2}|--directory|--quiet|--suffix=[\w.-]+)(?: |\Z))*+"
    r"(?:(?:-[dq]{0,2}t[dq]{0,2} |--tmpdir |-p /tmp |/tmp/)[\w.][\w.-]*X{3}[\w.-]*)?"
)
"""The words with which `mktemp` makes what is new where everybody's lie, whatever it is called."""
_DESCRIBING: Final = late(r"describe --tags(?: --abbrev=\d+)?|describe --always")


_CONTAINERS: Final = late(
    r"(?=.*(?: -[alnf]*q| --quiet))(?:ps|container ls|compose ps)"
    r"(?: (?:-[alqf]+|--quiet|--all|--latest|--filter|\w[\w-]*(?:=[\w./:-]+)?))*"
)


def answer(commands: Sequence[Command], *, plain: bool) -> Word | None:
    """What a substitution of this pipeline becomes; None where nobody can tell.

    `plain` says that nothing else feeds it, such as a file or a here-document.

    >>> from assent.gate.programs.read_lines import read_script
    >>> answer(read_script("basename src/a.py .py").commands, plain=True).text
    'a'
    >>> answer(read_script("cat names.txt").commands, plain=True) is None
    True
    """
    if not commands or any(command.wraps for command in commands):
        return None
    last = commands[-1]
    words = [word.text for word in last.argv[1:]]
    if last.name == "tr" and _STRIPS.fullmatch(" ".join(words)) and not last.redirects:
        count = answer(commands[:-1], plain=plain)
        return count if isinstance(count, Number) else None
    if last.name == "cut":
        return _line_numbers(commands) if plain else None
    picks = _PICKS.fullmatch(_told(last)) if plain and commands[1:] else None
    if (
        picks
        and not last.redirects
        and isinstance(found := answer(commands[:-1], plain=plain), Number)
    ):
        return Number(several=found.several and not picks[1], empty=True)
    reader = _ANSWERS.get(last.name)
    if reader is not None and all(word.known or _is_file_of(last, word) for word in last.argv):
        found = reader(last, words, len(commands) == 1)
        if found is not None:
            return found
    if last.name == "basename" and len(commands) == 1:
        return _basename(last.argv[1:])
    names = names_of(commands) if plain else None
    if not isinstance(names, Below):
        return None
    alone = isinstance(names, Hash) and len(commands) == 1
    # Where nothing is found there is nothing to list.
    return evolve(names, several=not (alone and _is_one(words)), empty=True)


def _told(command: Command) -> str:
    return " ".join(word.text for word in command.argv)


def _is_file_of(command: Command, word: Word) -> bool:
    """Whether it is surely one name of a file that is looked into, and no flag."""
    named = isinstance(word, Below) and not word.several and not word.empty
    return named and command.name in _LOOKS and word.text[:1] not in ("…", "-", "*")


def _is_one(words: list[str]) -> bool:
    """Whether git prints at most one hash for these words."""
    if not words or "-a" in words or "--all" in words:
        return False
    return words[0] in _ONE or _FIRST.search(" ".join(words)) is not None


def _wc(command: Command, words: list[str], alone: bool) -> Word | None:
    if len(words) != 1 or not _COUNTS_ONE.fullmatch(words[0]):
        return None
    return Number(empty=True) if alone or command.redirects else Number()


def _grep(command: Command, words: list[str], alone: bool) -> Word | None:
    sorted_ = _COUNTING.sort(command.argv[1:])
    if sorted_ is None or not sorted_.has("-c") or any(word.glob for word in command.argv):
        return None
    return Number(empty=True) if len(sorted_.operands) <= 2 else None  # noqa: PLR2004 -- a pattern and a file


def _line_numbers(commands: Sequence[Command]) -> Word | None:
    """The numbers that `grep -n` writes before the lines of one file, where all else is cut off."""
    first, *between, last = commands
    sorted_ = _NUMBERING.sort(first.argv[1:]) if first.name == "grep" else None
    picks = [_PICKS.fullmatch(_told(command)) for command in between]
    quiet = all(redirect.writes and redirect.target.text == _NULL for redirect in first.redirects)
    quiet = quiet and not any(command.redirects for command in (*between, last))
    if sorted_ is None or None in picks or not (quiet and _CUTS.fullmatch(_told(last))):
        return None
    _, *files = sorted_.operands or [Exact(text="")]
    # A name of another kind could stand in what is said of a file that is no text.
    plain = [file.known and not file.glob and _SPELLED.fullmatch(file.text) for file in files]
    told = plain[:1] and all(plain) and len(files) == 1 and sorted_.has("-n --line-number")
    one = any(pick and pick[1] for pick in picks)
    return Number(several=not one, empty=True) if told else None


def _stat(command: Command, words: list[str], alone: bool) -> Word | None:
    one = not any(word.glob or " " in word.text for word in command.argv)
    return Number(empty=True) if one and _SIZES.fullmatch(" ".join(words)) else None


def _curl(command: Command, words: list[str], alone: bool) -> Word | None:
    """The status of one answer, where the answer itself is thrown away and nothing else printed."""
    sorted_ = _ASKING.sort(command.argv[1:])
    if sorted_ is None or len(sorted_.operands) != 1:
        return None
    printed = [word.text for of, word in sorted_.values if of == "-w"]
    away = [word for word in words if word[:1] == "-" and "o" in word]
    thrown = sorted_.found.get("-o")
    told = thrown is not None and thrown.text == _NULL and len(away) == 1
    return Number(empty=True) if told and printed in _STATUS else None


def _docker(command: Command, words: list[str], alone: bool) -> Word | None:
    """What containers are called by docker itself, which is letters and digits."""
    plain = alone and not any(" " in word for word in words)
    return Hash(several=True) if plain and _CONTAINERS.fullmatch(" ".join(words)) else None


def _git(command: Command, words: list[str], alone: bool) -> Word | None:
    if words[:2] == ["rev-list", "--count"]:
        return Number(empty=True)
    if not alone:
        return None
    if names_branch(command):
        return Branch()
    if words == ["rev-parse", "--show-toplevel"]:
        return InTop(splits=True)
    return Ref() if _DESCRIBING.fullmatch(" ".join(words)) else None


def names_branch(command: Command) -> bool:
    """Whether a command prints the name of the branch that is checked out, and nothing else.

    >>> from assent.gate.programs.read_lines import read_script
    >>> lines = ("git branch --show-current", "git branch --all")
    >>> [names_branch(read_script(it).commands[0]) for it in lines]
    [True, False]
    """
    words = command.argv[1:]
    told = command.name == "git" and all(word.known for word in words)
    return told and _NAMING.fullmatch(" ".join(word.text for word in words)) is not None


def _nproc(command: Command, words: list[str], alone: bool) -> Word | None:
    return Number(empty=True) if not words or words == ["--all"] else None


def _seq(command: Command, words: list[str], alone: bool) -> Word | None:
    plain = bool(words) and all(map(_INTEGER.fullmatch, words))
    return Number(several=True, empty=True) if plain else None


def _date(command: Command, words: list[str], alone: bool) -> Word | None:
    if command.redirects or len(words) != 1:
        return None
    if words[0] in _PLAIN_DATES:
        return Number()
    return Day() if _FORMAT.fullmatch(words[0]) else None


def _folder(command: Command, words: list[str], alone: bool) -> Word | None:
    """What `dirname` prints for a known path."""
    head, _, rest = words[0].partition("/") if words else ("", "", "")
    if len(words) == 1 and command.argv[1].home and alone and not command.redirects:
        # Of the home and of the folder itself nobody knows what they lie in.
        told = _SPELLED.fullmatch(rest) is not None and not rest.startswith("/")
        folder = rest.rpartition("/")[0]
        text = f"{head}/{folder}" if folder else head
        return command.argv[1].spelled(text) if told else None
    if len(words) != 1 or not _is_spelled(command, words, alone):
        return None
    folder, slash, _ = words[0].rpartition("/")
    return Exact(text=folder or slash or ".")


def _last_name(command: Command, words: list[str], alone: bool) -> Word | None:
    """What `basename` prints for a known path."""
    if words == [InFolder.root] and isinstance(command.argv[1], InFolder) and alone:
        return evolve(LISTED, several=True)
    if len(words) not in (1, 2) or not _is_spelled(command, words, alone):
        return None
    last, ending = words[0].rpartition("/")[2], words[-1] if len(words) > 1 else ""
    return Exact(text=last if last == ending else last.removesuffix(ending))


def _is_spelled(command: Command, words: list[str], alone: bool) -> bool:
    return alone and not command.redirects and all(map(_SPELLED.fullmatch, words))


def _basename(words: tuple[Word, ...]) -> Word | None:
    """What `basename` prints for a path out of a list; hidden names keep their ending."""
    words = words[1:] if words[:1] and words[0].text == "--" else words
    name = words[0] if len(words) in (1, 2) else None
    if not isinstance(name, Below) or isinstance(name, Number) or name.several:
        return None
    last = name.text.rpartition("/")[2]
    if len(words) == 1:
        return Below(text=last, empty=name.empty)
    ending = words[1]
    plain = ending.known and _SUFFIX.fullmatch(ending.text) and is_visible(last)
    return Below(text=without(last, ending.text)) if plain else None


def _mktemp(command: Command, words: list[str], alone: bool) -> Word | None:
    """A file or a folder that is made at that moment, where everybody's lie; else nothing.

    >>> from assent.gate.programs.read_lines import read_script
    >>> lines = ("mktemp -dt x.XXXX", "mktemp /tmp/x.XXXX", "mktemp --suffix=.md", "mktemp x.XXXX")
    >>> [answer(read_script(it).commands, plain=False) is not None for it in lines]
    [True, True, True, False]
    """
    elsewhere = command.assignments or command.redirects
    plain = alone and not elsewhere and not any(" " in word for word in words)
    told = plain and _TEMPORARY.fullmatch(" ".join(words))
    return Made() if told else None


_ANSWERS: Final[dict[str, Callable[[Command, list[str], bool], Word | None]]] = {
    "wc": _wc,
    "basename": _last_name,
    "dirname": _folder,
    "grep": _grep,
    "stat": _stat,
    "curl": _curl,
    "docker": _docker,
    "podman": _docker,
    "git": _git,
    "nproc": _nproc,
    "seq": _seq,
    "date": _date,
    "mktemp": _mktemp,
}
