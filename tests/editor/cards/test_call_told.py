"""The call beside its card: all that it is given, or nothing of that, and of a wish nothing."""

from typing import Any

import pytest

from assent.editor.cards.hunks import CARD_LETTERS
from assent.editor.protocol.approvals import ApprovalRequest
from assent.editor.window.chats.wording import request_shape
from assent.gate.call.calls import Call, Effect
from assent.gate.settings.wishes import Wish
from editor.cards.samples import SETTING, a_call, a_ticket, a_wish, shell
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
