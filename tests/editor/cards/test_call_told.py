"""The call beside its card and in its record: all that it is given, or nothing of that."""

from typing import Any

import pytest

from assent.editor.cards.hunks import CARD_LETTERS
from assent.editor.lsp.wire import written
from assent.editor.protocol.approvals import ApprovalRequest
from assent.editor.protocol.records import CallRecord
from assent.editor.window.chats.call_shapes import record_shape
from assent.editor.window.chats.wording import request_shape
from assent.gate.call.calls import Call, Effect
from assent.gate.call.lifecycle import State
from assent.gate.journal.events import CallMoved
from assent.gate.settings.wishes import Wish
from editor.cards.samples import SETTING, a_call, a_target, a_ticket, a_wish, shell
from tables import each_row


def _request(asks: Call | Wish) -> ApprovalRequest:
    return request_shape(
        a_ticket(asks), SETTING, epoch="e", seq=1, asked_at=0, now=0, expires_in=None
    )


@pytest.mark.requirement("P-01")
@each_row("effect", Effect)
def test_a_call_is_told_as_it_was_made(effect: Effect) -> None:
    given: dict[str, Any] = {"command": "make\n\u202e", "env": {"A": ["1", 2, None, True]}}
    told = _request(shell("x", input=given, effect=effect)).call
    assert told is not None
    assert told.model_dump(by_alias=True) == {
        "tool": "shell",
        "effect": effect.value,
        "input": given,
        "toolCallId": "call",
    }


def test_what_takes_more_room_than_a_card_has_is_left_out_whole() -> None:
    fits = {"text": "x" * (CARD_LETTERS - len('{"text":""}'))}
    told = _request(a_call(input=fits)).call
    assert told is not None
    assert told.input == fits
    told = _request(a_call(input={"text": fits["text"] + "x"})).call
    assert told is not None
    assert told.input is None
    assert told.tool == "other"


def test_a_wish_is_no_call() -> None:
    assert _request(a_wish()).call is None


def _record(call: Call, state: State = State.PROPOSED) -> CallRecord:
    return record_shape(CallMoved(call=call, state=state), None, 0)


@pytest.mark.requirement("P-01")
@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("tc-42", "tc-42"),
        ("", "call"),
        ("tc\u202e\n\x1b[2J", "tcU+202E U+001B[2J"),
        ("x" * 10_000, "x" * 128 + "…"),
    ],
)
def test_what_its_agent_calls_it_is_told_in_one_short_line(given: str, shown: str) -> None:
    call = shell("make", tool_call_id=given)
    told = _request(call).call
    assert told is not None
    assert told.tool_call_id == shown
    assert _record(call).call == told


def test_what_its_agent_calls_it_is_no_part_of_what_is_judged_or_drawn() -> None:
    named, nameless = shell("make", tool_call_id="tc-42"), shell("make")
    assert (named.digest, named.likeness) == (nameless.digest, nameless.likeness)
    assert b"tc-42" not in written(_request(named).card)


@pytest.mark.requirement("T-06")
@each_row("state", State)
def test_a_record_says_whether_its_call_did_what_it_was_to_do(state: State) -> None:
    over = {"succeeded": True, "answered": True, "failed": False, "killed": False, "refused": False}
    assert _record(shell("make"), state).success is over.get(state)


@pytest.mark.requirement("T-06")
def test_a_record_names_the_path_that_its_call_touches_and_none_of_several() -> None:
    one, two = a_target("a.txt"), a_target("b.txt")
    assert _record(a_call(targets=(one,))).path == "/w/a.txt"
    assert _record(a_call(targets=(one, two))).path == ""


def test_a_record_has_room_for_arguments_of_32_kb() -> None:
    fits = {"text": "x" * (32 * 1024 - len('{"text":""}'))}
    for given, told in ((fits, fits), ({"text": fits["text"] + "x"}, None)):
        record = _record(a_call(input=given))
        assert record.call is not None
        assert record.call.input == told
