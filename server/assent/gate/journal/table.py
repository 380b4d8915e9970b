"""Exports rows of the journal as lines of JSON or comma-separated values.

A cell that a spreadsheet would take for a formula gets an apostrophe before it: agents write the
commands that stand there, and what a person opens must not act.
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from assent.gate.call.calls import canonical
from assent.gate.journal.row_marks import body_of

__all__ = ["COLUMNS", "as_cells", "as_csv", "as_json", "moment", "sought_in", "what_of"]

Row = Mapping[str, Any]

COLUMNS: Final = (
    "record",
    "time",
    "kind",
    "agent",
    "tool",
    "what",
    "outcome",
    "by",
    "because",
    "rule",
    "source",
    "shown_ms",
    "folder",
    "workspace",
    "chat",
    "call",
    "hash",
)

_ACTS: Final = ("=", "+", "-", "@", "\t", "\n", "＝", "＋", "－", "＠")
"""With what a spreadsheet begins to reckon, blanks before it aside."""


def as_json(row: Row) -> str:
    """A whole row in one line, of which no letter acts on a terminal."""
    return json.dumps({**row, "body": body_of(row)}, ensure_ascii=True, default=repr)


def as_csv(rows: Iterable[Iterable[str]]) -> str:
    """Lines of cells, each in quotes."""
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    return out.getvalue()


def as_cells(row: Row) -> list[str]:
    """What a row says, in the order of the columns."""
    body = body_of(row)
    said = {
        "record": row["seq"],
        "time": moment(row["at"]),
        "what": what_of(body),
        "folder": body.get("cwd"),
        "shown_ms": body.get("shownMs"),
    }
    names = {name: row[name] for name in ("kind", "agent", "chat", "call", "hash")}
    return [_cell({**body, **names, **said}.get(name)) for name in COLUMNS]


def what_of(body: Mapping[str, Any]) -> str:
    """What was to be done, as it was kept: the command, the address, the path, or all of it."""
    if "setting" in body:
        return f"{body['setting']}: {_text(body.get('value'))}"
    given = body.get("input")
    if not isinstance(given, dict):
        return _text(body.get("what") or given)
    sought = sought_in(body)
    if sought is not None:
        where = given.get("path")
        return f"{sought} in {where}" if where and isinstance(where, str) else sought
    if body.get("tool") == "network":
        return f"{_text(given.get('host'))}:{_text(given.get('port'))}"
    said = (given[member] for member in _SAYS.get(str(body.get("tool")), ()) if given.get(member))
    return _text(next(said, given or body.get("targets")))


def sought_in(body: Mapping[str, Any]) -> str | None:
    """What was looked for, as it was written; None where something was read, or done."""
    given = body.get("input")
    sought = given.get("pattern") if isinstance(given, dict) else None
    return sought if body.get("tool") == "read" and sought and isinstance(sought, str) else None


def moment(milliseconds: object) -> str:
    """A time in words that every program reads; the number where it is none."""
    try:
        seconds = float(str(milliseconds)) / 1000
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):
        return str(milliseconds)


_SAYS: Final = {
    "shell": ("command",),
    "fetch": ("url",),
    "read": ("path",),
    "write": ("path",),
    "catalogue": ("words", "name"),
}
"""The members of a call's arguments of which the first says most of it."""


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bytes):
        return repr(value)
    return value if isinstance(value, str) else canonical(value)


def _cell(value: object) -> str:
    # Nor does a letter act on a terminal on which the table is printed.
    text = "".join(
        letter if letter.isprintable() or letter in "\n\t" else f"\\u{ord(letter):04x}"
        for letter in _text(value)
    )
    return f"'{text}" if text.lstrip(" \ufeff").startswith(_ACTS) else text
