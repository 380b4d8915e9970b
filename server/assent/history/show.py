"""`assent history`: the journal for people, and whether its chain is whole."""

import argparse
import json
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assent.history.chain import first_break

__all__ = ["main"]


def main(arguments: Sequence[str]) -> int:
    """Print the last rows, or check the chain; what the process should exit with."""
    options = _parser().parse_args(arguments)
    if not options.journal.is_file():
        sys.stderr.write(f"There is no journal at {options.journal}; nothing was decided yet.\n")
        return 1
    try:
        rows = list(_rows(options.journal))
    except sqlite3.Error as error:
        sys.stderr.write(f"The journal could not be read: {error}.\n")
        return 1
    return _verify(rows) if options.verify else _print(rows[-options.last :])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("assent history", description=__doc__)
    parser.add_argument("journal", type=Path, help="the file `journal.db` in the state folder")
    parser.add_argument("--verify", action="store_true", help="check that no row was changed")
    parser.add_argument("--last", type=int, default=50, help="how many rows to print")
    return parser


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True) as database:
        database.row_factory = sqlite3.Row
        for row in database.execute("select * from entries order by seq"):
            yield dict(row)
    database.close()


def _verify(rows: list[dict[str, Any]]) -> int:
    broken = first_break(rows)
    if broken is None:
        sys.stdout.write(f"All {len(rows)} rows are as they were written.\n")
        return 0
    sys.stdout.write(f"Row {broken} was changed, moved or taken out.\n")
    return 1


def _print(rows: list[dict[str, Any]]) -> int:
    for row in rows:
        body = json.loads(row["body"])
        at = datetime.fromtimestamp(row["at"] / 1000, UTC).isoformat(timespec="seconds")
        what = body.get("input") or body.get("setting") or ""
        said = " ".join(str(body.get(name, "")) for name in ("outcome", "state", "by", "because"))
        line = f"{row['seq']} {at} {row['kind']} {row['agent'] or '-'} {said} {what}"
        sys.stdout.write(json.dumps(line, ensure_ascii=True)[1:-1] + "\n")
    return 0
