"""What is kept of the runs of graphs, and that it is kept no longer than its chat."""

import json
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from agent.tools.workbench import Workbench
from assent.agent.tools.workflow_runs import before_of
from assent.catalogue.workers.node_server import UNPASSED
from assent.catalogue.workflows.files import GraphFile
from assent.catalogue.workflows.graph import graph_of
from assent.catalogue.workflows.runs import Run, Runs, RunsUnkept
from assent.catalogue.workflows.step_references import Lacks, filled, items_of
from assent.gate.call.calls import Code
from tables import each_row

requirement = pytest.mark.requirement


def run(name: str, chat: str) -> Run:
    return Run(id=name, file="f", name="n", digest="d", inputs={"said": name}, chat=chat)


async def begun(runs: Runs, name: str, chat: str) -> None:
    await runs.begin(run(name, chat), {})
    await runs.started(name, "k", "s", "d")
    await runs.ended(name, "k", f"gave {name}", failed=False)


async def test_what_is_forgotten_is_nowhere_in_the_files(tmp_path: Path) -> None:
    runs = Runs(tmp_path / "kept" / "runs.db")
    for name, chat in (("plum", "a"), ("pear", "b"), ("fig", "c")):
        await begun(runs, name, chat)
    await runs.look("f", "plum")
    await runs.forget(["a", "b", "no such chat"])
    assert await runs.find("plum") is None
    assert runs.seen("f", "plum") is None
    assert await runs.find("fig") == run("fig", "c")
    left = b"".join(it.read_bytes() for it in (tmp_path / "kept").iterdir())
    assert b"plum" not in left
    assert b"pear" not in left
    assert b"gave fig" in left
    await runs.close()


async def test_where_nothing_was_run_nothing_is_made_to_forget_it(tmp_path: Path) -> None:
    await Runs(tmp_path / "kept" / "runs.db").forget(["a"])
    assert not (tmp_path / "kept").exists()


async def doubted(runs: Runs, file: str = "f") -> set[str]:
    await runs.look(file, None)
    return {*runs.doubted(file)}


@pytest.fixture
async def runs(tmp_path: Path) -> AsyncIterator[Runs]:
    runs = Runs(tmp_path / "kept" / "runs.db")
    yield runs
    await runs.close()


@requirement("N-08")
async def test_a_step_that_had_begun_stays_in_doubt_when_its_chat_is_deleted(
    runs: Runs, tmp_path: Path
) -> None:
    await begun(runs, "plum", "a")
    await runs.started("plum", "pays", "pays", "d")
    await runs.forget(["a"])
    assert await runs.find("plum") is None
    assert await doubted(runs) == {"pays"}
    assert await doubted(runs, "other") == set()
    left = b"".join(it.read_bytes() for it in (tmp_path / "kept").iterdir())
    assert b"gave plum" not in left


@requirement("N-08")
async def test_a_step_stays_in_doubt_until_it_is_run_and_not_until_another_run_is_forgotten(
    runs: Runs,
) -> None:
    await runs.begin(run("plum", "a"), {})
    await runs.started("plum", "pays", "pays", "d")
    await begun(runs, "pear", "b")
    assert await doubted(runs) == {"pays"}
    await runs.begin(run("fig", "c"), {})
    await runs.started("fig", "pays", "pays", "d")
    # Of the one that was broken off, and of which another is under way now.
    await runs.ended("plum", "pays", "late", failed=False)
    assert await doubted(runs) == {"pays"}
    await runs.ended("fig", "pays", "paid", failed=False)
    assert await doubted(runs) == set()
    await runs.forget(["c", "b"])
    assert await doubted(runs) == set()


@requirement("N-08")
async def test_the_oldest_runs_make_room_but_not_what_is_in_doubt_of_them(runs: Runs) -> None:
    await runs.begin(run("plum", "a"), {})
    await runs.started("plum", "pays", "pays", "d")
    for at in range(301):
        await runs.begin(evolve(run(f"other {at}", "a"), file="g"), {})
    assert await runs.find("plum") is None
    assert await doubted(runs) == {"pays"}


@requirement("N-08")
async def test_whoever_goes_on_with_an_older_run_is_told_what_a_later_one_left_in_doubt(
    runs: Runs, tmp_path: Path
) -> None:
    await begun(runs, "plum", "a")
    await runs.begin(run("fig", "a"), {})
    await runs.started("fig", "pays", "pays", "d")
    await runs.look("f", "plum")
    graph = graph_of({"steps": {"pays": {"run": "do"}}}, ["do"])
    file = GraphFile(name="n", path="f", shown="f", text="", graph=graph)
    code = Code(path="f", shown="f", content="d")
    before, _ = before_of(
        file, graph, code, "pays", "plum", Workbench(root=tmp_path, runs=runs).bench
    )
    assert before.run == "plum"
    assert {*before.doubtful} == {"pays"}


