"""Programs that run another one, which their words name: `env`, `timeout`, `xargs`, `find -exec`.

A row says which options a wrapper has and how many operands stand before the inner command. A word
that is not known, or an option that is not in the row, leaves doubt where the inner one begins; it
is told all the same, from where it most likely does, so that what refuses it still holds.
"""

from collections.abc import Mapping
from typing import Final

from assent.bash.port import Inside
from assent.bash.script import Word, bare_name
from assent.programs.wrapper_options import Row, after

__all__ = ["NOWHERE", "inside", "join_words"]

NOWHERE: Final = Word(text="…", known=False)
"""A folder that nobody knows."""

_UNSURE: Final = "What runs inside this is only known when it runs."

_PLACES: Final = ("/usr/bin/", "/bin/", "/usr/sbin/", "/sbin/")


def inside(argv: tuple[Word, ...], rows: Mapping[str, Row]) -> Inside | None:
    """What the wrapper at the head of these words runs; None where it runs nothing.

    >>> from assent.programs.reading import words_of
    >>> from assent.programs.runners import ROWS
    >>> ran = inside(words_of("sudo -u app make test"), ROWS)
    >>> [it.text for it in ran.argvs[0]], ran.doubt
    (['make', 'test'], '')
    >>> inside(words_of("sudo --frob app make test"), ROWS).doubt
    'What runs inside this is only known when it runs.'
    """
    name = argv[0].text
    row = rows.get(bare_name(name))
    if row is None:
        return None
    options = after(argv, row)
    if options.given.keys() & row.quiet:
        return None
    texts = tuple(
        it.text for key, it in options.given.items() if key in row.text and it and it.known
    )
    unread = any(key in row.text and not (it and it.known) for key, it in options.given.items())
    rest = argv[options.at :]
    if row.joined and rest:
        joined = join_words(rest)
        texts, unread, rest = (joined[0],), unread or not joined[1], ()
    if not rest and not texts and not unread and not options.assignments:
        # One word may become more, and the last of them what runs.
        more = any(it.several or it.glob for it in argv[1:])
        return Inside(doubt=row.doubt or _UNSURE) if more else None
    adds = bool(options.given.keys() & row.adds) or not _is_plainly(name)
    return Inside(
        argvs=(rest,) if rest else (),
        assignments=tuple(options.assignments),
        texts=texts,
        wraps=row.wraps and not adds,
        doubt=row.doubt or ("" if options.sure and not unread else _UNSURE),
        same_shell=row.same_shell,
        folder=_folder(options.given, row),
    )


def _folder(given: Mapping[str, Word | None], row: Row) -> Word | None:
    """Where the inner command runs, if not here."""
    if "*" in row.leaves or given.keys() & row.leaves:
        return NOWHERE
    moved = [given[key] or NOWHERE for key in given if key in row.moves]
    return moved[0] if len(moved) == 1 else NOWHERE if moved else None


def _is_plainly(name: str) -> bool:
    """Whether it is named without a folder, or with one of the system's."""
    return "/" not in name or name.rpartition("/")[0] + "/" in _PLACES


def join_words(words: tuple[Word, ...]) -> tuple[str, bool]:
    """Words as the one text that a shell reads, and whether all of them are known.

    >>> join_words((Word(text="make"), Word(text="$TARGET", known=False)))
    ('make $TARGET', False)
    """
    sure = all(it.known and not it.glob and not it.home for it in words)
    return " ".join(it.text for it in words), sure
