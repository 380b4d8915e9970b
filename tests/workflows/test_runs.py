"""What is kept of the runs of graphs, and that it is kept no longer than its chat."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from assent.workers.offering import UNPASSED
from assent.workflows.filling import Lacks, filled, items_of
from assent.workflows.runs import Run, Runs


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


async def test_runs_of_which_nobody_knows_the_chat_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "kept" / "runs.db"
    path.parent.mkdir(mode=0o700)
    with sqlite3.connect(path) as database:
        database.execute("create table runs(id text, file text, name text, digest text, inputs)")
        database.execute("insert into runs values('old', 'f', 'n', 'd', '{}')")
    database.close()
    path.chmod(0o600)
    runs = Runs(path)
    await begun(runs, "new", "a")
    assert await runs.find("old") is None
    assert await runs.find("new") == run("new", "a")
    await runs.close()


GAVE: dict[str, Any] = {"one": {"sound": {UNPASSED: 5}, "all": [{"x": {UNPASSED: 1}}], "n": 7}}


@pytest.mark.parametrize("reference", ["one.sound", "one.all", "one.all.0", "one.all.0.x"])
def test_what_stands_for_bytes_is_no_value_alone_within_a_text_or_a_list(reference: str) -> None:
    for text in (f"${{{reference}}}", f"play ${{{reference}}}"):
        with pytest.raises(Lacks, match="is made of bytes"):
            items_of(filled(text, GAVE))
    assert filled("${one.n}", GAVE) == 7


def test_a_step_that_gave_pictures_alone_gave_no_value() -> None:
    with pytest.raises(Lacks, match="is made of bytes"):
        filled("${one}", {"one": {UNPASSED: 1}})
