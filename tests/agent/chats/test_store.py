"""What is kept of chats: found again as it was, or told otherwise."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from attrs import evolve

from assent.agent.chats.chats_file import ChatsUnkept, opened, trouble_in
from assent.agent.chats.marks import Mark
from assent.agent.chats.seals import hidden, shown, weight
from assent.agent.chats.store import Store
from assent.agent.chats.values import Batch, Head
from assent.gate.journal.quarantine import LOGS
from tables import each_row

requirement = pytest.mark.requirement

KEY = b"k" * 32
NONE = Mark()
PLACE = "/w"
NOT_WRITTEN = "was changed, cut or put back"


def head(chat: str = "c", **more: object) -> Head:
    told = {"workspace": PLACE, "agent": "assent", "title": "T", "mode": "default", "touched": 5}
    return Head(id=chat, **(told | more))  # type: ignore[arg-type]


def batch(chat: str = "c", items: int = 3, **more: object) -> Batch:
    return Batch(
        head=head(chat, **more),
        items={number: b"entry %d" % number for number in range(items)},
        words={number: f"word{number}" for number in range(items)},
        turns={0: b"turn 0", 1: b"turn 1"},
        turns_until=2,
    )


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """One with a chat in it, of a run that has ended."""
    made = Store(tmp_path / "state" / "chats.db", "run", lambda run: run == "alive")
    assert made.begin(KEY, NONE) == ""
    assert made.put([batch()]) == []
    return made


def again(store: Store, mark: Mark = NONE, key: bytes | None = KEY) -> tuple[Store, str]:
    """The same file for another run, and what that says of it."""
    store.close()
    other = Store(store.path, "other", store.lives)
    return other, other.begin(key, mark)


def write(store: Store, *statements: str) -> None:
    """Change the file as somebody else would."""
    store.close()
    with closing(sqlite3.connect(store.path, isolation_level=None)) as database:
        for statement in statements:
            database.execute(statement)


def fault(store: Store, chat: str = "c") -> str:
    loaded = store.load(chat, PLACE, 100)
    assert loaded is not None
    return loaded.fault


def test_a_chat_comes_back_as_it_was(store: Store) -> None:
    other, told = again(store, mark=store.state.mark)
    assert told == ""
    loaded = other.load("c", PLACE, 2)
    assert loaded is not None
    assert (loaded.first, loaded.items) == (1, (b"entry 1", b"entry 2"))
    assert (loaded.head, loaded.fault, loaded.kept_from) == (head(), "", 0)
    assert other.page("c", 1, 10) == (b"entry 0",)
    assert other.turns("c") == (b"turn 0", b"turn 1")
    assert store.path.stat().st_mode & 0o777 == 0o600


def test_what_is_changed_later_takes_the_place_of_what_was(store: Store) -> None:
    store.put([Batch(head=head(), items={1: b"other"}, turns={0: b"all"}, turns_until=1)])
    other, told = again(store)
    loaded = other.load("c", PLACE, 100)
    assert told == ""
    assert loaded is not None
    assert (loaded.fault, loaded.items) == ("", (b"entry 0", b"other", b"entry 2"))
    assert other.turns("c") == (b"all",)


def test_what_could_not_be_kept_is_kept_with_what_came_after_it(store: Store) -> None:
    first = Batch(
        head=head(), items={3: b"late", 4: b"old"}, turns={2: b"x", 3: b"y"}, turns_until=4
    )
    later = Batch(head=head(title="New"), items={4: b"new"}, turns={2: b"z"}, turns_until=3)
    store.put([first.followed_by(later)])
    loaded = store.load("c", PLACE, 2)
    assert loaded is not None
    assert (loaded.head.title, loaded.items, loaded.fault) == ("New", (b"late", b"new"), "")
    assert store.turns("c") == (b"turn 0", b"turn 1", b"z")


@pytest.mark.parametrize(
    "statement",
    [
        "update items set body = x'00' where number = 1",
        "delete from items where number = 2",
        "delete from items where number = 0",
        "insert into items (chat, number, body) values ('c', 3, x'00')",
        "update turns set body = x'00'",
        "delete from turns where number = 1",
        "update chats set mode = 'auto'",
        "update chats set workspace = '/w', title = 'Other'",
        "update chats set session = 'another'",
        "update chats set seal = ''",
        "update chats set total = '0'",
    ],
)
def test_a_chat_that_somebody_else_changed_says_so(store: Store, statement: str) -> None:
    write(store, statement)
    assert fault(again(store)[0]) != ""


def test_a_chat_that_was_moved_to_another_workspace_says_so(store: Store) -> None:
    write(store, "update chats set workspace = '/other'")
    other, _ = again(store)
    assert other.load("c", PLACE, 100) is None
    moved = other.load("c", "/other", 100)
    assert moved is not None
    assert NOT_WRITTEN in moved.fault


def test_what_two_chats_were_swapped_for_says_so(store: Store) -> None:
    store.put([batch("d"), Batch(head=head("d"), items={0: b"another"})])
    write(
        store,
        "update items set chat = 'x' where chat = 'c'",
        "update items set chat = 'c' where chat = 'd'",
        "update items set chat = 'd' where chat = 'x'",
    )
    other, _ = again(store)
    assert NOT_WRITTEN in fault(other)
    assert NOT_WRITTEN in fault(other, "d")


@pytest.mark.parametrize("statement", ["delete from chats", "update state set writes = 7"])
def test_chats_that_somebody_else_removed_are_told_once(store: Store, statement: str) -> None:
    write(store, statement)
    other, told = again(store)
    assert NOT_WRITTEN in told
    assert again(other)[1] == ""


def test_an_older_copy_that_is_put_back_is_told(store: Store) -> None:
    store.close()
    before = store.path.read_bytes()
    store.put([batch("d")])
    mark = store.state.mark
    store.close()
    for path in store.path.parent.glob("chats.db-*"):
        path.unlink()
    store.path.write_bytes(before)
    other, told = again(store, mark)
    assert "older copy" in told
    assert again(other, mark)[1] == ""


def test_a_file_that_is_gone_is_told(store: Store) -> None:
    mark = store.state.mark
    store.close()
    store.path.unlink()
    assert "is gone" in again(store, mark)[1]


def test_what_another_key_sealed_is_vouched_for_by_nobody_here(store: Store) -> None:
    other, told = again(store, key=b"o" * 32)
    assert told == ""
    assert "another editor" in fault(other)
    (listed,) = other.newest(PLACE, 10)
    assert not listed.is_ours
    assert "no key" in fault(again(store, key=None)[0])


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("create trigger t after insert on items begin delete from chats; end", "more than chats"),
        ("create view v as select 1", "more than chats"),
        ("drop table turns", "or less"),
        ("alter table chats add column extra text", "more than chats"),
        ("pragma user_version = 2", "another version"),
    ],
)
def test_a_file_of_another_shape_is_left_as_it_is(store: Store, statement: str, why: str) -> None:
    write(store, statement)
    with pytest.raises(ChatsUnkept, match=why):
        again(store)


def spoil(path: Path) -> None:
    path.write_bytes(b"no database at all" * 100)


def link(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/null")


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("change", [spoil, link, folder])
def test_what_is_no_such_file_is_told_and_left(
    store: Store, change: Callable[[Path], None]
) -> None:
    store.close()
    for path in store.path.parent.glob("chats.db-*"):
        path.unlink()
    change(store.path)
    with pytest.raises(Exception, match=r"no ordinary file|not a database") as raised:
        again(store)
    assert trouble_in(raised.value) in {
        "chats.db is no ordinary file",
        "it is damaged, or no database",
    }


@each_row("end", LOGS)
def test_a_pipe_beside_it_is_told_and_nobody_waits_for_it(tmp_path: Path, end: str) -> None:
    os.mkfifo(tmp_path / f"chats.db{end}")
    with pytest.raises(ChatsUnkept, match=f"^chats.db{end} is no ordinary file"):
        opened(tmp_path / "chats.db")


def test_a_chat_that_a_living_run_has_is_not_taken(store: Store) -> None:
    alive = Store(store.path, "alive", store.lives)
    alive.begin(KEY, NONE)
    assert alive.claim("c", PLACE)
    assert not store.claim("c", PLACE)
    assert store.put([batch(title="Mine")]) == ["c"]
    assert store.delete(["c"], PLACE) == []
    assert not store.change("c", PLACE, lambda it: it)
    alive.let_go([head()])
    assert not store.claim("c", "/other")
    assert store.claim("c", PLACE)
    assert fault(store) == ""


def test_of_a_hole_only_what_follows_is_shown(store: Store) -> None:
    write(store, "delete from items where number = 0")
    loaded = again(store)[0].load("c", PLACE, 100)
    assert loaded is not None
    assert (loaded.first, loaded.kept_from) == (1, 1)


def test_odd_columns_are_read_as_nothing(store: Store) -> None:
    write(store, "update chats set title = x'ff', touched = 'soon', mode = 7, begun = -1")
    (listed,) = again(store)[0].newest(PLACE, 10)
    assert (listed.head.title, listed.head.touched, listed.head.begun) == ("", 0, 0)


def test_what_is_deleted_is_in_no_file_any_more(store: Store) -> None:
    store.put([Batch(head=head(), items={0: b"a secret word"}, words={0: "a secret word"})])
    assert store.delete(["c"], PLACE) == ["c"]
    store.close()
    left = b"".join(path.read_bytes() for path in store.path.parent.glob("chats.db*"))
    assert b"secret" not in left


def test_the_oldest_go_first(store: Store) -> None:
    store.put([batch("old", touched=1), batch("new", touched=9)])
    assert store.outlived(5, 10**9) == ["old"]
    assert store.outlived(0, 40) == ["c", "old"]
    assert store.outlived(0, 10**9) == []


@pytest.mark.parametrize("wanted", ["word1", "wor", '"word2"', "word0 word", "T"])
def test_a_chat_is_found_by_words(store: Store, wanted: str) -> None:
    assert [it.head.id for it in store.find(PLACE, wanted, 10)] == ["c"]


@pytest.mark.parametrize("wanted", ["other", "word0 word1", "%", "_", "AND", "*", "\0", '"'])
def test_a_chat_is_not_found_by_what_is_not_in_it(store: Store, wanted: str) -> None:
    assert store.find(PLACE, wanted, 10) == []
    assert store.find("/other", "word1", 10) == []


def test_a_file_that_is_locked_is_told(store: Store) -> None:
    store.close()
    with closing(sqlite3.connect(store.path, isolation_level=None)) as database:
        database.execute("begin exclusive")
        with pytest.raises(sqlite3.OperationalError) as raised:
            store.put([batch()])
    assert trouble_in(raised.value) == "another program keeps it locked"
    assert store.put([batch()]) == []


def test_a_full_disk_is_told_and_nothing_is_half_kept(store: Store) -> None:
    database = store._opened()
    (pages,) = database.execute("pragma page_count").fetchone()
    database.execute(f"pragma max_page_count = {pages}")
    big = Batch(head=head(title="Half"), items={9: b"x" * 1_000_000})
    with pytest.raises(sqlite3.OperationalError) as raised:
        store.put([big])
    assert trouble_in(raised.value) == "the disk is full"
    database.execute("pragma max_page_count = 1000000")
    loaded = store.load("c", PLACE, 100)
    assert loaded is not None
    assert (loaded.head.title, loaded.fault) == ("T", "")


CHANGED = [
    "update chats set mode = 'auto'",
    "update chats set session = 'planted'",
    "update turns set body = cast('planted' as blob) where number = 0",
]


@pytest.mark.parametrize("statement", CHANGED)
def test_a_chat_that_somebody_changed_is_not_sealed_by_a_new_title(
    store: Store, statement: str
) -> None:
    write(store, statement)
    other, told = again(store)
    assert told == ""
    assert other.change("c", PLACE, lambda it: evolve(it, title="Nicer"))
    assert NOT_WRITTEN in fault(other)
    assert other.claim("c", PLACE)
    assert other.put([batch()]) == []
    other.let_go([head()])
    assert NOT_WRITTEN in fault(again(other)[0])


@pytest.mark.parametrize("statement", CHANGED[2:])
def test_what_is_changed_while_a_chat_is_open_is_not_sealed_by_what_comes_after_it(
    store: Store, statement: str
) -> None:
    write(store, statement)
    assert store.put([Batch(head=head(), items={3: b"later"})]) == []
    store.let_go([head()])
    assert NOT_WRITTEN in fault(again(store)[0])


def test_a_chat_that_was_put_back_while_another_was_written_is_told(store: Store) -> None:
    store.let_go([head()])
    store.close()
    with closing(sqlite3.connect(store.path)) as database:
        (old,) = database.execute("select seal from chats").fetchall()
    store.change("c", PLACE, lambda it: evolve(it, title="New"))
    write(store, f"update chats set title = 'T', seal = '{old[0]}'")  # noqa: S608
    assert fault(store) == ""
    store.put([batch("d")])
    other, told = again(store)
    assert NOT_WRITTEN in told
    assert NOT_WRITTEN in fault(other)


def _tables(store: Store) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(store.path, isolation_level=None)) as database:
        names = ("chats", "items", "turns", "state")
        return {it: database.execute(f"select * from {it}").fetchall() for it in names}  # noqa: S608


def _put_back(store: Store, tables: dict[str, list[tuple[object, ...]]]) -> None:
    """Put an older copy in the place of what is there, while others have the file open."""
    with closing(sqlite3.connect(store.path, isolation_level=None)) as database:
        for name, found in tables.items():
            database.execute(f"delete from {name}")  # noqa: S608
            for row in found:
                places = ", ".join("?" * len(row))
                database.execute(f"insert into {name} values ({places})", row)  # noqa: S608


def test_a_copy_that_is_put_back_and_passed_by_another_window_is_told(store: Store) -> None:
    other = Store(store.path, "closing", store.lives)
    assert other.begin(KEY, NONE) == ""
    other.put([batch("d")])
    before = _tables(store)
    other.put([Batch(head=head("d"), items={3: b"never delete it"})])
    other.let_go([head("d")])
    state = other.state
    other.close()
    _put_back(store, before)
    for number in range(5):
        store.put([Batch(head=head(), items={number: b"on"})])
    assert store.state.writes > state.writes
    assert not store.state.is_above(state.mark), "so the mark that is kept stays"
    later, told = again(store, state.mark)
    assert "older copy" in told
    assert NOT_WRITTEN in fault(later, "d")
    assert later.state.is_above(state.mark)
    assert again(later, later.state.mark)[1] == ""


def test_a_window_misses_its_own_words_however_far_others_have_come(store: Store) -> None:
    before = _tables(store)
    store.put([Batch(head=head(), items={3: b"mine"})])
    other = Store(store.path, "alive", store.lives)
    _put_back(store, before)
    assert other.begin(KEY, NONE) == ""
    for _ in range(5):
        other.put([batch("d")])
    store.put([Batch(head=head(), items={4: b"later"})])
    assert NOT_WRITTEN in again(store)[1]


def test_of_many_windows_those_that_run_are_known_and_those_that_wrote_last(store: Store) -> None:
    alive = Store(store.path, "alive", store.lives)
    alive.begin(KEY, NONE)
    alive.put([batch("d")])
    mark = NONE
    for number in range(70):
        store = Store(store.path, f"run{number}", store.lives)
        assert store.begin(KEY, mark) == ""
        store.put([batch(f"c{number}", items=1)])
        mark = store.state.mark
        store.close()
    runs = alive.state.runs
    assert {"alive", "run69", "run7"} <= set(runs)
    assert not {"run", "run1"} & set(runs)
    alive.put([batch("d", items=4)])
    assert again(alive, mark)[1] == ""


def test_a_mark_of_before_is_read_as_its_count() -> None:
    assert Mark.read("12") == Mark(12)
    assert Mark.read(str(Mark(12, "x"))) == Mark(12, "x")
    assert Mark.read(None) == Mark.read("1 2 3") == Mark.read("-1") == NONE


@pytest.mark.parametrize("statements", [(), ("update state set writes = 9999",)])
def test_of_an_older_file_nothing_is_vouched_for(store: Store, statements: tuple[str, ...]) -> None:
    store.close()
    before = store.path.read_bytes()
    store.put([batch("d")])
    mark = store.state.mark
    store.close()
    store.path.write_bytes(before)
    write(store, *statements, "insert into state values ('another', 1, '0', 'x')")
    other, told = again(store, mark)
    assert "older copy" in told
    assert NOT_WRITTEN in fault(other)
    other.put([batch("new")])
    later, told = again(other, mark)
    assert told == ""
    assert NOT_WRITTEN in fault(later)
    assert fault(later, "new") == ""


def test_what_another_editor_deletes_or_takes_over_is_not_taken_for_an_older_file(
    store: Store,
) -> None:
    store.put([batch("d"), batch("e")])
    other, _ = again(store, key=b"o" * 32)
    assert other.delete(["d"], PLACE) == ["d"]
    assert other.claim("e", PLACE)
    other.put([batch("e", title="Other")])
    assert {it.head.id for it in other.newest(PLACE, 10)} == {"c", "e"}
    own, told = again(other)
    assert told == ""
    assert fault(own) == ""
    assert NOT_WRITTEN in fault(own, "e")
    assert again(own)[1] == ""


@pytest.mark.parametrize(
    "statement",
    [
        "update chats set total = 'zz' where id = 'c'",
        "update chats set total = x'00', owner = x'00' where id = 'c'",
        "update chats set touched = 'zzz' where id = 'c'",
        "update chats set title = cast(x'eda080' as text) where id = 'c'",
        "update chats set owner = 5 where id = 'c'",
        "update items set number = 9223372036854775807 where number = 2 and chat = 'c'",
    ],
)
def test_one_odd_row_is_one_odd_chat(store: Store, statement: str) -> None:
    store.put([batch("d")])
    write(store, statement)
    other, _ = again(store)
    assert other.outlived(2, 10**9) == []
    assert {it.head.id for it in other.newest(PLACE, 10)} == {"c", "d"}
    assert NOT_WRITTEN in fault(other)
    assert fault(other, "d") == ""
    assert other.claim("c", PLACE)
    assert other.claim("d", PLACE)
    assert other.put([batch(), batch("d"), batch("new")]) == []
    assert [fault(again(other)[0], it) for it in ("d", "new")] == ["", ""]


@pytest.mark.parametrize("column", ["id", "agent"])
def test_a_chat_whose_name_is_none_is_left_out_and_said(store: Store, column: str) -> None:
    store.put([batch("d")])
    write(store, f"update chats set {column} = '../../x' where id = 'c'")  # noqa: S608
    other, told = again(store)
    assert told
    assert [it.head.id for it in other.newest(PLACE, 10)] == ["d"]
    assert "left out (1)" in told
    if column == "agent":
        assert fault(other, "d") == ""


@pytest.mark.parametrize("column", ["writes", "total", "seal"])
def test_an_odd_state_is_said_and_ends_nothing(store: Store, column: str) -> None:
    write(store, f"update state set {column} = 'x'")  # noqa: S608
    other, told = again(store)
    assert NOT_WRITTEN in told
    assert NOT_WRITTEN in fault(other)
    other.put([batch("new")])
    assert again(other)[1] == ""


def test_what_a_row_adds_cannot_be_worked_out_without_the_key_or_from_the_file(
    store: Store,
) -> None:
    place = ("c", "items", 0, b"entry 0")
    assert weight(KEY, *place) != weight(b"x" * 32, *place)
    assert shown(KEY, hidden(KEY, 7, 3), 3) == 7
    seen = []
    for number in range(2):
        # The same is written once more, so that nothing but the count of the writes is another.
        store.put([batch()])
        store.close()
        with closing(sqlite3.connect(store.path)) as database:
            assert database.execute("select total from chats").fetchall() == [("",)]
            seen += database.execute("select writes, total from state").fetchall()
        assert len(seen) == number + 1
    (first, told), (second, later) = seen
    assert (second, told == later) == (first + 1, False)
    assert shown(KEY, told.split()[0], first) == shown(KEY, later.split()[0], second)
