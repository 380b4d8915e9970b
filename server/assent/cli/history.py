"""`assent history`: what agents wanted to do and how it was decided, newest first.

What is asked for is looked up in an index beside the journal; what is shown is the journal's.
"""

import argparse
import contextlib
import io
import json
import re
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, Final

from assent.cli.journal_choice import add_journal, journals_of
from assent.gate.call.verdicts import Actor
from assent.gate.journal.reader import JournalUnread, Reader, reading
from assent.gate.journal.row_marks import body_of
from assent.gate.journal.search import FILTERS, is_searchable, searching
from assent.gate.journal.table import COLUMNS, as_cells, as_csv, as_json, moment
from assent.gate.text.lazy_patterns import late
from assent.gate.values import define, field

__all__ = ["main"]

_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_PROGRESS_DELAY_S: Final = 0.5
"""After so many seconds it is told how far it is."""
_AGO: Final = late(rf"([0-9]{{1,5}})([{''.join(_UNITS)}])")

Given = argparse.Namespace
Values = Mapping[str, Any]


def main(arguments: Sequence[str]) -> int:
    """Print the rows that are asked for; what the process should exit with."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.show is not None and (options.csv or any(_asked(options).values())):
        parser.error("--show prints one record by its number, so nothing else can be asked for")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Not every terminal knows every letter.
        sys.stdout.reconfigure(errors="backslashreplace")
    if options.show is not None:
        return _show(options)
    printed, failed = 0, False
    write = _writer(options)
    for path in journals_of(options):
        if printed >= options.last:
            break
        try:
            with (
                reading(path) as reader,
                contextlib.closing(_matching_rows(reader, options)) as rows,
            ):
                for row in islice(rows, options.last - printed):
                    sys.stdout.write(write(row))
                    printed += 1
        except JournalUnread as error:
            sys.stderr.write(f"assent: {error}\n")
            failed = True
    if not printed and not failed:
        sys.stderr.write("No row fits.\n")
    return int(failed)


def _show(options: Given) -> int:
    """Print one record with its card, from the first journal that has one of this number."""
    # Only who asks for a card waits for what reads one.
    from assent.cli.record_print import as_shown  # noqa: PLC0415

    for path in journals_of(options):
        try:
            with reading(path) as reader:
                for row in reader.numbered([options.show]):
                    text = as_shown(reader, row, _line(row), as_lines=options.jsonl)
                    sys.stdout.write(text)
                    return 0
        except JournalUnread as error:
            sys.stderr.write(f"assent: {error}\n")
            return 1
    sys.stderr.write(f"There is no record {options.show}.\n")
    return 1


def _asked(options: Given) -> dict[str, Any]:
    return {name: getattr(options, name) for name in FILTERS}


def _matching_rows(reader: Reader, options: Given) -> Generator[dict[str, Any], None, None]:
    """The rows that fit everything that is asked for."""
    asked = _asked(options)
    if all(given is None for given in asked.values()):
        yield from reader.newest()
        return
    with searching(reader, asked, _Telling()) as search:
        yield from reader.numbered(search.numbers(asked))


@define
class _Telling:
    """Says how far a journal is looked through that takes a while, to a person at a terminal."""

    _begun: float = field(factory=time.monotonic)
    _is_told: bool = False

    def __call__(self, done: int, of: int) -> None:
        """So much of so much is done."""
        late = time.monotonic() - self._begun > _PROGRESS_DELAY_S
        if sys.stderr.isatty() and (late or self._is_told):
            self._is_told = done < of
            share = f"Looking the journal through for the first time: {100 * done // of} %"
            sys.stderr.write(f"\r{share}" if done < of else f"\r{' ' * len(share)}\r")
            sys.stderr.flush()


def _writer(options: Given) -> Callable[[Values], str]:
    """What is printed of each row."""
    if options.csv:
        sys.stdout.write(as_csv([COLUMNS]))
        return lambda row: as_csv([as_cells(row)])
    return lambda row: (as_json(row) if options.jsonl else _line(row)) + "\n"


def _line(row: Values) -> str:
    """One row as one line of which no letter acts on the terminal."""
    body = body_of(row)
    what = body.get("input") or body.get("setting") or ""
    said = " ".join(str(body.get(name, "")) for name in ("outcome", "state", "by", "because"))
    line = f"{row['seq']} {moment(row['at'])} {row['kind']} {row['agent'] or '-'} {said} {what}"
    return json.dumps(line, ensure_ascii=True)[1:-1]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "assent history",
        description="Show what agents wanted to do and what was decided, newest first. What is"
        " asked for must all fit.",
    )
    add_journal(parser)
    add = parser.add_argument
    add("--since", type=_since, metavar="2d|2026-11-20", help="since then; also 30m, 6h, 2w")
    add("--agent", help="of this agent, by its id")
    add("--verdict", type=_verdict, metavar="allowed|denied|asked", help="what became of it")
    add("--denied", dest="verdict", action="store_const", const="refused", help="what was denied")
    add("--by", choices=[actor.value for actor in Actor], help="who decided")
    add("--tool", help="such as shell, read, write, fetch or mcp")
    add("--rule", help="decided by a rule with this in it")
    add("--path", help="touched or named this file, or one below this folder, or worked there")
    add("--host", help="reached or named this host, or one below it")
    add("--workspace", type=_folder, metavar="FOLDER", help="asked in this workspace, or below it")
    add("--text", type=_text, help="has words that begin so")
    add("--last", type=_count, default=50, metavar="N", help="so many at most (50)")
    add("--show", type=_count, metavar="N", help="record N alone, with its card as it was shown")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--jsonl", action="store_true", help="whole rows, as lines of JSON")
    form.add_argument("--csv", action="store_true", help="as a table for a spreadsheet")
    return parser


def _since(given: str) -> int:
    ago = _AGO.fullmatch(given)
    try:
        if ago is not None:
            then = datetime.now(UTC) - timedelta(**{_UNITS[ago.group(2)]: int(ago.group(1))})
        else:
            then = datetime.fromisoformat(given).astimezone()
        return int(then.timestamp() * 1000)
    except (ValueError, OverflowError) as error:
        message = f"{given!r} is no time: say 30m, 6h, 2d, 2w, or a day such as 2026-11-20"
        raise argparse.ArgumentTypeError(message) from error


_VERDICTS: Final = {"allowed": "allowed", "denied": "refused", "asked": "asked"}


def _verdict(given: str) -> str:
    if given not in _VERDICTS:
        raise argparse.ArgumentTypeError(f"{given!r} is none of {', '.join(_VERDICTS)}")
    return _VERDICTS[given]


def _text(given: str) -> str:
    if not is_searchable(given):
        raise argparse.ArgumentTypeError("it needs a letter or a digit")
    return given


def _folder(given: str) -> str:
    return str(Path(given).absolute())


def _count(given: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", given) or not int(given):
        raise argparse.ArgumentTypeError(f"{given!r} is no number such as 50")
    return int(given)
