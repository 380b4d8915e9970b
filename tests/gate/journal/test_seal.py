"""The journal's head is sealed outside it: what was cut, changed, replaced or put back shows."""

import asyncio
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from assent.gate.call.errors import JournalBroken, JournalUnwritable
from assent.gate.journal.integrity import look_through
from assent.gate.journal.journal import Entry, Journal
from assent.gate.journal.seal import Head, Seal, places_of

KEY = b"k" * 32
ENTRY = Entry(kind="noted", body={"because": "a test"})


class Windows:
    """Servers that share one state folder, one after the other or side by side."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "journal.db"
        self.folder = folder
        self.open: list[Journal] = []
        self._at = count(1)

    def seal(self, key: bytes = KEY) -> Seal:
        return Seal(self.folder / "seals", key)

    async def window(self, mark: Head | None = None, key: bytes | None = KEY) -> Journal:
        journal = Journal(self.path, f"epoch-{len(self.open)}", lambda: next(self._at))
        self.open.append(journal)
        await journal.begin(None if key is None else self.seal(key), mark)
        return journal

    async def written(self, rows: int = 6) -> Head:
        """Some rows, by a window that is closed again; how far it came."""
        journal = await self.window()
        for _ in range(rows):
            await journal.keep(ENTRY)
        journal.close()
        assert journal.head is not None
        return journal.head

    def change(self, *statements: str) -> None:
        database = sqlite3.connect(self.path)
        with database:
            for statement in statements:
                database.execute(statement)
        database.execute("pragma wal_checkpoint(truncate)")
        database.close()

    def copy(self, name: str) -> Path:
        """All that there is, as it is now."""
        return Path(shutil.copytree(self.folder, self.folder.with_name(name)))

    def put_back(self, copy: Path) -> None:
        shutil.rmtree(self.folder)
        shutil.copytree(copy, self.folder)


@pytest.fixture
def windows(tmp_path: Path) -> Any:
    found = Windows(tmp_path / "state")
    yield found
    for journal in found.open:
        journal.close()


async def _refused(windows: Windows, mark: Head | None = None) -> str:
    """What a window is told that finds this journal, at its start and at every row."""
    with pytest.raises(JournalBroken) as caught:
        await windows.window(mark)
    journal = windows.open[-1]
    assert journal.trouble == str(caught.value)
    before = windows.path.read_bytes() if windows.path.is_file() else b""
    for _ in range(2):
        with pytest.raises(JournalBroken):
            await journal.keep(ENTRY)
    assert (windows.path.read_bytes() if windows.path.is_file() else b"") == before
    assert "Start a New Journal" in str(caught.value)
    return str(caught.value)


async def test_a_journal_goes_on_where_its_seal_says_that_it_ended(windows: Windows) -> None:
    head = await windows.written()
    assert windows.seal().read() == head
    journal = await windows.window(head)
    assert await journal.keep(ENTRY) == 7
    assert journal.trouble is None


@pytest.mark.parametrize("cut", range(6))
async def test_an_end_that_was_cut_anywhere_is_noticed(windows: Windows, cut: int) -> None:
    await windows.written()
    windows.change(f"delete from entries where seq > {cut}")  # noqa: S608 -- our own numbers
    told = await _refused(windows)
    assert ("is gone" if cut == 0 else f"row 6 had been sealed, and it ends with row {cut}") in told


@pytest.mark.parametrize(
    "change",
    [
        "update entries set body = '{}' where seq = 6",
        "update entries set body = '{}' where seq = 3",
        "update entries set hash = 'x' where seq = 6",
        "delete from entries where seq = 3",
        "delete from entries where seq = 1",
    ],
)
async def test_a_row_near_the_end_that_was_changed_or_taken_out_is_noticed(
    windows: Windows, change: str
) -> None:
    await windows.written()
    windows.change(change)
    await _refused(windows)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _bad_header(path: Path) -> None:
    path.write_bytes(b"not SQLite at all" + path.read_bytes()[17:])


def _deleted(path: Path) -> None:
    path.unlink()


def _another(path: Path) -> None:
    elsewhere = Windows(path.parent.with_name("elsewhere"))
    database = sqlite3.connect(path)
    (table,) = database.execute("select sql from sqlite_master where name = 'entries'").fetchone()
    rows = database.execute("select * from entries").fetchall()
    database.close()
    elsewhere.folder.mkdir()
    other = sqlite3.connect(elsewhere.path)
    with other:
        other.execute(table)
        for row in rows:
            other.execute(f"insert into entries values ({','.join('?' * len(row))})", row)  # noqa: S608 -- our own count
        other.execute("update entries set hash = hash || 'x'")
    other.close()
    path.unlink()
    elsewhere.path.rename(path)


@pytest.mark.parametrize("harm", [_empty, _bad_header, _deleted, _another])
async def test_a_file_that_is_no_longer_the_journal_is_noticed(
    windows: Windows, harm: Callable[[Path], None]
) -> None:
    await windows.written()
    windows.change()
    harm(windows.path)
    await _refused(windows)


async def test_a_folder_that_was_put_back_as_a_whole_is_noticed_by_the_mark(
    windows: Windows,
) -> None:
    await windows.written()
    copy = windows.copy("copy")
    head = await windows.written()
    windows.put_back(copy)
    assert "older copy" in await _refused(windows, head)


@pytest.mark.parametrize("seal", ["missing", "emptied", "another key's", "forged"])
async def test_without_its_seal_a_journal_that_had_one_is_not_gone_on_with(
    windows: Windows, seal: str
) -> None:
    head = await windows.written()
    path = windows.seal().path
    match seal:
        case "missing":
            path.unlink()
        case "emptied":
            path.write_bytes(b"")
        case "another key's":
            windows.seal(b"x").put(head)
            windows.seal(b"x").path.replace(path)
        case _:
            path.write_bytes(path.read_bytes().replace(b'"seq":6', b'"seq":5'))
    if seal == "forged":
        # The other place still holds what was sealed one row before: a torn place is no alarm.
        assert windows.seal().read() != head
    assert "seal" in await _refused(windows, head) or seal == "forged"


@pytest.mark.parametrize("kind", ["link", "folder", "pipe"])
async def test_a_seal_that_is_no_file_is_neither_followed_nor_waited_for(
    windows: Windows, kind: str
) -> None:
    head = await windows.written()
    path = windows.seal().path
    path.unlink()
    match kind:
        case "link":
            path.symlink_to("/dev/zero")
        case "folder":
            path.mkdir()
        case _:
            os.mkfifo(path)
    with pytest.raises(JournalUnwritable):
        await asyncio.wait_for(windows.window(head), 5)
    await windows.open[-1].begin_anew()
    assert await windows.open[-1].keep(ENTRY) == 2


async def test_a_place_of_the_seal_that_is_torn_raises_no_alarm(windows: Windows) -> None:
    head = await windows.written()
    path = windows.seal().path
    data = path.read_bytes()
    newest = max(range(2), key=lambda at: places_of(data[512 * at :].ljust(1024))[0].turn)
    path.write_bytes(data[: 512 * newest] + b"\0" * 512 + data[512 * (newest + 1) :])
    sealed = windows.seal().read()
    assert sealed is not None
    assert sealed.seq == head.seq - 1
    journal = await windows.window()
    assert await journal.keep(ENTRY) == 7


async def test_a_middle_page_that_is_bad_is_noticed_by_looking_through(windows: Windows) -> None:
    journal = await windows.window()
    for _ in range(400):
        journal.note(ENTRY)
    journal.close()
    windows.change()
    assert look_through(windows.path) is None
    size = windows.path.stat().st_size
    with windows.path.open("r+b") as file:
        file.seek(size // 2 // 4096 * 4096)
        file.write(b"\xff" * 4096)
    damage = look_through(windows.path)
    assert damage is not None
    journal = await windows.window()
    found = windows.path.stat()
    await journal.condemn((found.st_dev, found.st_ino), damage)
    with pytest.raises(JournalBroken, match="is damaged"):
        await journal.keep(ENTRY)


@pytest.mark.parametrize("harm", [_empty, _bad_header, _deleted, _another, None])
@pytest.mark.parametrize("marked", [False, True])
async def test_a_persons_gesture_sets_it_aside_and_begins_another(
    windows: Windows, harm: Callable[[Path], None] | None, *, marked: bool
) -> None:
    head = await windows.written()
    windows.change(*([] if harm else ["delete from entries where seq > 2"]))
    if harm:
        harm(windows.path)
    broken = windows.path.read_bytes() if windows.path.exists() else None
    mark = head if marked else None
    await _refused(windows, mark)
    journal = windows.open[-1]
    await journal.begin_anew()
    assert journal.trouble is None
    (first,) = await journal.rows()
    name = json.loads(first["body"])
    assert name["before"] == f"{head.journal} 6"
    if broken is not None:
        assert windows.path.with_name(name["setAside"]).read_bytes() == broken
    assert await journal.keep(ENTRY) == 2
    # The next window goes on with it, by the old mark as well as by the new one.
    journal.close()
    for known in (mark, journal.head):
        assert await (await windows.window(known)).keep(ENTRY) > 2


async def test_the_old_journal_cannot_be_put_back_once_it_was_set_aside(windows: Windows) -> None:
    await windows.written()
    copy = windows.copy("copy")
    windows.change("delete from entries where seq > 2")
    await _refused(windows)
    await windows.open[-1].begin_anew()
    mark = windows.open[-1].head
    windows.open[-1].close()
    windows.put_back(copy)
    await _refused(windows, mark)


async def test_another_window_goes_on_with_the_journal_that_was_begun_anew(
    windows: Windows,
) -> None:
    one, other = await windows.window(), await windows.window()
    for journal in (one, other, one, other):
        await journal.keep(ENTRY)
    await one.begin_anew()
    assert await other.keep(ENTRY) == 2
    assert await one.keep(ENTRY) == 3


async def test_two_editors_with_keys_of_their_own_share_a_journal(windows: Windows) -> None:
    one, other = await windows.window(), await windows.window(key=b"other")
    for _ in range(3):
        await one.keep(ENTRY)
        await other.keep(ENTRY)
    for journal in (one, other):
        journal.close()
    assert await (await windows.window(one.head)).keep(ENTRY) == 7
    assert await (await windows.window(other.head, b"other")).keep(ENTRY) == 8


async def test_a_seal_never_goes_back(windows: Windows) -> None:
    head = await windows.written()
    windows.seal().put(Head(journal=head.journal, seq=2, hash="x"))
    windows.seal().put(Head(journal="another", seq=99, hash="x"))
    windows.seal().put(Head(journal="another", seq=99, hash="x", before=f"{head.journal} 6"))
    assert windows.seal().read() == head


_WRITER = """
import asyncio, sys
from pathlib import Path
from assent.gate.journal.journal import Entry, Journal
from assent.gate.journal.seal import Seal

