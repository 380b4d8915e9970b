"""A workflow of six steps in a real editor: one card, the drawn graph, run again from a step."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from host.processes import living
from host.waiting import until
from models.script import call, text
from vscode.modelhost import Models, hosted
from vscode.test_own_agent import AtWork, Picture, at_work, own_editor, picture

__all__ = ["at_work", "own_editor", "picture"]

requirement = pytest.mark.requirement


@pytest.fixture
def models() -> Iterator[Models]:
    """A host of models."""
    with hosted() as models:
        yield models


def shell(command: str, **more: Any) -> dict[str, Any]:
    return {"run": "run_command", "with": {"command": command}, **more}


STEPS = {
    "look": shell("echo '[1, 2]'"),
    "make": shell("touch made-${item}.txt", each=["a", "b"], after=["look"]),
    "never": shell("touch never.txt", when={"value": "${look}", "contains": "9"}),
    "check": shell("cat wanted.txt", after=["make"]),
    "other": shell("touch other.txt", after=["look"]),
    "last": shell("touch last.txt", after=["check", "never"]),
}


@requirement("N-08")
def test_a_workflow_is_asked_about_once_drawn_and_run_again_from_the_step_that_failed(
    at_work: AtWork, models: Models, workspace: Path, picture: Picture
) -> None:
    path = workspace / ".assent/workflows/release.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"steps": STEPS}))
    person = at_work()
    models.reply(call("run_workflow", {"name": "release"}))
    models.reply(text("The check failed."))
    person.say("Run it.")
    person.wait_for_card("Run the workflow release (7 steps)")
    expect(person.card.get_by_test_id("part")).to_have_count(7)
    picture(person, "card")
    person.allow()
    person.wait_for_turn()
    drawn = person.see("flow")
    expect(drawn.locator("rect")).to_have_count(len(STEPS))
    expect(drawn.locator("g[data-state='failed']")).to_have_count(1)
    expect(drawn.locator("g[data-state='skipped']")).to_have_count(1)
    picture(person, "failed")
    made = sorted(it.name for it in workspace.glob("*.txt"))
    assert made == ["made-a.txt", "made-b.txt", "other.txt"]
    (workspace / "made-a.txt").unlink()
    (workspace / "wanted.txt").write_text("here")
    person.press("flow-again")
    person.wait_for_card("Run the workflow release (2 steps)")
    person.allow()
    person.wait_for_file("last.txt")
    assert not (workspace / "made-a.txt").exists(), "what is done is not done once more"
    expect(person.see("flow").last.locator("g[data-state='kept']")).to_have_count(3)
    picture(person, "again")


BROKEN_OFF = {
    "first": shell("echo x >> first.txt"),
    "more": shell("echo ${item} >> more.txt", each=["a", "b"], after=["first"]),
    "never": shell("touch never.txt", when={"value": "${first}", "contains": "9"}),
    "waits": shell("echo x >> begun.txt; test -e go || sleep 600", after=["more"]),
    "check": shell("cat wanted.txt", after=["waits"]),
    "last": shell("echo x >> last.txt", after=["check"]),
}


@requirement("N-08")
def test_what_a_killed_server_broke_off_is_gone_on_with_and_no_step_runs_twice(
    at_work: AtWork, models: Models, workspace: Path, picture: Picture
) -> None:
    path = workspace / ".assent/workflows/release.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"steps": BROKEN_OFF}))
    (workspace / "wanted.txt").write_text("here")
    person = at_work()
    models.reply(call("run_workflow", {"name": "release"}))
    person.say("Run it.")
    person.wait_for_card("Run the workflow release (7 steps)")
    person.allow()
    person.wait_for_file("begun.txt")
    expect(person.see("flow").locator("g[data-state='running']")).to_have_count(1)

    old = person.server()
    os.kill(old.pid, signal.SIGKILL)
    until(lambda: not living(frozenset({old})), within=30, what="the old server is gone")
    (workspace / "go").touch()
    drawn = person.see("flow")
    expect(drawn.locator("g[data-state='done']")).to_have_count(2, timeout=30_000)
    picture(person, "broken-off")
    person.press("flow-again")
    person.wait_for_card("Run the workflow release (3 steps)")
    expect(person.card).to_contain_text("nobody knows how far it came")
    picture(person, "asked-about")
    person.allow()
    person.wait_for_file("last.txt")
    expect(person.see("flow").last.locator("g[data-state='kept']")).to_have_count(2)
    written = {it: (workspace / f"{it}.txt").read_text() for it in ("first", "more", "last")}
    assert written == {"first": "x\n", "more": "a\nb\n", "last": "x\n"}
    # The step that had begun was allowed once more, knowing that.
    assert (workspace / "begun.txt").read_text() == "x\nx\n"
    assert not (workspace / "never.txt").exists()
