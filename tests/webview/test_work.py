"""The transcript tells the work: what was done, and behind it how that was decided."""

from pathlib import Path
from typing import Any, Final

import pytest

from agent.tools.workbench import Workbench
from assent.editor.cards.members import kept_of
from assent.editor.cards.titles import title_of
from assent.editor.protocol import approvals, chats, happenings, records
from assent.editor.window.chats.judged_calls import kept_as, picture_of
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


REF: Final = {"chatId": "chat-1", "entry": 0, "callId": "call-r"}


def opened(stage: Stage, kept: records.RecordKept, title: str, **more: Any) -> None:
    """A record that was opened, and what the server tells of it."""
    record = scenes.record("r", tickets.plain(title), **more)
    stage.open(scenes.snapshot(talks=[scenes.chat(items=[record])]))
    stage.at("record").locator("summary").first.focus()
    stage.page.keyboard.press("Enter")
    # The browser tells that it is open in a task of its own.
    stage.page.wait_for_function("() => window.posted.some((it) => it.method === 'tool/record')")
    stage.answer(stage.asked("tool/record"), tickets.wire(kept))


@pytest.mark.requirement("T-13")
@pytest.mark.parametrize("length", [154, 4_000])
def test_a_record_that_is_opened_tells_what_ran(stage: Stage, tmp_path: Path, length: int) -> None:
    command = "make one\n" + "x" * (length - 9)
    given = {"command": command, "env": {"GREETING": "hello"}}
    call = Workbench(root=tmp_path).wants("run_command", **given).call
    opened(stage, picture_of(kept_as(call)), f"Run a command of {length} characters")

    assert stage.requests("tool/record")[0]["params"] == REF
    drawn = stage.at("recorded").locator("pre.raw")
    assert drawn.inner_text() == command
    assert drawn.evaluate("each => each.scrollWidth <= each.clientWidth")
    assert stage.at("recorded").locator("dt").all_inner_texts() == ["Folder", "Variable GREETING"]
    assert stage.at("record").locator(".fold, [data-main]").count() == 0
    assert stage.violations() == []


@pytest.mark.requirement("T-13")
def test_the_change_of_a_record_stands_in_it_and_opens_in_the_editors_diff(stage: Stage) -> None:
    body = tickets.edit().card.body
    opened(stage, records.RecordKept(body=body, texts=True), "Edit a file")
    assert stage.at("recorded").locator("tr[data-sign='+']").count() > 0
    button = stage.at("recorded").locator("[data-testid=open-diff]").first
    button.focus()
    stage.page.keyboard.press("Enter")
    assert stage.requests("tool/openRecordDiff")[0]["params"] == {**REF, "file": 0}
    assert stage.violations() == []


@pytest.mark.requirement("T-13")
def test_a_record_says_what_is_gone_and_opens_no_diff_of_it(stage: Stage) -> None:
    body = tickets.edit().card.body
    note = "What stood in its files before is not kept."
    opened(stage, records.RecordKept(body=body, note=note), "Edit a file")
    assert stage.at("open-diff").count() == 0
    assert stage.at("record-note").inner_text() == note


@pytest.mark.requirement("N-11")
def test_the_record_of_what_was_made_opens_its_file(stage: Stage) -> None:
    uri = "file:///till/kite.png"
    opened(stage, records.RecordKept(note="", uri=uri), "Create kite.png", state="succeeded")
    stage.at("record-open").click()
    assert {"kind": "reveal", "uri": uri} in stage.page.evaluate("() => window.posted")


@pytest.mark.requirement("N-11")
def test_the_record_of_what_was_not_made_opens_nothing(stage: Stage) -> None:
    kept = records.RecordKept(note="", uri="file:///till/kite.png")
    opened(stage, kept, "Create kite.png", state="refused")
    assert stage.at("record-open").count() == 0


@pytest.mark.requirement("T-13")
def test_a_record_that_is_open_is_asked_for_again_when_its_call_moves(stage: Stage) -> None:
    note = "It is not decided yet: its card shows all of it."
    opened(stage, records.RecordKept(note=note), "Run make", state="waiting")
    runs = scenes.record("r", tickets.plain("Run make"), state="running")
    stage.tell("agent/event", scenes.event(1, "chat-1", happenings.CallMoved(entry=0, call=runs)))
    assert len(stage.requests("tool/record")) == 2
    stage.at("record").locator("summary").first.click()
    stage.draw()
    assert stage.at("recorded").count() == 0


