"""`assent verify`: whether a journal is what was written, row by row, and its end by the seal.

One row at a time is in memory. Who has no key cannot tell a forged seal from a genuine one; a row
that fits neither the chain nor the seal, and an end that is missing, show all the same.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from assent.cli.journals import add_journal, journals_of
from assent.history.aside import is_set_aside
from assent.history.chain import first_break
from assent.history.reader import JournalUnread, JournalUntold, Reader, reading
from assent.history.seal import Head, heads_beside
from assent.history.whole import look_through

__all__ = ["main"]

_WHOLE, _BROKEN, _UNSEALED = 0, 1, 2
_WORDS: Final = {_WHOLE: "whole", _BROKEN: "broken", _UNSEALED: "unsealed"}

_CANNOT_SHOW: Final = (
    "Whether the seal itself is genuine: the editor, which has its key, checks that at each start.",
    "Whether journal and seal were both put back to an older copy: the editor tells that, too.",
    "Whether `assent history` finds all: its index is made anew where you delete `indexes`.",
    "What was done past the gate: a row stands here for what was asked of it.",
)


@frozen
class _Found:
    """What is known of one journal."""

    code: int
    rows: int
    sentence: str
    state: str = ""
    """Where that is another than the code says."""


def main(arguments: Sequence[str]) -> int:
    """Check each journal: 0 where all are whole, 1 where one is not, 2 where that is unsure."""
    options = _parser().parse_args(arguments)
    codes = {_told(path, as_json=options.jsonl) for path in journals_of(options)}
    if not options.jsonl:
        sys.stdout.write("This cannot show:\n")
        sys.stdout.writelines(f"- {it}\n" for it in _CANNOT_SHOW)
    return next(code for code in (_BROKEN, _UNSEALED, _WHOLE) if code in codes)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "assent verify",
        description="Check that no row of the journal was changed, moved or taken out. Ends with 0"
        " where all is as it was written, 1 where it is not, 2 where that cannot be told.",
    )
    add_journal(parser)
    parser.add_argument("--jsonl", action="store_true", help="a line of JSON for each journal")
    return parser


def _told(path: Path, *, as_json: bool) -> int:
    found = _looked(path)
    if as_json:
        told = {
            "journal": str(path),
            "state": found.state or _WORDS[found.code],
            "rows": found.rows,
            "because": found.sentence,
            "cannotShow": _CANNOT_SHOW,
        }
        sys.stdout.write(json.dumps(told) + "\n")
    else:
        sys.stdout.write(found.sentence + "\n")
    return found.code


def _looked(path: Path) -> _Found:
    try:
        with reading(path) as reader:
            damage = look_through(path)
            if damage is not None:
                return _Found(_BROKEN, 0, f"The journal {damage}.")
            return _walked(reader)
    except JournalUntold as error:
        return _Found(_UNSEALED, 0, str(error), "unknown")
    except JournalUnread as error:
        return _Found(_BROKEN, 0, str(error))


def _walked(reader: Reader) -> _Found:
    """Every row against the one before it, and some against the seals."""
    heads = list(_sealed(reader))
    wanted = {head.seq for head in heads} | {1}
    hashes: dict[int, str] = {}
    last = 0

    def noting() -> Iterator[dict[str, Any]]:
        nonlocal last
        for row in reader.all():
            last = row["seq"]
            if last in wanted:
                hashes[last] = row["hash"]
            yield row

    broken = first_break(noting())
    if broken is not None:
        return _Found(_BROKEN, last, f"Row {broken} was changed, moved or taken out.")
    return _against_seals(heads, hashes, last)


def _against_seals(heads: list[Head], hashes: Mapping[int, str], last: int) -> _Found:
    """Compare the ends; of several keys' seals, each tells of what it was there for."""
    gone = [it.seq for it in heads if it.seq > last]
    if gone:
        cut = f"Cut off: row {max(gone)} had been sealed, and the last is row {last}."
        return _Found(_BROKEN, last, cut)
    if any(it.journal != hashes.get(1) or it.hash not in ("", hashes.get(it.seq)) for it in heads):
        return _Found(_BROKEN, last, "Changed: the journal is not the one that was sealed.")
    if not heads:
        unsure = (
            f"All {last} rows fit each other. Whether any are missing at the end cannot be told"
            " without the seal."
        )
        return _Found(_UNSEALED, last, unsure)
    return _Found(_WHOLE, last, f"All {last} rows are as they were written, and fit the seal.")


def _sealed(reader: Reader) -> Iterator[Head]:
    """The heads that are about this journal; one that was set aside has those of later ones."""
    aside = is_set_aside(reader.path)
    first = reader.hash_of(1)
    for head in heads_beside(reader.path):
        journal, _, seq = head.before.partition(" ")
        if not aside or head.journal == first:
            yield head
        elif journal == first:
            yield Head(journal=first, seq=int(seq))
