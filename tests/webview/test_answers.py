"""How a card is answered, and what comes back."""

import pytest

from assent.editor.protocol import card
from webview import scenes, tickets
from webview.stage import Stage

pytestmark = [pytest.mark.browser, pytest.mark.walk]


def opened(stage: Stage, *asked: tickets.Ticket) -> None:
    talk = scenes.chat(items=scenes.TALK, running=True)
    stage.open(scenes.snapshot(talks=[talk], tickets=asked))


@pytest.mark.requirement("T-02", "S-04", "N-04")
@pytest.mark.parametrize(
    ("way", "option"),
    [
        (["allow-once"], "once"),
        (["deny"], "deny"),
        (["allow-menu", "option-allowChat"], "chat"),
        (["allow-menu", "option-bypassAgent"], "bypass"),
    ],
)
def test_an_answer_names_exactly_the_card_that_was_shown(
    stage: Stage, way: list[str], option: str
) -> None:
    ticket = tickets.edit(revision=2)
    opened(stage, ticket)
    for name in way:
        stage.arm()
        stage.at(name).click()
        stage.let_pass(20)

    [answer] = stage.answers()
    assert answer.pop("shownMs") >= 500
    assert answer == {
        "approvalId": ticket.approval_id,
        "chatId": "chat-1",
        "revision": 2,
        "digest": ticket.digest,
        "optionId": option,
    }


@pytest.mark.requirement("T-02", "T-05")
@pytest.mark.parametrize("by", ["button", "enter"])
def test_words_for_the_agent_go_with_the_refusal(stage: Stage, by: str) -> None:
    opened(stage, tickets.shell())
    stage.arm()
    stage.at("deny-menu").click()
    stage.arm()
    stage.at("option-denyTell").click()
    stage.arm()
    assert stage.answers() == []

    stage.at("deny-words").fill("use the docs")
    stage.let_pass(20)
    if by == "enter":
        stage.at("deny-words").press("Enter")
    else:
        stage.at("deny-words-send").click()
    stage.let_pass(20)

    [answer] = stage.answers()
    assert (answer["optionId"], answer["feedback"]) == ("tell", "use the docs")


@pytest.mark.requirement("T-02")
def test_only_what_the_server_offers_is_drawn(stage: Stage) -> None:
    opened(stage, tickets.trust())
    stage.arm()

    names = stage.at("card").get_by_role("button").all_inner_texts()
    assert names == ["Keep asking", "Stop asking for Eliza"]
    stage.at("option-grantWish").click()
    stage.let_pass(20)
    assert [answer["optionId"] for answer in stage.answers()] == ["grant"]


def test_files_of_a_repository_stand_there_whole_and_are_looked_at_before_they_are_let(
    stage: Stage,
) -> None:
    ticket = tickets.repository()
    stage.page.set_viewport_size({"width": 300, "height": 480})
    opened(stage, ticket)
    stage.arm()

    files = stage.at("trust-file")
    assert isinstance(ticket.card.body, card.TrustBody)
    for at, file in enumerate(ticket.card.body.files):
        drawn = files.nth(at).inner_text()
        for spans in (file.path, *(row.value for row in file.rows)):
            assert "".join(span.text for span in spans) in drawn
        exact = files.nth(at).locator("pre").text_content()
        assert exact == "".join(span.text for span in file.text)
    names = [stage.at("option-keepOff").inner_text(), stage.at("option-grantWish").inner_text()]
    assert names == ["Keep off", "Let it run here…"]
    assert stage.at("option-grantWish").is_disabled(), "nobody has seen all of it"
    stage.at("option-keepOff").click()
    stage.let_pass(20)
    assert [answer["optionId"] for answer in stage.answers()] == ["keep"]


@pytest.mark.requirement("T-13", "S-05")
def test_a_card_stays_until_the_server_says_that_it_is_settled(stage: Stage) -> None:
    ticket = tickets.edit()
    opened(stage, ticket)
    stage.arm()
    stage.at("allow-once").click()
    stage.let_pass(20)

    assert stage.at("hint").inner_text() == "Sending…"
    assert stage.at("allow-once").is_disabled()
    applied = {"kind": "applied", "outcome": "allowed", "by": "user", "because": "You allowed it."}
    stage.answer(stage.asked("tool/approvalResponse"), applied)
    assert stage.at("card").is_visible()
    stage.tell("tool/approvalSettled", scenes.settled(1, ticket))
    assert stage.at("dock").count() == 0
    assert len(stage.answers()) == 1


@pytest.mark.requirement("T-13")
def test_a_card_without_a_receipt_can_be_answered_again_after_ten_seconds(stage: Stage) -> None:
    opened(stage, tickets.edit())
    stage.arm()
    stage.at("allow-once").click()
    stage.let_pass(9_900)
    assert stage.at("allow-once").is_disabled()
    stage.let_pass(200)
    assert "has not confirmed" in stage.at("remark").inner_text()
    stage.arm()
    stage.at("deny").click()
    stage.let_pass(20)

    assert [answer["optionId"] for answer in stage.answers()] == ["once", "deny"]


@pytest.mark.requirement("T-01", "T-13")
def test_a_stale_answer_shows_the_new_card_and_asks_for_a_new_look(stage: Stage) -> None:
    opened(stage, tickets.edit())
    stage.arm()
    stage.at("allow-once").click()
    stage.let_pass(20)
    changed = tickets.edit(lines=6, revision=1)
    current = tickets.wire(changed)
    stage.answer(stage.asked("tool/approvalResponse"), {"kind": "stale", "current": current})

    assert stage.at("card").get_attribute("data-digest") == changed.digest
    assert stage.at("card").get_attribute("data-armed") == "false"
    assert "Look again" in stage.at("remark").inner_text()
    # What can be seen is known once a frame was drawn.
    stage.let_pass(20)
    stage.at("allow-once").click()
    assert len(stage.answers()) == 1
    stage.arm()
    stage.at("allow-once").click()
    stage.let_pass(20)
    assert stage.answers()[-1]["digest"] == changed.digest


@pytest.mark.requirement("T-11")
@pytest.mark.parametrize(
    ("receipt", "words"),
    [
        ({"kind": "alreadyDecided", "outcome": "refused", "by": "timeout"}, "already"),
        ({"kind": "unknown", "because": "There is no such ticket."}, "no such ticket"),
        ({"kind": "stillOpen", "because": "You drew back."}, "drew back"),
    ],
)
def test_a_receipt_that_settles_nothing_is_told_on_the_card(
    stage: Stage, receipt: dict[str, str], words: str
) -> None:
    opened(stage, tickets.edit())
    stage.arm()
    stage.at("allow-once").click()
    stage.let_pass(20)
    stage.answer(stage.asked("tool/approvalResponse"), receipt)

    assert words in stage.at("remark").inner_text()
    # Where the two sides differ on what there is, the view asks for the truth.
    again = len(stage.requests("agent/subscribe")) - 1
    assert again == (0 if receipt["kind"] == "stillOpen" else 1)
