"""What holds an agent's hooks against a repository that turns them off, where it can be held."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from assent.hosting.hooks.administrator_hooks import Anchor
from assent.hosting.terminals.terminals import TERMINALS

ANCHORED = {it.id: it.anchor for it in TERMINALS.values() if it.anchor is not None}


@pytest.fixture(params=ANCHORED.values(), ids=ANCHORED)
def anchor(request: pytest.FixtureRequest, tmp_path: Path) -> Anchor:
    """One agent's, in a folder of nobody yet."""
    place = tmp_path / "etc" / Path(request.param.linux).name
    return evolve(request.param, linux=str(place), mac=str(place))


def put(anchor: Anchor) -> Path:
    anchor.file.parent.mkdir(parents=True, exist_ok=True)
    anchor.file.write_text(anchor.text + "\n", "utf-8")
    return anchor.file


def turned(anchor: Anchor) -> str:
    """What says the contrary."""
    pairs = {"true": "false", "false": "true"}
    word = next(it for it in pairs if it in anchor.text)
    return anchor.text.replace(word, pairs[word])


def test_nothing_holds_where_nobody_wrote_it(anchor: Anchor) -> None:
    assert not anchor.holds
    assert "sudo" in anchor.how
    assert str(anchor.file) in anchor.how


def test_what_is_shown_holds_once_it_is_written(anchor: Anchor) -> None:
    put(anchor)
    assert anchor.holds


@pytest.mark.parametrize("text", [turned, lambda _: "", lambda _: "no {", lambda _: "1"])
def test_anything_else_there_holds_nothing(anchor: Anchor, text: Callable[[Anchor], str]) -> None:
    put(anchor).write_text(text(anchor), "utf-8")
    assert not anchor.holds
    assert "sudo" not in anchor.how
    assert anchor.text in anchor.how


def test_a_file_that_nobody_can_read_holds_nothing(anchor: Anchor) -> None:
    file = put(anchor)
    file.unlink()
    file.mkdir()
    assert not anchor.holds


def test_a_variable_that_names_another_file_holds_nothing(
    anchor: Anchor, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not anchor.unless:
        pytest.skip("there is none")
    put(anchor)
    monkeypatch.setenv(anchor.unless, "/elsewhere")
    assert not anchor.holds


@pytest.fixture
def several(tmp_path: Path) -> Anchor:
    """That of an agent that reads a folder of such files."""
    place = str(tmp_path / "managed-settings.json")
    return evolve(ANCHORED["claude"], linux=place, mac=place)


def test_the_last_of_several_files_has_its_way(tmp_path: Path, several: Anchor) -> None:
    anchor = several
    put(anchor)
    (tmp_path / "managed-settings.json").write_text(turned(anchor), "utf-8")
    assert anchor.holds
    (anchor.file.parent / "z.json").write_text(json.dumps({"model": "m"}), "utf-8")
    assert anchor.holds
    (anchor.file.parent / "zz.json").write_text(turned(anchor), "utf-8")
    assert not anchor.holds


def test_a_repository_turns_off_what_is_not_held_and_no_other(
    tmp_path: Path, several: Anchor
) -> None:
    anchor = several
    terminal = evolve(TERMINALS["claude"], anchor=anchor)
    file = tmp_path / "repository" / ".claude" / "settings.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"disableAllHooks": true}', "utf-8")
    assert terminal.turned_off_in(str(tmp_path / "repository")) == ".claude/settings.json"
    assert anchor.how in terminal.loose
    put(anchor)
    assert terminal.turned_off_in(str(tmp_path / "repository")) is None
    assert not terminal.loose


def test_of_each_other_it_is_said_what_a_repository_can_do() -> None:
    rest = [it for it in TERMINALS.values() if it.anchor is None]
    assert {it.id for it in rest if it.off} == {"copilot"}
    assert all(bool(it.loose) == bool(it.off) for it in rest)
