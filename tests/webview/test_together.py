"""Like calls of one agent in one list: one press, and an answer of its own for each of them."""

from typing import Any

import pytest

from assent.editor.protocol import card
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


def looked(stage: Stage) -> None:
    """Each row of the list was on the screen."""
    for _ in range(40):
        if stage.at("below").count() == 0:
            break
        stage.at("below").click()
        stage.let_pass(20)
        stage.draw()
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


@pytest.mark.requirement("T-02", "T-07", "S-11")
def test_one_press_answers_each_call_of_the_list_by_its_own_digest(stage: Stage) -> None:
    all_six, other = six(), tickets.shell("t-other")
    opened(stage, *all_six, other)
    looked(stage)
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
    looked(stage)
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
    looked(stage)
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
    looked(stage)
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
    looked(stage)
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


def command(name: str, text: str, **more: Any) -> tickets.Ticket:
    """A command whose title tells all of it; medium."""
    part = card.ShellPart(text=tickets.plain(text), verdict="ask", because="")
    body = card.ShellBody(
        command=tickets.plain(text), readable=True, parts=[part], cwd=tickets.plain(".")
    )
    title = [*tickets.plain("Run "), *tickets.code(text)]
    says = "Runs with all your rights."
    picture = tickets.drawn(body, title, level="medium", consequence=says)
    return tickets.asked(name, picture.model_copy(update=more.pop("update", {})), **more)


def test_commands_that_their_titles_tell_whole_are_one_list(stage: Stage) -> None:
    opened(stage, command("a", "npm test"), command("b", "npm run lint"))

    assert stage.at("card-title").inner_text() == "Run 2 commands"
    rows = [it.strip() for it in stage.at("batch-row").all_inner_texts()]
    assert rows == ["Run npm test", "Run npm run lint"]
    assert stage.at("card").inner_text().count("with all your rights") == 1


@pytest.mark.requirement("T-01", "T-02")
def test_what_a_row_cannot_say_whole_has_a_card_of_its_own(stage: Stage) -> None:
    """More lines, longer lines, hidden characters, several files, another touch or reason."""
    boxed = [*tickets.plain("name"), *tickets.hidden("\u202e", "U+202E")]
    two = edited("t-two", [tickets.plain("x = 1")])
    [file] = two.card.body.model_dump()["files"]
    files = [card.EditedFile(**file), card.EditedFile(**{**file, "path": tickets.code("b.py")})]
    two = tickets.asked("t-two", two.card.model_copy(update={"body": card.EditBody(files=files)}))
    link = [card.Touch(name="Reads outside the workspace", text=tickets.code("~/.ssh/id_rsa"))]
    reason = {"because": card.Because(text="Another rule asks:", rule="shell(npm:*)")}
    asked = [
        edited("t-one", [tickets.plain("x = 1")]),
        edited("t-same", [tickets.plain(" "), tickets.plain("import os")]),
        edited("t-many", [tickets.plain("x = 1")] * 7),
        edited("t-wide", [tickets.plain("x" * 400)]),
        edited("t-boxed", [boxed]),
        edited("t-left-out", [tickets.plain("x = 1")], added=9),
        two,
        command("t-link", "cat notes.txt", update={"touches": link}),
        command("t-test", "npm test"),
        command("t-lint", "npm run lint"),
        command("t-reason", "npm run build", update=reason),
    ]
    opened(stage, *asked)
    assert shown(stage) == ["t-one", "t-same"]
    stage.at("one-by-one").click()
    with_others: set[str | None] = set()
    for _ in asked:
        stage.command("next")
        if stage.at("together").count() > 0:
            with_others.add(stage.at("card").get_attribute("data-approval-id"))

    assert with_others == {"t-one", "t-same", "t-test", "t-lint"}


def edited(name: str, lines: list[list[card.Span]], added: int | None = None) -> tickets.Ticket:
    """A change that puts these lines into one file."""
    put = [card.HunkLine(sign="+", text=line) for line in lines]
    file = card.EditedFile(
        path=tickets.code("src/x.py"),
        uri="file:///home/you/project/src/x.py",
        new=False,
        added=len(lines) if added is None else added,
        removed=0,
        hunks=[card.Hunk(old_start=1, new_start=1, lines=put)],
    )
    title = [*tickets.plain("Edit "), *tickets.code("src/x.py")]
    return tickets.asked(name, tickets.drawn(card.EditBody(files=[file]), title))


