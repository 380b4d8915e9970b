"""The files that downloads are saved as, where their addresses or the flags say how."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Final
from urllib.parse import unquote

from assent.bash.word import Exact, Pattern, Unknown, Word, word_of
from assent.programs.deeds import Kind, Touch
from assent.programs.families.naming import below
from assent.programs.options import Sorted, literal_head
from assent.programs.outcome import HERE
from assent.text.patterns import late

__all__ = ["saved_by_aria", "saved_by_curl", "saved_by_wget"]

_MOST: Final = 64
"""Of more addresses than these in one, the names are not told."""
_SERVERS: Final = Unknown(text="what the server names it")
_LISTED: Final = Unknown(text="what its list names")
_SETS: Final = late(r"\{([^{}]*)\}")
"""`{a,b}` in an address, for which curl fetches each."""
_RANGES: Final = late(r"\[[^\[\]/]*\]")
"""`[1-9]` in an address, for which curl fetches each."""
_NUMBERED: Final = late(r"#\d+")
_UNSURE: Final = late(r".*(?:\$\w+|[$`)}…\]])", re.DOTALL)
_DEEP: Final = "-r --recursive -m --mirror -p --page-requisites"
_DIRECTED: Final = f"-x --force-directories {_DEEP}"


def saved_by_curl(sorted_: Sorted, addresses: Sequence[Word]) -> list[Touch]:
    """The files that `-O` names by address, and those whose names `#1` takes from it.

    >>> from assent.programs.options import sort_words
    >>> from assent.programs.reading import row_and_words
    >>> row, words = row_and_words("curl -O --output-dir out https://x.org/b/a.tgz?c")
    >>> print(*saved_by_curl(sort_words(row, words), words[-1:]))
    write out/a.tgz
    """
    folder = sorted_.found.get("--output-dir")
    names: list[Word] = []
    if sorted_.has("-O --remote-name --remote-name-all"):
        literal = sorted_.has("-g --globoff")
        spelled = addresses if literal else [it for word in addresses for it in _expanded(word)]
        names += [it for word in spelled for it in _ends(word)]
        names += [_SERVERS] if sorted_.has("-J --remote-header-name") else []
    outputs = sorted_.of("-o --output")
    names += [
        it.spelled(_NUMBERED.sub("*", it.text), glob=True)
        for it in outputs
        if _NUMBERED.search(it.text)
    ]
    names += outputs if folder is not None else ()
    return _written(names, folder)


def saved_by_wget(sorted_: Sorted, addresses: Sequence[Word]) -> list[Touch]:
    """The files that wget names by address, in folders where flags ask for them.

    >>> from assent.programs.options import sort_words
    >>> from assent.programs.reading import row_and_words
    >>> row, words = row_and_words("wget -x https://x.org/b/")
    >>> print(*saved_by_wget(sort_words(row, words), words[-1:]), sep=", ")
    write index.html, write x.org/b/index.html
    """
    if sorted_.has("-O --output-document --spider"):
        return []
    page = sorted_.found.get("--default-page") or Exact(text="index.html")
    names = [it for word in addresses for it in _ends(word, page)]
    folders = [it for word in addresses for it in _folders(sorted_, word)]
    names += [below(folder, name) for folder in folders for name in names]
    names += [_SERVERS] if sorted_.has("--content-disposition --trust-server-names") else []
    names += [_LISTED] if sorted_.has("-i --input-file") else []
    prefix = sorted_.found.get("-P") or sorted_.found.get("--directory-prefix")
    deep = [below(prefix or HERE, it) for it in folders or [HERE]] if sorted_.has(_DEEP) else []
    return [*_written(names, prefix), *(_write(it, tree=True) for it in deep)]


def saved_by_aria(sorted_: Sorted) -> list[Touch]:
    """The file that a flag names, else one that the server does.

    >>> from assent.programs.options import sort_words
    >>> from assent.programs.reading import row_and_words
    >>> print(*saved_by_aria(sort_words(*row_and_words("aria2c -o a.tgz https://x.org/b"))))
    write a.tgz
    >>> print(*saved_by_aria(sort_words(*row_and_words("aria2c https://x.org/b"))))
    write what the server names it
    """
    named = sorted_.of("-o --out")
    folder = sorted_.found.get("-d") or sorted_.found.get("--dir")
    return _written(named or [_SERVERS], folder)


def _written(names: Iterable[Word], folder: Word | None) -> list[Touch]:
    return [_write(below(folder, it)) for it in dict.fromkeys(names)]


def _write(word: Word, *, tree: bool = False) -> Touch:
    return Touch(kind=Kind.WRITE, word=word, tree=tree)


def _ends(address: Word, page: Word | None = None) -> Iterator[Word]:
    """The names under which the end of an address may be saved, also unescaped."""
    path = re.split(r"[?#]", address.text.split("://")[-1])[0]
    if not address.known:
        tail = literal_head(Exact(text=_UNSURE.sub("", address.text).rpartition("/")[2]))
        yield from (Pattern(text=f"{before}{tail}") for before in ("*", ".*"))
        return
    name = path.rpartition("/")[2] if "/" in path else ""
    if name:
        yield from (
            word_of(text, glob=address.glob) for text in dict.fromkeys((name, unquote(name)))
        )
    elif page is not None:
        yield page


def _folders(sorted_: Sorted, address: Word) -> Iterator[Word]:
    """The folders that wget makes of an address, each as a path."""
    if sorted_.has("-nd --no-directories") or not sorted_.has(_DIRECTED):
        return
    host, *parts = re.split(r"[?#]", address.text.split("://")[-1])[0].split("/")[:-1] or [""]
    cut = sorted_.found.get("--cut-dirs") or Exact(text="0")
    sure = address.known and cut.known and cut.text.isdecimal()
    kept = [unquote(part) for part in parts[int(cut.text) if sure else 0 :]]
    bare = sorted_.has("-nH --no-host-directories")
    for whole in {"/".join(kept)} if bare else {"/".join([host, *kept])}:
        yield word_of(whole or ".", known=sure)


def _expanded(address: Word) -> Iterator[Word]:
    """The addresses that curl makes of one with braces and brackets."""
    if not (address.known and any(sign in address.text for sign in "{[")):
        yield address
        return
    plain = _RANGES.sub("*", address.text)
    pieces = _SETS.split(plain)
    ways = [it.split(",") if at % 2 else [it] for at, it in enumerate(pieces)]
    if prod(map(len, ways)) > _MOST:
        yield address.spelled("$").lost()
        return
    for way in product(*ways):
        yield address.spelled("".join(way), glob="*" in plain)
