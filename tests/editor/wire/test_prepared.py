"""What a person has prepared for our own agent: commands to be said, skills to be read."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assent.editor.window.agents.own.prepared import FOLDER, Prepared
from assent.gate.disk.places import Places
from assent.gate.ruling.protected import protected_place
from editor.wire.own import OwnStage, model, own
from gate.ruling.samples import writing
from models.script import call, text

__all__ = ["model", "own"]

REVIEW = """---
description: Look at a change
argument-hint: a file
---
Look at $ARGUMENTS as a stranger would.
"""
SKILL = """---
name: release
description: How a release is made
---
# Releases

Raise the number first.
"""


@pytest.fixture
def prepared(tmp_path: Path) -> Callable[..., Prepared]:
    """What stands in a home, of which some files may not be read."""
    home = tmp_path / "home"
    folder = home / FOLDER
    (folder / "commands").mkdir(parents=True)
    (folder / "skills" / "release").mkdir(parents=True)
    (folder / "commands" / "review.md").write_text(REVIEW)
    (folder / "commands" / "tidy.md").write_text("# Tidy up\n\nTidy what was changed.\n")
    (folder / "commands" / "no name.md").write_text("Nothing.\n")
    (folder / "skills" / "release" / "SKILL.md").write_text(SKILL)
    places = Places(roots=(str(tmp_path / "ws"),), home=str(home))

    def of(*denied: str) -> Prepared:
        return Prepared(places=lambda: places, may_read=lambda path: Path(path).name not in denied)

    return of


def test_commands_and_skills_are_listed_with_what_they_say(
    prepared: Callable[..., Prepared],
) -> None:
    assert [(it.name, it.says, it.hint) for it in prepared().commands()] == [
        ("release", "How a release is made", ""),
        ("review", "Look at a change", "a file"),
        ("tidy", "Tidy up", ""),
    ]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("/review a.py", "Look at a.py as a stranger would."),
        ("/review", "Look at  as a stranger would."),
        ("/tidy and sort", "# Tidy up\n\nTidy what was changed.\n\nand sort"),
        ("/release", "# Releases\n\nRaise the number first."),
        ("/unknown a", "/unknown a"),
        ("/usr/bin is full", "/usr/bin is full"),
        ("Use /review a.py", "Use /review a.py"),
        ("/../review", "/../review"),
    ],
)
def test_a_command_is_said_by_its_name(
    prepared: Callable[..., Prepared], said: str, meant: str
) -> None:
    assert prepared().said(said) == meant


def test_what_a_rule_forbids_to_read_is_not_there(prepared: Callable[..., Prepared]) -> None:
    left = prepared("review.md", "SKILL.md")
    assert [it.name for it in left.commands()] == ["tidy"]
    assert left.said("/review a.py") == "/review a.py"
    assert left.note() == ""


def test_without_any_nothing_is_told(tmp_path: Path) -> None:
    places = Places(roots=(), home=str(tmp_path))
    empty = Prepared(places=lambda: places, may_read=lambda _: True)
    assert (empty.commands(), empty.note(), empty.said("/a b")) == ((), "", "/a b")


def test_no_agent_writes_there_unasked(tmp_path: Path) -> None:
    places = Places(roots=(str(tmp_path / "ws"),), home=str(tmp_path))
    target = places.locate(f"{tmp_path}/{FOLDER}/commands/x.md", "/")
    assert protected_place(writing("x.md", targets=(target,))) is not None


async def test_a_command_and_a_skill_reach_the_model_without_a_question(
    own: OwnStage, prepared: Callable[..., Prepared]
) -> None:
    home = prepared().places().home
    it = await own(home=home)
    (told,) = [
        event.event.commands
        for event in it.scene.client.told("agent/event")
        if event.event.kind == "commands"
    ]
    assert [command.name for command in told] == ["compact", "release", "review", "tidy"]
    it.model.reply(call("use_skill", {"name": "release"}))
    it.model.reply(call("use_skill", {"name": "nothing"}))
    it.model.reply(text("Good."))
    assert (await it.turn("/review a.py")).reason == "done"
    asked = str(it.model.requests[0].body)
    assert "Look at a.py as a stranger would." in asked
    assert "release: How a release is made" in asked
    assert "Raise the number first." not in asked
    assert "Raise the number first." in it.model.requests[1].last
    assert "there is no skill `nothing`" in it.model.requests[2].last
    assert it.scene.client.told("tool/approvalRequest") == []


async def test_a_rule_that_denies_to_read_them_holds(
    own: OwnStage, prepared: Callable[..., Prepared]
) -> None:
    rule = f"read(~/{FOLDER}/**)"
    it = await own(home=prepared().places().home, rules={"deny": [rule]})
    it.model.reply(call("use_skill", {"name": "release"}))
    it.model.reply(text("Good."))
    await it.turn("/review a.py")
    asked = str(it.model.requests[0].body)
    assert "/review a.py" in asked
    assert "How a release is made" not in asked
    assert "Raise the number" not in it.model.requests[1].last


async def test_a_persons_own_command_goes_before_that_of_the_same_name(
    own: OwnStage, prepared: Callable[..., Prepared]
) -> None:
    home = prepared().places().home
    (Path(home) / FOLDER / "commands" / "compact.md").write_text("# Mine\n\nFold the maps.\n")
    it = await own(home=home)
    (told,) = [
        event.event.commands
        for event in it.scene.client.told("agent/event")
        if event.event.kind == "commands"
    ]
    assert [command.says for command in told if command.name == "compact"] == ["Mine"]
    it.model.reply(text("Folded."))
    assert (await it.turn("/compact")).reason == "done"
    assert "Fold the maps." in it.model.requests[0].last
