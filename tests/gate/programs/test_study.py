"""What a command does, by the tables: one example of each row at least."""

import re

from assent.gate.programs.deeds import Deeds, Touch
from assent.gate.programs.rows import Row
from assent.gate.programs.study import study
from assent.gate.programs.tables import TABLES, by_name, git_by_name
from assent.gate.programs.tables.reading_commands import ORDERS
from assent.gate.programs.tables.versions import ASKING
from gate.programs.effects import CHANGING, ESCAPING
from gate.programs.examples import LEFT, READING
from gate.programs.losses import LOSSES
from gate.programs.words import command, of
from tables import each_row


def _marks(touch: Touch) -> str:
    marks = {
        "?": touch.if_there,
        "*": touch.tree,
        "~": touch.some,
        "@": touch.led,
        "h": not touch.hidden,
    }
    return "".join(mark for mark, there in marks.items() if there)


def _shown(deeds: Deeds) -> str:
    touches = ", ".join(f"{it.kind.value}{_marks(it)} {it.word.text}" for it in deeds.touches)
    return f"{touches} !" if deeds.catastrophic else touches


@each_row("line", READING)
def test_what_only_reads_is_reading(line: str) -> None:
    deeds = study(command(line))
    assert deeds.reading
    assert deeds.known
    assert deeds.escapes == ()
    assert not deeds.catastrophic


@each_row(("line", "why"), ESCAPING)
def test_what_does_more_than_its_name_says_is_told(line: str, why: str) -> None:
    deeds = study(command(line))
    assert why in " ".join(deeds.escapes)
    # What find runs is judged for itself, and find reads beside it.
    assert deeds.reading == bool(re.search(r"^find .*-(exec|ok)|^fd ", line))


@each_row("line", LEFT)
def test_what_is_not_known_to_read_is_no_reading(line: str) -> None:
    assert not study(command(line)).reading


@each_row(("line", "touches"), CHANGING)
def test_what_a_command_touches_is_told(line: str, touches: str) -> None:
    assert _shown(study(command(line))) == touches.strip()


@each_row(("name", "word"), sorted(ASKING))
def test_a_program_that_is_asked_for_its_version_reads(name: str, word: str) -> None:
    assert study(of(name, word)).reading
    assert study(of(f"/usr/bin/{name}", word)).reading
    assert not study(of(f"./{name}", word)).reading
    assert name in by_name() or not study(of(name, word, "x")).reading


_ROWS = [row for table in TABLES for row in table]
_LINES = [*READING, *LEFT, *(line for line, _ in (*ESCAPING, *CHANGING, *LOSSES))]


def _examples(row: Row, lines: list[str]) -> list[str]:
    names = row.names.split()
    return [line for line in lines if line.split()[0].rpartition("/")[2] in names]


@each_row("row", _ROWS, ids=lambda row: row.names.split()[0])
def test_each_row_has_an_example(row: Row) -> None:
    examples = _examples(row, list(READING) if row.reads else _LINES)
    assert examples or row.names in UNTOLD


@each_row("order", [it for row in ORDERS for it in row.names.split(", ")])
def test_each_command_that_reads_has_an_example(order: str) -> None:
    assert any(set(order.split()) <= set(line.split()) for line in READING)


@each_row("row", ORDERS, ids=lambda row: row.names)
def test_a_command_that_reads_names_no_flag_that_does_more(row: Row) -> None:
    assert row.reads
    assert not any(flag.escape for flag in row.known.values())


def test_what_loads_code_of_the_folder_says_from_where() -> None:
    for line in ("pnpm -r list", "cargo nextest --version", "helm lint a", "tox --version"):
        assert study(command(line)).steered_by


UNTOLD: set[str] = set()
"""Rows of which nothing is shown."""


@each_row("name", sorted(git_by_name()))
def test_each_command_of_git_has_an_example(name: str) -> None:
    row = git_by_name()[name]
    of_row = {
        one
        for one in row.names.split(", ")
        if any(re.match(rf"git (-\S+ \S+ )*{re.escape(one)}\b", line) for line in _LINES)
    }
    assert of_row or not row.reads


@each_row("row", [row for row in _ROWS if row.risky], ids=lambda row: row.names.split()[0])
def test_each_row_with_an_escape_has_one_that_shows_it(row: Row) -> None:
    lines = [line for line, _ in ESCAPING]
    assert _examples(row, lines) or row.names in UNSHOWN


UNSHOWN = {
    "vi vim nvim view nano emacs pico",
    "ping ping6 host nslookup traceroute tracepath mtr whois",
}