def failed(*, wants_key: bool = False, text: str = "OpenAI failed.") -> chats.Notice:
    """An error of a model, from which it can be asked again."""
    offer = chats.RetryOffer(wants_key=wants_key)
    return chats.Notice(level="error", text=text, at=0, offer=offer)


SAID: Final = chats.Said(kind="user", message_id="m", text="How much is it?")


@pytest.mark.requirement("C-03")
def test_an_error_of_a_model_stands_in_its_turn_with_retry_by_keyboard(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=[SAID, failed(), failed()])]))
    # Of two in a row the last is the one that counts.
    assert stage.at("retry").count() == 1
    assert stage.at("set-key").count() == 0
    stage.arm()
    assert stage.faults() == []
    stage.at("retry").focus()
    stage.page.keyboard.press("Enter")
    assert stage.requests("agent/retry")[0]["params"] == {"chatId": "chat-1"}
    assert stage.requests("agent/prompt") == []
    stage.tell("agent/event", scenes.event(1, "chat-1", happenings.TurnBegan()))
    assert stage.at("retry").count() == 0
    assert stage.page.evaluate("document.activeElement.matches('[data-log]')")


@pytest.mark.requirement("C-03")
def test_an_error_for_want_of_a_key_offers_to_set_one(stage: Stage) -> None:
    wants = failed(wants_key=True, text="OpenAI wants a key.")
    stage.open(scenes.snapshot(talks=[scenes.chat(items=[SAID, wants])]))
    stage.at("set-key").click()
    assert stage.posted("runCommand") == [{"kind": "runCommand", "command": "setModelKey"}]
    assert stage.at("retry").count() == 1


def edited(name: str = "e", **more: Any) -> records.CallRecord:
    told = made_by_agent("edit_file", "write")
    return scenes.record(name, tickets.plain("Edit a.py"), call=told, may=["undo"], **more)


def made_by_agent(tool: str, effect: str) -> approvals.CallTold:
    return approvals.CallTold(tool=tool, effect=effect, input=None, tool_call_id="tc-1")


@pytest.mark.requirement("T-13")
def test_an_edit_opens_on_its_change_and_stays_folded_once_a_person_has_folded_it(
    stage: Stage,
) -> None:
    items: list[chats.Item] = [edited("before")]
    stage.open(scenes.snapshot(talks=[scenes.chat(items=items, running=True)]))
    assert stage.requests("tool/record") == [], "what was there before is not asked for"
    for state in ("running", "succeeded"):
        moved = happenings.CallMoved(entry=1, call=edited(state=state))
        seq = 1 if state == "running" else 2
        stage.tell("agent/event", scenes.event(seq, "chat-1", moved))
    [asked] = stage.requests("tool/record")
    assert asked["params"] == {"chatId": "chat-1", "entry": 1, "callId": "call-e"}
    body = tickets.edit(path="src/a.py").card.body
    stage.answer(asked["id"], tickets.wire(records.RecordKept(body=body, texts=True)))
    assert stage.at("recorded").locator("tr[data-sign='+']").first.is_visible()
    path = stage.at("recorded").locator(".path a")
    assert path.inner_text() == "src/a.py"
    path.click()
    [shown] = stage.posted("reveal")
    assert shown["uri"].startswith("file:///")
    assert shown["uri"].endswith("/src/a.py")
    assert stage.violations() == []

    stage.at("record").last.locator("summary").first.click()
    undone = happenings.CallMoved(entry=1, call=edited(because="You undid it."))
    stage.tell("agent/event", scenes.event(3, "chat-1", undone))
    assert not stage.at("recorded").is_visible()
    assert len(stage.requests("tool/record")) == 1


@pytest.mark.requirement("T-13")
@pytest.mark.parametrize("how", ["read", "refused", "elsewhere"])
def test_nothing_else_opens_by_itself(stage: Stage, how: str) -> None:
    talks = [scenes.chat(running=True), scenes.chat("chat-2", running=True)]
    stage.open(scenes.snapshot(talks=talks))
    call = {
        "read": edited().model_copy(update={"call": made_by_agent("read", "read")}),
        "refused": edited(state="refused"),
        "elsewhere": edited(),
    }[how]
    shown = stage.at("chat-select").input_value() if stage.at("chat-select").count() else "chat-1"
    other = "chat-2" if shown == "chat-1" else "chat-1"
    chat = other if how == "elsewhere" else shown
    # Only what ran before can come to its end and open.
    for seq, state in enumerate(("running", call.state), 1):
        moved = happenings.CallMoved(entry=0, call=call.model_copy(update={"state": state}))
        stage.tell("agent/event", scenes.event(seq, chat, moved))
    assert stage.requests("tool/record") == []
