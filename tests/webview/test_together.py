"""Like calls of one agent in one list: one press, and an answer of its own for each of them."""

from typing import Any

import pytest

from assent.protocol import card
from webview import scenes, tickets
from webview.stage import Stage

pytestmark = pytest.mark.browser

NAMES = ["user", "order", "legacy", "item", "address", "line"]


def six() -> list[tickets.Ticket]:
    """Small changes of one agent."""
    return [tickets.edit(f"t-{name}", path=f"src/{name}.py", lines=3) for name in NAMES]


def opened(stage: Stage, *asked: tickets.Ticket) -> None:
    """The list of all that is like the first card."""
    talk = scenes.chat(items=scenes.TALK, running=True)
    stage.open(scenes.snapshot(talks=[talk], tickets=asked))
    stage.arm()
    stage.at("together").click()
    stage.arm()


def shown(stage: Stage) -> list[Any]:
    """The calls in the list, by their tickets."""
    found: list[Any] = stage.at("batch-row").evaluate_all(
        "(all) => all.map((each) => each.dataset.approvalId)"
    )
    return found


def answered(stage: Stage) -> dict[str, tuple[str, str]]:
    """How each call was answered, and by which digest."""
    return {it["approvalId"]: (it["optionId"], it["digest"]) for it in stage.answers()}


@pytest.mark.requirement("T-02", "T-07")
def test_one_press_answers_each_call_of_the_list_by_its_own_digest(stage: Stage) -> None:
    all_six, other = six(), tickets.shell("t-other")
    opened(stage, *all_six, other)
    assert shown(stage) == [it.approval_id for it in all_six]
    assert stage.at("pager").inner_text().split() == ["‹", "1-6", "/", "7", "›"]
    stage.at("tick").nth(2).focus()
    stage.page.keyboard.press("Space")
    stage.arm()
    assert stage.at("allow-once").inner_text() == "Allow 5, deny 1"
    assert stage.answers() == []
    stage.at("allow-once").click()
    stage.let_pass(20)

    ways = ["once", "once", "deny", "once", "once", "once"]
    assert answered(stage) == {
        it.approval_id: (way, it.digest) for it, way in zip(all_six, ways, strict=True)
    }
    stage.let_pass(1_000)
    stage.command("allowOnce")
    assert stage.at("allow-once").is_disabled()
    assert len(stage.answers()) == 6
    for seq, ticket in enumerate(all_six, start=1):
        stage.tell("tool/approvalSettled", scenes.settled(seq, ticket))
    assert stage.at("card").get_attribute("data-approval-id") == "t-other"


@pytest.mark.requirement("T-02")
def test_who_joins_later_is_not_in_the_list_and_moves_nothing(stage: Stage) -> None:
    opened(stage, *six())
    before = [stage.at(name).bounding_box() for name in ("deny", "allow-once", "batch-row")[:2]]
    stage.ask(1, tickets.edit("t-late", path="src/late.py", lines=3))

    assert [stage.at(name).bounding_box() for name in ("deny", "allow-once")] == before
    assert "t-late" not in shown(stage)
    assert stage.at("card").get_attribute("data-armed") == "true"
    stage.at("allow-once").click()
    stage.let_pass(20)
    assert "t-late" not in answered(stage)
    assert len(answered(stage)) == 6


@pytest.mark.requirement("T-01", "T-02")
@pytest.mark.parametrize("change", ["another text", "high"])
def test_a_call_that_changed_falls_out_alone_and_the_list_must_stand_still(
    stage: Stage, change: str
) -> None:
    """A call that is high now keeps its digest, and is answered on a card of its own."""
    all_six = six()
    opened(stage, *all_six)
    level: dict[str, Any] = {"level": "high"} if change == "high" else {}
    title = tickets.plain("Edit something else")
    picture = all_six[0].card.model_copy(update={"title": title, **level})
    fresh = tickets.asked("t-user", picture, revision=1)
    if change == "high":
        fresh = fresh.model_copy(update={"revision": 0, "digest": all_six[0].digest})
    stage.ask(1, fresh)
    assert shown(stage) == [it.approval_id for it in all_six[1:]]
    assert stage.at("card").get_attribute("data-armed") == "false"
    stage.at("allow-once").click()
    stage.let_pass(20)
    assert stage.answers() == []
    stage.arm()
    stage.at("allow-once").click()
    stage.let_pass(20)

    assert set(answered(stage)) == {it.approval_id for it in all_six[1:]}