@pytest.mark.requirement("T-01", "T-02")
@pytest.mark.parametrize("stage", [{"width": 420, "height": 900}], indirect=True)
def test_a_row_draws_its_whole_change_open(stage: Stage) -> None:
    lines = [tickets.plain(" "), tickets.plain("import os"), tickets.plain("os.remove('x')")]
    opened(stage, *(edited(f"t-{n}", lines) for n in range(3)))

    assert stage.at("card-title").inner_text() == "Make 3 changes"
    assert stage.at("card").locator("details").count() == 0
    for row in stage.at("batch-row").all():
        assert row.locator("[data-sign='+']").count() == 3
        assert all(each.is_visible() for each in row.locator("[data-sign='+'] .mono").all())
        assert "os.remove('x')" in row.inner_text()


@pytest.mark.requirement("T-01", "T-02")
def test_a_row_that_is_gone_keeps_its_place_and_a_tick_must_wait_for_it(stage: Stage) -> None:
    all_four = [command(f"t-{n}", f"npm run part-{n}") for n in range(4)]
    opened(stage, *all_four)
    before = [it.bounding_box() for it in stage.page.locator(".batch li").all()]
    ticks = stage.at("tick")
    ticks.nth(1).focus()
    stage.tell("tool/approvalSettled", scenes.settled(1, all_four[1], because="Nobody answered."))

    assert [it.bounding_box() for it in stage.page.locator(".batch li").all()] == before
    assert shown(stage) == ["t-0", "t-2", "t-3"]
    assert "over" in stage.at("batch-gone").inner_text()
    on = "document.activeElement.closest('li')?.dataset.approvalId"
    assert stage.page.evaluate(on) == "t-2"
    ticks.nth(2).click()
    stage.let_pass(20)
    assert stage.at("allow-once").inner_text() == "Allow 3"
    stage.arm()
    ticks.nth(2).click()
    ticks.nth(3).click()
    stage.let_pass(20)
    assert stage.at("allow-once").inner_text() == "Allow 1, deny 2"

    for seq in (3, 2):
        stage.tell("tool/approvalSettled", scenes.settled(5 - seq, all_four[seq]))
    assert stage.at("batch-row").count() == 0
    assert stage.page.evaluate("document.activeElement.closest('.card') !== null")


@pytest.mark.requirement("T-01", "T-07")
def test_a_row_that_changed_is_said_to_be_asked_by_itself(stage: Stage) -> None:
    all_six = six()
    opened(stage, *all_six)
    stage.at("tick").first.click()
    stage.arm()
    stage.ask(1, tickets.asked("t-user", all_six[0].card, revision=1))

    told = "Edit src/user.py is asked by itself; your deny was not given."
    assert stage.at("live").inner_text() == told
    assert "asked by itself" in stage.at("batch-gone").inner_text()
    stage.command("previous")
    assert stage.at("card").get_attribute("data-approval-id") == "t-user"


@pytest.mark.requirement("T-02")
def test_the_clock_of_a_list_is_the_soonest_and_can_be_taken_away(stage: Stage) -> None:
    opened(
        stage,
        command("t-late", "npm test", expires_in=None),
        command("t-soon", "npm run lint", expires_in=90_000),
        command("t-then", "npm run build", expires_in=200_000),
    )

    assert "Denies in 1:" in stage.at("countdown").inner_text()
    stage.at("keep-waiting").click()
    stage.let_pass(20)
    asked = [it["params"]["approvalId"] for it in stage.requests("agent/answerLater")]
    assert asked == ["t-soon", "t-then"]


@pytest.mark.requirement("T-01")
def test_buttons_that_are_off_answer_nothing_and_escape_leaves_the_list(stage: Stage) -> None:
    opened(stage, *(command(f"t-{n}", f"npm run part-{n}") for n in range(3)))
    stage.at("card").focus()
    stage.page.keyboard.press("Escape")
    stage.let_pass(20)
    assert stage.at("batch-row").count() == 0
    stage.at("together").click()
    stage.arm()
    stage.at("allow-once").click()
    stage.let_pass(20)
    stage.answer(stage.asked("tool/approvalResponse"), error="The disk is full.")
    stage.arm()
    assert stage.at("deny").is_disabled()
    stage.at("deny").click(force=True)
    stage.let_pass(1_000)
    stage.command("deny")
    stage.let_pass(1_000)
    stage.command("allowOnce")

    assert len(stage.answers()) == 3
