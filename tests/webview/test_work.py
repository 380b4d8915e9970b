"""The transcript tells the work: what was done, and behind it how that was decided."""

from pathlib import Path
from typing import Any, Final

import pytest

from assent.cards.members import kept_of
from assent.cards.titles import title_of
from assent.protocol import happenings
from tools.workbench import Workbench
from webview import scenes, tickets
from webview.stage import Stage

pytestmark = pytest.mark.browser


def looked(name: str, looks: str, title: str, **more: Any) -> Any:
    """A call that looked at something."""
    return scenes.record(name, tickets.plain(title), looks=looks, by="mode", **more)


LOOKS: Final = [
    looked("l1", "read", "Read a.py"),
    looked("l2", "search", "Search src for x"),
    looked("l3", "read", "Read a.py"),
    looked("l4", "read", "Read b.py"),
    looked("l5", "search", "Find x in src"),
]


@pytest.mark.requirement("T-13")
def test_reads_and_searches_in_a_row_fold_once_something_else_begins(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=LOOKS, running=True)]))
    looks = stage.at("looks")
    assert looks.locator("> summary").inner_text() == "Read 2 files, searched twice"
    assert stage.at("record").last.is_visible()
    runs = scenes.record("w", tickets.plain("Run ls"), state="running")
    stage.tell("agent/event", scenes.event(1, "chat-1", happenings.CallMoved(entry=5, call=runs)))

    assert [stage.at("record").nth(at).is_visible() for at in range(6)] == [*[False] * 5, True]
    looks.locator("> summary").focus()
    stage.page.keyboard.press("Enter")
    assert stage.at("record").first.is_visible()
    assert stage.at("record").first.get_by_text("Read a.py").first.is_visible()


@pytest.mark.requirement("T-13")
def test_a_look_alone_stands_in_its_line_and_one_that_was_refused_is_folded_into_none(
    stage: Stage,
) -> None:
    refused = looked("l9", "read", "Read .env", state="refused", because="A rule denies it.")
    stage.open(scenes.snapshot(talks=[scenes.chat(items=[LOOKS[0], refused, *LOOKS[1:3]])]))

    assert stage.at("looks").locator("> summary:visible").all_inner_texts() == [
        "Read 1 file, searched once"
    ]
    visible = [stage.at("record").nth(at).is_visible() for at in range(4)]
    assert visible == [True, True, False, False]
    assert "Denied by the mode: A rule denies it." in stage.at("record").nth(1).inner_text()


@pytest.mark.requirement("T-13")
def test_a_line_begins_with_what_was_done_and_its_sign_says_how_it_was_decided(
    stage: Stage,
) -> None:
    because = "You allowed it once."
    done = scenes.record("d", tickets.plain("Run make"), because=because)
    stage.open(scenes.snapshot(talks=[scenes.chat(items=[done])]))
    line = stage.at("record").locator(".line")

    assert line.inner_text().startswith("Run make")
    assert stage.at("record").locator(".sign").get_attribute("title") == f"Allowed: {because}"
    # It is said aloud all the same.
    assert because in line.inner_text()
    assert line.locator(".sr").count() == 1


@pytest.mark.requirement("T-13")
def test_a_long_command_can_be_read_whole_in_its_record_afterwards(
    stage: Stage, tmp_path: Path
) -> None:
    command = f"make {'x' * 149}"
    call = Workbench(root=tmp_path).wants("run_command", command=command).call
    record = scenes.record("r", title_of(call), members=kept_of(call))
    stage.open(scenes.snapshot(talks=[scenes.chat(items=[record])]))
    assert "xx … (154 characters)" in stage.at("record").inner_text()
    stage.at("record").locator("summary").click()

    assert stage.at("record-members").locator("dd").first.inner_text() == command
