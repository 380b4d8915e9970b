"""`assent history`: the journal for people, and whether it is what was written.

Who has no key cannot tell a forged seal from a genuine one; a row that fits neither the chain nor
the seal, and an end that is missing, show all the same.
"""

import argparse
import json
import sqlite3
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assent.history.chain import first_break
from assent.history.seal import FOLDER, Head, places_of
from assent.history.whole import look_through
from assent.settings.ordinary import read_ordinary

__all__ = ["main"]


def main(arguments: Sequence[str]) -> int:
    """Print the last rows, or check the chain; what the process should exit with."""
    options = _parser().parse_args(arguments)
    if not options.journal.is_file():
        sys.stderr.write(f"There is no journal at {options.journal}; nothing was decided yet.\n")
        return 1
    try:
        if options.verify:
            return _verify(options.journal)
        return _print(list(_rows(options.journal))[-options.last :])
    except sqlite3.Error as error:
        sys.stderr.write(f"The journal is damaged, or is none: {error}.\n")
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("assent history", description=__doc__)
    parser.add_argument("journal", type=Path, help="the file `journal.db` in the state folder")
    parser.add_argument(
        "--verify", action="store_true", help="check that no row was changed or lost"
    )
    parser.add_argument("--last", type=int, default=50, help="how many rows to print")
    return parser


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True) as database:
        database.row_factory = sqlite3.Row
        for row in database.execute("select * from entries order by seq"):
            yield dict(row)
    database.close()


def _verify(path: Path) -> int:
    """0 where all is as it was written, 1 where it is not, 2 where the end cannot be told."""
    damage = look_through(path)
    if damage is not None:
        sys.stdout.write(f"The journal {damage}.\n")
        return 1
    wanted = {head.seq for head in _heads(path)} | {1}
    hashes: dict[int, str] = {}
    last = [0]

    def noting(rows: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for row in rows:
            last[0] = row["seq"]
            if last[0] in wanted:
                hashes[last[0]] = row["hash"]
            yield row

    broken = first_break(noting(_rows(path)))
    if broken is not None:
        sys.stdout.write(f"Row {broken} was changed, moved or taken out.\n")
        return 1
    return _against_seals(_heads(path), hashes, last[0])


def _against_seals(heads: list[Head], hashes: Mapping[int, str], last: int) -> int:
    """Compare the ends; of several keys' seals, each tells of what it was there for."""
    gone = [it.seq for it in heads if it.seq > last]
    if gone:
        sys.stdout.write(f"Cut off: row {max(gone)} had been sealed, and the last is row {last}.\n")
        return 1
    if any(it.journal != hashes.get(1) or it.hash != hashes.get(it.seq) for it in heads):
        sys.stdout.write("Changed: the journal is not the one that was sealed.\n")
        return 1
    if not heads:
        sys.stdout.write(
            f"All {last} rows fit each other. Whether any are missing at the end cannot be told"
            " without the seal.\n"
        )
        return 2
    sys.stdout.write(
        f"All {last} rows are as they were written, and fit the seal. Whether the seal itself is"
        " genuine is checked by the editor, which has its key, at each start.\n"
    )
    return 0


def _heads(path: Path) -> list[Head]:
    """What the seals beside a journal say, each by its newer place; not whether it is so."""
    heads = []
    for file in sorted(path.parent.joinpath(FOLDER).glob("*")):
        with suppress(OSError):
            places = places_of(read_ordinary(file, 4_096))
            if places and (newest := max(places).head).journal:
                heads.append(newest)
    return heads


def _print(rows: list[dict[str, Any]]) -> int:
    for row in rows:
        body = json.loads(row["body"])
        at = datetime.fromtimestamp(row["at"] / 1000, UTC).isoformat(timespec="seconds")
        what = body.get("input") or body.get("setting") or ""
        said = " ".join(str(body.get(name, "")) for name in ("outcome", "state", "by", "because"))
        line = f"{row['seq']} {at} {row['kind']} {row['agent'] or '-'} {said} {what}"
        sys.stdout.write(json.dumps(line, ensure_ascii=True)[1:-1] + "\n")
    return 0
