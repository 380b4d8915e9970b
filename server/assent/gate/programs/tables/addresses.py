"""The hosts in addresses, as far as they are certain before a command runs."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from assent.gate.programs.deeds import Touch
from assent.gate.programs.options import Sorted, literal_head, part_of
from assent.gate.programs.outcome import operand_touches
from assent.gate.programs.rows import Row
from assent.gate.shell.word import Word, word_of
from assent.gate.text.lazy_patterns import late

__all__ = ["copied", "host_of", "hosts_of", "is_away", "lies_there", "marked"]

_ONE_SLASH: Final = late(r"(?i)(?:https?|ftps?):/")
"""What curl takes for an address too."""
_SCHEME: Final = late(r"[A-Za-z][A-Za-z0-9+.-]*:[/\\]*")
_STORE: Final = late(
    r"(?:s3[an]?|gs|az|r2|b2|oss|cos|swift|wasbs?|abfss?|adl|dbfs|hdfs|oci|docker|docker-daemon"
    r"|containers-storage|hf|models|runs)://[\w.-]*"
)
"""A bucket or the like: its name means something to that service alone, and is no host."""
_END: Final = late(r"[/?#\\]")
_PATH: Final = late(r"[/?#]")
_HOST: Final = late(r"[a-z0-9._-]+|\[[0-9a-f:.]+\]")
_WHOLE: Final = late(
    r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#\\*\[\]{}]+/|[A-Za-z0-9][A-Za-z0-9.-]*(?::\d+)?/"
)
"""An address whose host is complete, so that an expansion behind it changes only the path."""


_AWAY: Final = late(r"(?:[a-z][a-z0-9+.-]*://|git@|github\.com/)\S+$")


def is_away(text: str) -> bool:
    """Whether an operand names something on another machine.

    >>> [is_away(it) for it in ("https://x.org/a", "git@x.org:a.git", "./a")]
    [True, True, False]
    """
    return _AWAY.match(text) is not None


_REMOTE: Final = late(r"[^/:]+:|rsync://")
_THERE: Final = "//there/"


def lies_there(word: Word) -> bool:
    """Whether what is copied lies on another machine, as a colon says.

    >>> from assent.gate.programs.read_lines import words_of
    >>> [lies_there(it) for it in words_of("x.org:a s3://b/a ./a:b")]
    [True, True, False]
    """
    return _REMOTE.match(word.text) is not None


_SEVERAL: Final = late(r"[|,]")
"""What may stand between files in one word."""


def marked(marks: str, words: Iterable[Word]) -> list[Word]:
    """The files that words name behind a mark, at their beginning or before a value in them.

    >>> from assent.gate.programs.read_lines import words_of
    >>> [it.text for it in marked("fileb?://", words_of("x --value=file:///a.txt fileb://b"))]
    ['/a.txt', 'b']
    """
    found = (
        (word, re.search(rf"(?:\A|[=,])(?:{marks})(.+)", word.text, re.DOTALL)) for word in words
    )
    return [part_of(word, path) for word, at in found if at for path in _SEVERAL.split(at[1])]


def copied(row: Row, sorted_: Sorted, operands: Sequence[Word]) -> list[Touch]:
    """What copying between machines touches on this one.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> row, sorted_ = row_and_sorted("scp x.org:/srv/a.txt notes.txt .")
    >>> print(*copied(row, sorted_, sorted_.operands), sep=", ")
    read notes.txt, write ., write ./a.txt, write ./notes.txt
    """
    # What lies there has a name all the same, under which it may come to lie here.
    marked = [
        part_of(operand, _THERE + operand.text.partition(":")[2])
        if lies_there(operand)
        else operand
        for operand in operands
    ]
    touches = operand_touches(row, sorted_, marked)
    return [touch for touch in touches if not touch.word.text.startswith(_THERE)]


def hosts_of(words: Iterable[Word]) -> list[str]:
    """The hosts of addresses, of each that one of them may be.

    >>> from assent.gate.shell.word import one_of
    >>> hosts_of([one_of(["http://localhost:80/a", "http://localhost:81/a"])])
    ['localhost']
    """
    either = (
        it
        for word in words
        for it in ([word_of(text, glob=word.glob) for text in word.choices] or [word])
    )
    return [*dict.fromkeys(host for word in either for host in (host_of(word), *_also(word)))]


def _also(word: Word) -> list[str]:
    """The host before a backslash, to which a browser goes, and others do not."""
    before, slash, _ = word.text.partition("\\")
    return [host_of(word.spelled(before))] if slash and "://" in before else []


def host_of(word: Word) -> str:
    """The host of an address, or `?` where it cannot be told.

    >>> from assent.gate.programs.read_lines import words_of
    >>> [host_of(it) for it in words_of("https://me@x.org:8080/a x.org:a.txt https://$HOST/a")]
    ['x.org', 'x.org', '?']
    >>> [host_of(it) for it in words_of("'[::1]:9/a' http://x%2eorg/")]
    ['[::1]', '?']
    """
    text = word.text if word.known else literal_head(word)
    if not word.known or word.glob:
        begun = _WHOLE.match(text)
        if begun is None or (word.several and "://" not in begun[0]):
            return "?"
        text = begun[0]
    if (store := _STORE.match(text)) is not None:
        # What stands there is a name among its own, and no host.
        return store[0]
    address = "://" in text or _ONE_SLASH.match(text) is not None
    if address:
        text = _SCHEME.sub("", text, count=1)
    host = _END.split(text, maxsplit=1)[0].rpartition("@")[2].casefold()
    if "\\" in _PATH.split(text, maxsplit=1)[0]:
        return "?"  # To a browser the host ends there; curl, wget and git go on to an `@`.
    host = (
        re.sub(r"(?<!:):\d*$|(?<=\]):\d*$", "", host)
        if host.count(":") <= 1 or host[:1] == "["
        else host
    )
    if not address:
        host = host.partition(":")[0] if host.count(":") == 1 else host
    return host if _HOST.fullmatch(host) else "?"