@requirement("N-08")
async def test_no_step_of_a_run_begins_once_its_chat_is_deleted_and_nothing_of_it_is_kept(
    runs: Runs, tmp_path: Path
) -> None:
    await runs.begin(run("plum", "a"), {})
    await runs.started("plum", "k", "s", "d")
    await runs.forget(["a"])
    await runs.ended("plum", "k", "gave plum", failed=False)
    with pytest.raises(RunsUnkept, match="no further step of it is run"):
        await runs.started("plum", "pays", "pays", "d")
    assert await doubted(runs) == set()
    await runs.close()
    with sqlite3.connect(tmp_path / "kept" / "runs.db") as database:
        assert [*database.execute("select * from pieces")] == []
    database.close()


async def test_of_chats_that_are_gone_nothing_is_kept_but_what_an_open_window_has(
    tmp_path: Path,
) -> None:
    path = tmp_path / "kept" / "runs.db"
    for name, owner in (("plum", "dead"), ("pear", "alive"), ("fig", "own"), ("apple", "dead")):
        there = Runs(path, owner)
        await begun(there, name, f"chat of {name}")
        await there.close()
    runs = Runs(path, "own", lambda it: it == "alive")
    await runs.keep_only(["chat of apple"])
    found = [name for name in ("plum", "pear", "fig", "apple") if await runs.find(name)]
    assert found == ["pear", "fig", "apple"]
    await runs.close()
    assert b"gave plum" not in b"".join(it.read_bytes() for it in path.parent.iterdir())


RUNS = "create table runs(id text primary key, file text, name text, digest text, inputs text"
PIECES = "create table pieces(run text, key text, step text, digest text, state text, output text)"


@requirement("N-08")
@each_row("more", ["", ", chat text"])
async def test_what_an_older_version_had_in_doubt_is_so_still(tmp_path: Path, more: str) -> None:
    path = tmp_path / "kept" / "runs.db"
    path.parent.mkdir(mode=0o700)
    with sqlite3.connect(path) as database:
        database.execute(f"{RUNS}{more})")
        database.execute(PIECES)
        for at, state in (("older", "started"), ("old", "started"), ("old", "done")):
            rows = ["f", "n", "d", "{}", *(["a"] if more else [])]
            marks = ", ?" * len(rows)
            database.execute(f"insert or ignore into runs values(?{marks})", (at, *rows))
            row = (at, f"{at} {state}", "s", "d", state, "null")
            database.execute("insert into pieces values(?, ?, ?, ?, ?, ?)", row)
    database.close()
    path.chmod(0o600)
    runs = Runs(path)
    assert await doubted(runs) == {"old started"}
    # Of those of which nobody knows the chat nothing else is kept.
    assert (await runs.find("old") is None) == (not more)
    await runs.keep_only([])
    assert await runs.find("old") is None
    await begun(runs, "new", "a")
    assert await runs.find("new") == run("new", "a")
    await runs.close()


GAVE: dict[str, Any] = {"one": {"sound": {UNPASSED: 5}, "all": [{"x": {UNPASSED: 1}}], "n": 7}}


@each_row("reference", ["one.sound", "one.all", "one.all.0", "one.all.0.x"])
def test_what_stands_for_bytes_is_no_value_alone_within_a_text_or_a_list(reference: str) -> None:
    for text in (f"${{{reference}}}", f"play ${{{reference}}}"):
        with pytest.raises(Lacks, match="is made of bytes"):
            items_of(filled(text, GAVE))
    assert filled("${one.n}", GAVE) == 7


def test_a_step_that_gave_pictures_alone_gave_no_value() -> None:
    with pytest.raises(Lacks, match="is made of bytes"):
        filled("${one}", {"one": {UNPASSED: 1}})


@each_row("several", [False, True])
def test_a_text_that_is_json_with_bytes_in_it_is_no_value_either(several: bool) -> None:
    gave = json.dumps({"n": 7, "sound": {UNPASSED: 5}})
    known = {"one": [gave] if several else gave}
    for text in ("${one}", "play ${one}"):
        with pytest.raises(Lacks, match="is made of bytes"):
            filled(text, known)
    assert filled("${one.0.n}" if several else "${one.n}", known) == 7


@each_row("said", [f"{UNPASSED}: five", f"[{UNPASSED}", json.dumps([UNPASSED])])
def test_a_text_that_only_speaks_of_bytes_is_a_value(said: str) -> None:
    assert filled("${one}", {"one": said}) == said