@pytest.mark.requirement("T-02")
def test_what_is_high_long_or_of_another_agent_is_in_no_list(stage: Stage) -> None:
    high = tickets.edit("t-high", path="src/high.py")
    high = tickets.asked("t-high", high.card.model_copy(update={"level": "high"}))
    asked = [
        *six()[:2],
        high,
        tickets.edit("t-long", lines=120),
        tickets.edit("t-eliza", agent="eliza"),
        tickets.read(),
        tickets.edit("t-elsewhere", chat_id="chat-2"),
    ]
    opened(stage, *asked)

    assert shown(stage) == ["t-user", "t-order"]


@pytest.mark.requirement("T-01", "T-07")
def test_keys_answer_the_list_as_its_buttons_do_and_no_more(stage: Stage) -> None:
    opened(stage, *six())
    stage.command("stopAsking")
    assert "for one call alone" in stage.at("note").inner_text()
    stage.let_pass(1_000)
    stage.command("allowChat")
    assert stage.answers() == []
    stage.at("tick").first.click()
    stage.arm()
    stage.let_pass(1_000)
    stage.command("allowOnce")

    assert [option for option, _ in answered(stage).values()] == ["deny", *["once"] * 5]


@pytest.mark.requirement("T-02")
@pytest.mark.parametrize("stage", [{"width": 300, "height": 375}], indirect=True)
def test_the_list_is_allowed_once_each_of_its_rows_was_on_the_screen(stage: Stage) -> None:
    opened(stage, *six())
    assert stage.at("allow-once").is_disabled()
    stage.command("allowOnce")
    assert stage.answers() == []
    assert stage.at("deny").is_enabled()
    for _ in range(12):
        if stage.at("below").count() == 0:
            break
        stage.at("below").click()
        stage.let_pass(20)
        stage.draw()
    stage.arm()
    stage.at("allow-once").click()
    stage.let_pass(20)

    assert len(answered(stage)) == 6


@pytest.mark.requirement("T-07")
def test_a_list_is_left_for_its_cards_and_an_answer_that_failed_says_so_in_its_row(
    stage: Stage,
) -> None:
    opened(stage, *six()[:3])
    stage.at("one-by-one").click()
    stage.arm()
    assert stage.at("card-title").inner_text() == "Edit src/user.py"
    stage.at("together").click()
    stage.arm()
    stage.at("deny").click()
    stage.let_pass(20)
    stage.answer(stage.asked("tool/approvalResponse"), error="The disk is full.")

    assert "The disk is full." in stage.at("batch-row").first.inner_text()
    assert [option for option, _ in answered(stage).values()] == ["deny"] * 3


@pytest.mark.requirement("T-02")
def test_a_list_that_waits_without_limit_asks_so_for_each_call(stage: Stage) -> None:
    opened(stage, *six()[:2])
    stage.at("keep-waiting").click()
    stage.let_pass(20)

    asked = [it["params"]["approvalId"] for it in stage.requests("agent/answerLater")]
    assert asked == ["t-user", "t-order"]


def test_commands_that_their_titles_tell_whole_are_one_list(stage: Stage) -> None:
    def command(name: str, text: str) -> tickets.Ticket:
        part = card.ShellPart(text=tickets.plain(text), verdict="ask", because="")
        body = card.ShellBody(
            command=tickets.plain(text), readable=True, parts=[part], cwd=tickets.plain(".")
        )
        title = [*tickets.plain("Run "), *tickets.code(text)]
        says = "Runs in your shell, with all your rights."
        picture = tickets.drawn(body, title, level="medium", consequence=says)
        return tickets.asked(name, picture)

    opened(stage, command("a", "npm test"), command("b", "npm run lint"))

    assert stage.at("card-title").inner_text() == "Run 2 commands"
    rows = [it.strip() for it in stage.at("batch-row").all_inner_texts()]
    assert rows == ["Run npm test", "Run npm run lint"]
    assert stage.at("card").inner_text().count("with all your rights") == 1