async def main():
    folder, anew = Path(sys.argv[1]), sys.argv[2] == "anew"
    journal = Journal(folder / "journal.db", "epoch", lambda: 1)
    try:
        await journal.begin(Seal(folder / "seals", b"k" * 32), None)
    except Exception as error:
        # Killed before the file had its new name: the person says it once more.
        if not anew or "is still to be set aside" not in str(error):
            raise
        await journal.begin_anew()
    print("begun", flush=True)
    while True:
        print(await journal.keep(Entry(kind="noted")), flush=True)
        if anew:
            await journal.begin_anew()

asyncio.run(main())
"""


@pytest.mark.parametrize("what", ["rows", "anew"])
def test_a_process_that_is_killed_at_any_moment_raises_no_alarm(tmp_path: Path, what: str) -> None:
    """Each finds what those before it left, and says `begun` only if nothing is wrong with it."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for turn in range(12):
        command = [sys.executable, "-c", _WRITER, str(tmp_path / "state"), what]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        ) as writer:
            assert writer.stdout is not None
            assert writer.stderr is not None
            lines = [writer.stdout.readline() for _ in range(2 + turn)]
            writer.send_signal(signal.SIGKILL)
            assert lines[0] == "begun\n", writer.stderr.read()
            assert lines[-1] != "", writer.stderr.read()


