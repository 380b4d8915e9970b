"""`assent verify`: checks each row of a journal, and its end by the seal.

One row at a time is in memory. Who has no key cannot tell a forged seal from a genuine one; a row
that fits neither the chain nor the seal, and an end that is missing, show all the same.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from assent.cli.journal_choice import add_journal, journals_of
from assent.gate.journal.card_lookup import Checked, open_card_lookup
from assent.gate.journal.chain import first_break
from assent.gate.journal.integrity import look_through
from assent.gate.journal.quarantine import is_set_aside
from assent.gate.journal.reader import JournalUnread, JournalUntold, Reader, reading
from assent.gate.journal.seal import Head, heads_beside
from assent.gate.values import evolve, frozen

__all__ = ["main"]

_WHOLE, _BROKEN, _UNSEALED = 0, 1, 2
_WORDS: Final = {_WHOLE: "whole", _BROKEN: "broken", _UNSEALED: "unsealed"}

_LINK: Final = (
    "The journal {} is a link, into which no row is written: name the file that it leads to."
)
_INDEX_FITS: Final = "The index says what the rows say, or is made anew for the next question."
_NOT_LOOKED: Final = (
    "Whether `assent history` finds all: say `--index`, or delete `indexes`, and it is made anew."
)
_CANNOT_SHOW: Final = (
    "Whether the seal itself is genuine: the editor, which has its key, checks that at each start.",
    "Whether journal and seal were both put back to an older copy: the editor tells that, too.",
    "What was done past the gate: a row stands here for what was asked of it.",
    "Whether the oldest cards were taken out before their time: they are deleted first.",
    "Whether kept chats are what was written: the editor tells that at each start.",
)


@frozen
class _Result:
    """What is known of one journal."""

    code: int
    rows: int
    sentence: str
    state: str = ""
    """Where that is another than the code says."""


def main(arguments: Sequence[str]) -> int:
    """Check each journal: 0 where all are whole, 1 where one is not, 2 where that is unsure."""
    options = _parser().parse_args(arguments)
    codes = {_report(path, options) for path in journals_of(options)}
    if not options.jsonl:
        sys.stdout.write("This cannot show:\n")
        sys.stdout.writelines(f"- {line}\n" for line in _unshown(with_index=options.index))
    return next(code for code in (_BROKEN, _UNSEALED, _WHOLE) if code in codes)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "assent verify",
        description="Check that no row of the journal was changed, moved or taken out. Ends with 0"
        " where all is as it was written, 1 where it is not, 2 where that cannot be told.",
    )
    add_journal(parser)
    parser.add_argument("--jsonl", action="store_true", help="a line of JSON for each journal")
    parser.add_argument(
        "--index", action="store_true", help="work out what History looks things up by, and compare"
    )
    return parser


def _unshown(*, with_index: bool) -> tuple[str, ...]:
    return _CANNOT_SHOW if with_index else (*_CANNOT_SHOW, _NOT_LOOKED)


def _report(path: Path, options: argparse.Namespace) -> int:
    result = _looked(path, with_index=options.index)
    if options.jsonl:
        record = {
            "journal": str(path),
            "state": result.state or _WORDS[result.code],
            "rows": result.rows,
            "because": result.sentence,
            "cannotShow": _unshown(with_index=options.index),
        }
        sys.stdout.write(json.dumps(record) + "\n")
    else:
        sys.stdout.write(result.sentence + "\n")
    return result.code


def _looked(path: Path, *, with_index: bool) -> _Result:
    if path.is_symlink():
        return _Result(_UNSEALED, 0, _LINK.format(path), "unknown")
    try:
        with reading(path) as reader:
            damage = look_through(path)
            if damage is not None:
                return _Result(_BROKEN, 0, f"The journal {damage}.")
            result = _walked(reader)
            return _with_index(reader, result) if with_index and result.code != _BROKEN else result
    except JournalUntold as error:
        return _Result(_UNSEALED, 0, str(error), "unknown")
    except JournalUnread as error:
        return _Result(_BROKEN, 0, str(error))


def _with_index(reader: Reader, result: _Result) -> _Result:
    """What is known of a journal and of the index beside it."""
    # Only who asks for it waits for what reads an index.
    from assent.gate.journal.index_check import index_fault  # noqa: PLC0415

    fault = index_fault(reader)
    if fault is None:
        return _Result(result.code, result.rows, f"{result.sentence} {_INDEX_FITS}", result.state)
    wrong = f"The index {fault}: delete the folder `indexes`, and it is made anew."
    return _Result(_BROKEN, result.rows, f"{result.sentence} {wrong}", "indexBroken")


def _walked(reader: Reader) -> _Result:
    """Every row against the one before it, and some against the seals."""
    heads = list(_sealed(reader))
    wanted = {head.seq for head in heads} | {1}
    hashes: dict[int, str] = {}
    last = 0
    with open_card_lookup(reader.path) as cards:
        checked = Checked(cards)

        def noting() -> Iterator[dict[str, Any]]:
            nonlocal last
            for row in reader.all():
                last = row["seq"]
                if last in wanted:
                    hashes[last] = row["hash"]
                checked.take(row)
                yield row

        broken = first_break(noting())
    if broken is not None:
        return _Result(_BROKEN, last, f"Row {broken} was changed, moved or taken out.")
    result = _against_seals(heads, hashes, last)
    if result.code != _BROKEN and checked.fault:
        return _Result(_BROKEN, last, f"{result.sentence} {checked.fault}", "cardBroken")
    return evolve(result, sentence=f"{result.sentence}{checked.summary}")


def _against_seals(heads: list[Head], hashes: Mapping[int, str], last: int) -> _Result:
    """Compare the ends; of several keys' seals, each tells of what it was there for."""
    gone = [head.seq for head in heads if head.seq > last]
    if gone:
        cut = f"Cut off: row {max(gone)} had been sealed, and the last is row {last}."
        return _Result(_BROKEN, last, cut)
    if any(
        head.journal != hashes.get(1) or head.hash not in ("", hashes.get(head.seq))
        for head in heads
    ):
        return _Result(_BROKEN, last, "Changed: the journal is not the one that was sealed.")
    if not heads:
        unsure = (
            f"All {last} rows fit each other. Whether any are missing at the end cannot be told"
            " without the seal."
        )
        return _Result(_UNSEALED, last, unsure)
    return _Result(_WHOLE, last, f"All {last} rows are as they were written, and fit the seal.")


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
