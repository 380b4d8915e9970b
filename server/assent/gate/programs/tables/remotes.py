"""Tools that work on another machine by ssh: shells, copies, and the keys for both."""

import re
from typing import Final

from assent.gate.programs.deeds import Deeds, Kind, Touch
from assent.gate.programs.options import Sorted, part_of, sort_words
from assent.gate.programs.outcome import HERE, deeds_of, operand_touches
from assent.gate.programs.rows import Row
from assent.gate.programs.tables.addresses import copied, host_of, lies_there
from assent.gate.shell.word import Unknown, Word
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["use_keygen", "use_rsync", "use_sftp", "use_ssh"]

_THERE: Final = late(r"(?:[^/:@]*@)?(?:\[[^\]]*\]|[^/:\[\]]+):(.*)", re.DOTALL)
"""Where the path begins: an address of version 6 has colons of its own, in brackets."""
_HOST: Final = late(r"(?:[^/:@]*@)?\[[^\]]*\]")
_PLAIN: Final = late(r"(?!-)[\w./@+-]*")
_MADE: Final = Unknown(text="what sftp makes of its words")


def use_ssh(row: Row, sorted_: Sorted) -> Deeds:
    """Reaches its first operand, and runs the others there.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_ssh(*row_and_sorted("ssh -J gate.org me@x.org make")))
    reach x.org, reach gate.org, -J changes where it connects to
    """
    # It looks for flags once more behind the host.
    behind = sort_words(row, tuple(sorted_.operands[1:]))
    sorted_.add(behind)
    named = [*sorted_.operands[:1], *sorted_.of("-J -W")]
    jumps = [
        part_of(value, value.text.partition("=")[2])
        for flag, value in sorted_.values
        if flag == "-o" and value.text.casefold().startswith(("proxyjump=", "hostname="))
    ]
    return deeds_of(row, sorted_, (), hosts=[host_of(word) for word in [*named, *jumps]])


def use_sftp(row: Row, sorted_: Sorted) -> Deeds:
    """Reaches a host; a file that is named behind it is fetched, into the folder or where it says.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_sftp(*row_and_sorted("sftp me@x.org:srv/a.txt")))
    write ./a.txt, reach x.org
    >>> print(use_sftp(*row_and_sorted("sftp x.org:a.txt out")))
    write out, write out/a.txt, reach x.org
    >>> print(use_sftp(*row_and_sorted("sftp 'x.org:a.txt b.txt'")))
    write what sftp makes of its words, reach x.org
    """
    away, local = sorted_.operands[:1], sorted_.operands[1:2]
    hosts = [host_of(word) for word in away]
    named = [
        _path_there(word) for word in away if lies_there(word) and not _HOST.fullmatch(word.text)
    ]
    if not named or (not local and not named[0].text.rpartition("/")[2]):
        return deeds_of(row, sorted_, (), hosts=hosts)
    if not all(map(_is_one_name, (*named, *local))):
        return deeds_of(row, sorted_, [Touch(kind=Kind.WRITE, word=_MADE)], hosts=hosts)
    fetching = evolve(row, operands=Kind.READ, target=Kind.WRITE, recursive_flags="-r")
    touches = operand_touches(fetching, sorted_, [*named, *(local or [HERE])])
    return deeds_of(row, sorted_, touches[len(named) :], hosts=hosts)


def _path_there(word: Word) -> Word:
    match = _THERE.fullmatch(word.text)
    return part_of(word, match[1] if match else word.text.partition(":")[2])


def _is_one_name(word: Word) -> bool:
    """Whether it stays what it says in the line `get PATH NAME` that sftp makes of its words.

    It reads quotes, patterns, flags and further names there.
    """
    text = word.text[1:] if word.home else word.text
    return word.known and not word.glob and _PLAIN.fullmatch(text) is not None


def use_rsync(row: Row, sorted_: Sorted) -> Deeds:
    """Copies; an operand with a colon is on another machine.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_rsync(*row_and_sorted("rsync -a src/ x.org:/srv")))
    read src/**, reach x.org
    >>> print(use_rsync(*row_and_sorted("rsync -a --delete src/ out")))
    read src/**, write out/**, write out/src/**, delete out/**, --delete removes files
    """
    away = [word for word in sorted_.operands if lies_there(word)]
    touches = copied(row, sorted_, sorted_.operands)
    hosts = [host_of(word) for word in away]
    gone = any(flag.startswith("--delete") for flag in sorted_.found)
    if gone and len(sorted_.operands) > 1 and sorted_.operands[-1] not in away:
        touches.append(Touch(kind=Kind.DELETE, word=sorted_.operands[-1], tree=True))
    deeds = deeds_of(row, sorted_, touches, hosts=hosts)
    return evolve(deeds, catastrophic=gone)


def use_keygen(row: Row, sorted_: Sorted) -> Deeds:
    """Makes a key, or shows what it is.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_keygen(*row_and_sorted("ssh-keygen -l -f key.pub")))
    read key.pub
    >>> print(use_keygen(*row_and_sorted("ssh-keygen -f key")))
    write key
    """
    if sorted_.has("-l -y -F"):
        sorted_.touches = [evolve(touch, kind=Kind.READ) for touch in sorted_.touches]
        sorted_.escapes = []
    return deeds_of(row, sorted_, ())
