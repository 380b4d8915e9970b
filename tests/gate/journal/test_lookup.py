"""What a person looks up in the journal: page by page, here or everywhere, and to take away."""

import asyncio
import csv
import io
import json
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from assent.editor.protocol import history as shapes
from assent.editor.window.record import history
from assent.editor.window.record.history import History
from assent.editor.window.record.history_rows import members_of
from assent.gate.call.calls import AgentId, CallId
from assent.gate.call.errors import AssentError
from assent.gate.journal import records
from assent.gate.journal.index import FOLDER
from assent.gate.journal.journal import Entry, Journal
from gate.journal.database import tamper
from gate.ruling.samples import running

requirement = pytest.mark.requirement


def decided(number: int, command: str = "make it-so", **more: Any) -> Entry:
    said = {"outcome": "allowed", "by": "user", "because": "You allowed it", **more}
    agent = AgentId(said.pop("agent", "eliza"))
    call = evolve(running(command), id=CallId(f"call-{number}"), agent=agent)
    return records.decided(call, None, **said)


async def write(path: Path, workspace: str, *entries: Entry) -> None:
    journal = Journal(path, "epoch-1", lambda: 1_790_000_000_000, workspace)
    for entry in entries:
        await journal.keep(entry)
    journal.close()


def lookup(
    path: Path,
    workspace: str = "/home/ada/till",
    beside: list[asyncio.Task[None]] | None = None,
) -> History:
    def spawn(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        if beside is not None:
            beside.append(task)
        return task

    return History(path, (workspace,), lambda agent: f"The agent {agent}", spawn)


async def listed(looked: History, before: int | None = None, **asked: Any) -> shapes.HistoryPage:
    wanted = shapes.HistoryFilter(**asked)
    return await looked.list(shapes.WantHistory(filter=wanted, before=before))


def numbers(page: shapes.HistoryPage) -> list[int]:
    return [row.record_id for row in page.rows]


@requirement("S-10")
async def test_records_come_in_pages_of_a_hundred_the_newest_first(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    await write(path, "/home/ada/till", *(decided(number) for number in range(1, 251)))
    looked = lookup(path)
    first = await listed(looked)
    assert numbers(first) == list(range(250, 150, -1))
    assert (first.more, first.looked_through) == (True, 1.0)
    second = await listed(looked, before=151)
    third = await listed(looked, before=51)
    assert numbers(second) + numbers(third) == list(range(150, 0, -1))
    assert (second.more, third.more) == (True, False)


@requirement("S-10")
async def test_filters_combine_and_what_was_asked_or_ended_is_part_of_its_record(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.db"
    push = running("git push origin main")
    await write(
        path,
        "/home/ada/till",
        records.asked(push, "t1", "It leaves the machine."),
        records.decided(push, "t1", outcome="refused", by="user", because="You denied it"),
        decided(2, "git push", outcome="refused", by="rule", rule="shell(git push:*)"),
        decided(3, "curl https://docs.example.com/a", agent="codex"),
        records.ended(push, "failed", "no"),
        Entry(kind="noted", body={"setting": "assent.mode", "value": "auto", "where": "user"}),
    )
    looked = lookup(path)
    assert numbers(await listed(looked)) == [6, 4, 3, 2]
    for asked, fits in (
        ({"outcome": "refused"}, [3, 2]),
        ({"outcome": "refused", "by": "rule"}, [3]),
        ({"text": "push", "by": "user"}, [2]),
        ({"agent": "codex"}, [4]),
        ({"agent": "codex", "text": "push"}, []),
        ({"host": "example.com"}, [4]),
        ({"rule": "push"}, [3]),
        ({"tool": "shell", "text": "orig"}, [2]),
        ({"path": "."}, [4, 3, 2]),
        ({"path": "src"}, []),
        ({"since": 1_790_000_000_001}, []),
    ):
        assert numbers(await listed(looked, **asked)) == fits, asked
    page = await listed(looked)
    assert {(it.id, it.name) for it in page.agents} == {
        ("eliza", "The agent eliza"),
        ("codex", "The agent codex"),
    }
    assert page.tools == ["shell"]
    assert page.rows[-1].was_asked
    with pytest.raises(AssentError, match="needs a letter or a digit"):
        await listed(looked, text="&&")


@requirement("S-10")
async def test_another_workspace_is_listed_only_where_all_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    await write(path, "/home/ada/till", decided(1))
    await write(path, "/home/ada/tiller", decided(2))
    # Older rows tell no workspace, so the folder of the call counts.
    await write(path, "", decided(3))
    assert numbers(await listed(lookup(path))) == [3, 1]
    assert numbers(await listed(lookup(path, "/home/ada/tiller"))) == [2]
    assert numbers(await listed(lookup(path), everywhere=True)) == [3, 2, 1]


@requirement("S-10")
async def test_a_long_journal_is_told_to_be_looked_through_beside_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.db"
    await write(path, "/home/ada/till", *(decided(number) for number in range(1, 31)))
    monkeypatch.setattr(history, "_MAX_ROWS_INDEXED_AT_ONCE", 20)
    beside: list[asyncio.Task[None]] = []
    looked = lookup(path, beside=beside)
    first = await listed(looked)
    assert first.looked_through < 1
    # What stands at the end can be told at once; a filter needs all of it.
    assert numbers(first) == list(range(30, 0, -1))
    (work,) = beside
    await work
    assert (await listed(looked)).looked_through == 1.0
    assert numbers(await listed(looked, by="user", agent="eliza")) == list(range(30, 0, -1))


@requirement("S-10")
async def test_a_table_for_a_spreadsheet_never_begins_a_cell_with_a_formula(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    commands = ["=cmd|'/c calc'!A1", "+1", "-1", "@sum", "\t=1", " =1", "＝1", 'a,"b"\nc', "ls"]
    await write(path, "/home/ada/till", *(decided(at, it) for at, it in enumerate(commands)))
    looked = lookup(path)
    piece = await looked.export(shapes.WantExport(form="csv"))
    head, *rows = csv.reader(io.StringIO(piece.text))
    what = [row[head.index("what")] for row in reversed(rows)]
    assert what == [*(f"'{it}" for it in commands[:7]), *commands[7:]]
    assert not [cell for row in rows for cell in row if cell.strip().startswith(tuple("=+-@"))]
    assert (piece.next, piece.told) == (None, 9)


@requirement("S-10")
async def test_lines_of_json_hold_whole_rows_piece_after_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.db"
    await write(path, "/home/ada/till", *(decided(number) for number in range(1, 8)))
    monkeypatch.setattr(history, "_PIECE_ROWS", 3)
    looked, text, before = lookup(path), "", None
    while True:
        piece = await looked.export(shapes.WantExport(form="jsonl", before=before))
        text, before = text + piece.text, piece.next
        if before is None:
            break
    rows = [json.loads(line) for line in text.splitlines()]
    assert [row["seq"] for row in rows] == list(range(7, 0, -1))
    assert rows[0]["body"]["input"] == {"command": "make it-so"}
    assert rows[0]["body"]["workspace"] == "/home/ada/till"


async def test_a_record_of_another_journal_is_not_found_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    await write(path, "/home/ada/till", decided(1))
    looked = lookup(path)
    (row,) = (await listed(looked)).rows
    found = await looked.find(shapes.RecordRef(record_id=1, hash=row.hash))
    assert found.row["call"] == "call-1"
    for wrong in ({"record_id": 1, "hash": "0" * 64}, {"record_id": 2, "hash": row.hash}):
        with pytest.raises(AssentError, match="look at the list again"):
            await looked.find(shapes.RecordRef(**wrong))


async def test_an_index_that_cannot_be_kept_is_made_for_the_one_who_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.db"
    await write(path, "/home/ada/till", *(decided(number) for number in range(1, 31)))
    (tmp_path / FOLDER).write_text("no folder")
    monkeypatch.setattr(history, "_MAX_ROWS_INDEXED_AT_ONCE", 20)
    beside: list[asyncio.Task[None]] = []
    looked = lookup(path, beside=beside)
    assert (await listed(looked, by="user")).rows == []
    await beside.pop()
    assert len((await listed(looked, by="user")).rows) == 30
    assert beside == []


async def test_a_table_acts_on_no_terminal(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    await write(path, "/home/ada/till", decided(1, "a\x1b[2J\u202eb\r"))
    piece = await lookup(path).export(shapes.WantExport(form="csv"))
    assert "a\\u001b[2J\\u202eb\\u000d" in piece.text


async def test_a_record_shows_so_many_members_and_says_that_there_are_more() -> None:
    body = {"input": {f"m{at}": at for at in range(5_000)}, "targets": ["/x"] * 5_000}
    rows = members_of(body)
    assert len(rows) < 100
    assert "".join(it.text for it in rows[-1].name) == "And more"
    assert len(members_of({"input": {"command": "ls"}, "cwd": "/x", "targets": []})) == 2


async def test_a_name_that_is_no_text_is_listed_and_told_with_escapes(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    await write(path, "/home/ada/till", decided(1, "cat \udcff.txt", because="Of \udcff."))
    looked = lookup(path)
    page = await listed(looked, text="txt")
    assert numbers(page) == [1]
    assert "udcff" in json.dumps(page.model_dump())
    piece = await looked.export(shapes.WantExport(form="csv"))
    assert "\\udcff.txt" in piece.text.encode().decode()


async def test_a_row_that_somebody_wrote_by_hand_is_listed_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    await write(path, "/home/ada/till", *(decided(number) for number in range(1, 4)))
    tamper(
        path,
        "update entries set at = 'abc' where seq = 1",
        "update entries set agent = x'ff' where seq = 2",
        "update entries set body = replace(body, 'make', '\\ud800') where seq = 3",
    )
    looked = lookup(path)
    assert numbers(await listed(looked)) == [3, 2, 1]
    for form in ("csv", "jsonl"):
        assert (await looked.export(shapes.WantExport(form=form))).told == 3
