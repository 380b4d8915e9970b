"""Rewinding to before a message, and editing one that was sent: said first, and by keyboard."""

from typing import Any, Final

import pytest

from assent.editor.protocol import changes, chats, happenings
from webview import scenes, tickets
from webview.stage import Stage
from webview.test_changes import FILES

pytestmark = pytest.mark.browser

requirement = pytest.mark.requirement

SAID: Final = [
    chats.Said(kind="user", message_id="m1", text="Retry with back-off when the API answers 429."),
    chats.Said(kind="agent", message_id="a1", text="Done: up to five tries."),
    chats.Said(kind="user", message_id="m2", text="Use it for PUT too."),
    chats.Said(kind="agent", message_id="a2", text="So it is."),
]


def file(name: str, path: str, fate: Any, because: str = "") -> changes.RewindFile:
    return changes.RewindFile(file_id=name, path=tickets.code(path), fate=fate, because=because)


PLAN: Final = changes.RewindPlan(
    digest="d-plan",
    files=[
        file("f1", "client.py", "edited", "client.py was changed by somebody else since."),
        file("f2", "backoff.py", "gone"),
        file("f3", "test_backoff.py", "back"),
        file("f4", "link.py", "stays", "link.py leads elsewhere than it did."),
    ],
    ran=[tickets.code("npm test")],
    more_ran=0,
    conversation=True,
)


def talk(**more: Any) -> chats.Chat:
    return scenes.chat(agent_id="assent", agent_name="Assent", items=SAID, changes=FILES, **more)


def asked(stage: Stage, plan: changes.RewindPlan = PLAN, theme: str = "dark-2026") -> None:
    """The question below the second message."""
    stage.open(scenes.snapshot(talks=[talk()]), theme=theme)
    stage.at("rewind").nth(1).focus()
    stage.page.keyboard.press("Enter")
    stage.let_pass(20)
    assert stage.requests("chat/planRewind")[0]["params"] == {
        "chatId": "chat-1",
        "messageId": "m2",
    }
    stage.answer(stage.asked("chat/planRewind"), tickets.wire(plan))
    # What draws it is fetched, and its buttons have to stand still once they are there.
    stage.at("rewind-panel").wait_for(state="attached")


@requirement("N-12")
def test_it_is_said_first_what_comes_back_and_what_does_not(stage: Stage) -> None:
    asked(stage)
    told = " ".join(stage.at("rewind-panel").inner_text().split())
    for each in (
        "Brings back test_backoff.py.",
        "Takes away backoff.py, not there before.",
        "client.py was changed by somebody else since. It stays as it is.",
        "Stays: link.py. link.py leads elsewhere",
        "Not undone: npm test.",
    ):
        assert each in told
    assert stage.requests("chat/rewind") == []


@requirement("N-12")
def test_files_come_back_as_the_plan_said_and_those_of_others_only_where_they_are_ticked(
    stage: Stage,
) -> None:
    asked(stage)
    stage.at("rewind-over").focus()
    stage.page.keyboard.press("Space")
    stage.let_pass(20)
    stage.arm()
    stage.at("rewind-files").focus()
    stage.page.keyboard.press("Enter")
    stage.let_pass(20)
    assert stage.requests("chat/rewind")[0]["params"] == {
        "chatId": "chat-1",
        "messageId": "m2",
        "digest": "d-plan",
        "files": True,
        "over": ["f1"],
        "conversation": False,
    }
    stage.answer(stage.asked("chat/rewind"), {"because": ""})
    assert stage.at("rewind-panel").count() == 0
    assert stage.at("composer").input_value() == ""


@requirement("N-12")
def test_words_that_are_taken_back_can_be_said_in_another_way(stage: Stage) -> None:
    asked(stage)
    stage.arm()
    stage.at("rewind-both").click()
    stage.let_pass(20)
    notice = chats.Notice(level="info", text="You rewound.", at=1, back_to="m2")
    stage.tell("agent/event", scenes.event(1, "chat-1", happenings.Noticed(notice=notice)))
    stage.answer(stage.asked("chat/rewind"), {"because": ""})
    assert stage.at("composer").input_value() == "Use it for PUT too."
    assert stage.at("composer").evaluate("it => it === document.activeElement")
    assert stage.at("taken-back").count() == 2
    assert "Use it for PUT too." in stage.at("taken-back").first.inner_text()


@requirement("N-12")
def test_escape_takes_the_question_away_and_nothing_is_done(stage: Stage) -> None:
    asked(stage)
    stage.at("rewind-cancel").focus()
    stage.page.keyboard.press("Escape")
    stage.let_pass(20)
    assert stage.at("rewind-panel").count() == 0
    assert stage.requests("chat/rewind") == []


@requirement("N-12")
def test_where_words_stay_it_is_said_and_not_offered(stage: Stage) -> None:
    because = "Its agent cannot be made to forget what was said: only files come back."
    plan = PLAN.model_copy(update={"conversation": False, "because": because})
    asked(stage, plan)
    assert because in stage.at("rewind-panel").inner_text()
    assert stage.at("rewind-files").is_visible()
    assert stage.at("rewind-both").count() == stage.at("rewind-words").count() == 0


@requirement("N-12")
def test_a_message_that_was_sent_is_edited_and_sent_in_its_place(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[talk()]))
    stage.at("composer").focus()
    stage.page.keyboard.press("ArrowUp")
    stage.let_pass(20)
    assert stage.at("composer").input_value() == "Use it for PUT too."
    assert stage.at("editing").is_visible()
    stage.at("composer").fill("Use it for PUT and PATCH.")
    stage.at("composer").press("Enter")
    stage.let_pass(20)
    assert stage.requests("agent/prompt") == []
    stage.answer(stage.asked("chat/planRewind"), tickets.wire(PLAN))
    params = stage.requests("chat/rewind")[0]["params"]
    assert (params["messageId"], params["files"], params["conversation"]) == ("m2", False, True)
    stage.answer(stage.asked("chat/rewind"), {"because": ""})
    assert stage.requests("agent/prompt")[0]["params"]["text"] == "Use it for PUT and PATCH."
    assert stage.at("editing").count() == 0
    assert stage.at("composer").input_value() == ""


@requirement("N-12")
def test_an_edit_that_cannot_be_made_keeps_the_words_and_says_why(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[talk()]))
    stage.at("composer").press("ArrowUp")
    stage.let_pass(20)
    stage.at("edit-files").check()
    stage.at("composer").press("Enter")
    stage.let_pass(20)
    stage.answer(stage.asked("chat/planRewind"), tickets.wire(PLAN))
    assert stage.requests("chat/rewind")[0]["params"]["files"]
    stage.answer(stage.asked("chat/rewind"), error="This has changed since it was shown.")
    assert stage.at("note").inner_text().startswith("This has changed since it was shown.")
    assert stage.at("composer").input_value() == "Use it for PUT too."
    assert stage.requests("agent/prompt") == []


@requirement("N-12")
@pytest.mark.parametrize("stage", [{"width": 300, "height": 700}], indirect=True)
def test_axe_finds_nothing_in_the_question_in_any_theme(stage: Stage) -> None:
    asked(stage)
    notice = chats.Notice(level="info", text="You rewound.", at=1, back_to="m1")
    stage.tell("agent/event", scenes.event(1, "chat-1", happenings.Noticed(notice=notice)))
    stage.at("composer").press("ArrowUp")
    stage.let_pass(20)
    assert stage.at("editing").is_visible()
    assert stage.page.evaluate("document.body.scrollWidth <= innerWidth")
    assert stage.faults_in_every_theme() == []
    assert stage.violations() == []