async def test_a_kill_between_any_two_steps_of_setting_aside_leaves_it_to_be_done_or_done(
    windows: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every step that changes the disk is made the last one, in turn."""

    class _Killed(BaseException):
        pass

    steps = ("pwrite", "fsync", "rename")
    for last in range(12):
        left = [last]

        def step(name: str, left: list[int] = left) -> Callable[..., Any]:
            real = getattr(os, name)

            def once(*args: Any, **more: Any) -> Any:
                if left[0] == 0:
                    raise _Killed
                left[0] -= 1
                return real(*args, **more)

            return once

        shutil.rmtree(windows.folder, ignore_errors=True)
        await windows.written()
        windows.change("delete from entries where seq > 2")
        await _refused(windows)
        journal = windows.open[-1]
        with monkeypatch.context() as patch:
            for name in steps:
                patch.setattr(os, name, step(name))
            try:
                await journal.begin_anew()
            except _Killed:
                journal._file.close()
        try:
            await windows.window()
        except JournalBroken:
            await windows.open[-1].begin_anew()
        assert await windows.open[-1].keep(ENTRY) >= 2
        windows.open[-1].close()
        kept = [it for it in windows.folder.glob("journal-*.db") if it.stat().st_size]
        assert len(kept) >= 1, "what was broken is still there to be looked at"
