"""What comes or moves under a pointer that rests takes no click until it has stood still."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import ElementHandle

from assent.editor.protocol import changes, chats, happenings
from webview import own, scenes, tickets
from webview.stage import THEMES, Stage
from webview.test_changes import FILES, changed, opened, told

pytestmark = [pytest.mark.browser, pytest.mark.requirement("N-01")]

UNDONE: Final = changes.FilesUndone(
    undo_id="u-1", paths=[tickets.code("src/http/client.py"), tickets.code("b.py")]
)

ACTS: Final = frozenset(
    {
        "agent/closeChat",
        "agent/prompt",
        "agent/retry",
        "agent/setMode",
        "agent/stop",
        "change/keep",
        "change/keepHunk",
        "change/redo",
        "change/undo",
        "change/undoHunk",
        "chat/rewind",
        "shell/kill",
        "tool/again",
        "tool/background",
        "tool/kill",
        "tool/undo",
    }
)
"""What the page asks for that cannot simply be done again, or that lets an agent do more."""
SAFER: Final = frozenset({"ask-again", "leave-auto"})
"""Buttons that only ever make an agent ask more."""


def press(stage: Stage, name: str) -> None:
    """Click where a button stands, at once."""
    box = stage.at(name).first.bounding_box()
    assert box is not None, name
    stage.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    stage.let_pass(20)


def acted(stage: Stage) -> list[str]:
    return [each["method"] for each in stage.posted() if each["method"] in ACTS]


def of_files(*files: Any, undone: Any = None) -> Any:
    return happenings.FilesChanged(files=list(files), undone=undone)


def with_bar(stage: Stage, **more: Any) -> None:
    talk = scenes.chat(items=scenes.TALK, changes=FILES, **more)
    stage.open(scenes.snapshot(talks=[talk]))


# The bar.


def test_the_bar_takes_no_click_in_its_first_half_second_and_says_so(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK)]))
    stage.let_pass(2_000)
    stage.tell("agent/event", scenes.event(1, "chat-1", of_files(*FILES)))
    for name in ("undo-all", "keep-all"):
        press(stage, name)
        assert stage.at(name).get_attribute("data-armed") == "false"
    assert acted(stage) == []
    assert stage.at("live").inner_text().startswith("Nothing was done: this had only just come")
    stage.arm()
    press(stage, "undo-all")
    assert acted(stage) == ["change/undo"]


def strip(stage: Stage) -> None:
    notice = happenings.WorkspaceChanged(
        trusted=False, default_mode="default", banners=["Something was found."]
    )
    stage.tell("agent/event", scenes.event(1, None, notice))


def narrower(stage: Stage) -> None:
    stage.page.set_viewport_size({"width": 340, "height": 900})
    stage.draw()


def joined(stage: Stage) -> None:
    more = changed("f9", "src/another.py")
    stage.tell("agent/event", scenes.event(1, "chat-1", of_files(*FILES, more)))


def with_way_back(stage: Stage) -> None:
    stage.tell("agent/event", scenes.event(1, "chat-1", of_files(*FILES, undone=UNDONE)))


@pytest.mark.parametrize(
    ("moves", "name"),
    [(strip, "undo-all"), (narrower, "undo-all"), (joined, "undo-all"), (with_way_back, "redo")],
)
def test_after_whatever_moves_it_or_what_it_acts_on_the_bar_stands_still_first(
    stage: Stage, moves: Callable[[Stage], None], name: str
) -> None:
    with_bar(stage)
    stage.arm()
    moves(stage)
    press(stage, name)
    assert acted(stage) == []
    stage.arm()
    press(stage, name)
    assert len(acted(stage)) == 1


@pytest.mark.parametrize("stage", [{"width": 420, "height": 300}], indirect=True)
def test_a_list_that_is_scrolled_stands_still_first(stage: Stage) -> None:
    opened(stage)
    stage.arm()
    stage.page.locator(".changed").evaluate("(list) => { list.scrollTop = 40; }")
    stage.draw()
    name = "undo-file" if stage.at("undoHunk").count() == 0 else "undoHunk"
    button = stage.at(name).last
    button.scroll_into_view_if_needed()
    stage.draw()
    button.click()
    assert acted(stage) == []
    stage.arm()
    button.click()
    assert len(acted(stage)) == 1


def test_what_moved_where_nobody_was_told_of_it_is_seen_by_the_press(stage: Stage) -> None:
    with_bar(stage)
    stage.arm()
    # Nothing is drawn for this and no size changes.
    stage.at("changes").evaluate("(bar) => { bar.style.transform = 'translateY(7px)'; }")
    press(stage, "undo-all")
    assert acted(stage) == []


def test_a_file_that_takes_the_place_of_another_stands_still_first(stage: Stage) -> None:
    with_bar(stage)
    stage.at("changes-toggle").click()
    stage.arm()
    press(stage, "undo-file")
    stage.tell("agent/event", scenes.event(1, "chat-1", of_files(*FILES[1:])))
    press(stage, "undo-file")
    assert len(stage.requests("change/undo")) == 1


def test_whoever_uses_the_keyboard_is_on_the_button_wherever_it_moves(stage: Stage) -> None:
    with_bar(stage)
    stage.arm()
    stage.at("undo-all").focus()
    strip(stage)
    stage.page.keyboard.press("Enter")
    stage.let_pass(20)
    assert acted(stage) == ["change/undo"]


def test_a_key_meets_what_it_was_meant_for_and_one_that_is_held_acts_once(stage: Stage) -> None:
    with_bar(stage)
    stage.arm()
    stage.at("undo-all").focus()
    joined(stage)
    stage.page.keyboard.press("Enter")
    stage.let_pass(20)
    assert acted(stage) == []
    stage.arm()
    for _ in range(5):
        stage.page.keyboard.down("Enter")
    stage.page.keyboard.up("Enter")
    stage.let_pass(20)
    assert acted(stage) == ["change/undo"]


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_bar_is_never_where_the_buttons_of_a_card_stand(stage: Stage, language: str) -> None:
    asked = [tickets.edit("a"), tickets.shell("b")]
    talk = scenes.chat(items=scenes.TALK)
    stage.open(scenes.snapshot(talks=[talk], tickets=asked), language=language)
    sizes = [(width, height) for width in (260, 300, 420, 800) for height in (240, 480, 900)]
    acts: dict[tuple[int, int], list[Any]] = {size: [] for size in sizes}

    def measure(of: str) -> Any:
        return stage.page.evaluate(
            "(of) => { const box = document.querySelector(of)?.getBoundingClientRect();"
            " return box && [box.top, box.bottom]; }",
            of,
        )

    for ticket in asked:
        for size in sizes:
            stage.page.set_viewport_size({"width": size[0], "height": size[1]})
            stage.draw()
            acts[size].append(measure(".acts"))
        stage.tell("tool/approvalSettled", scenes.settled(asked.index(ticket) + 1, ticket))
    stage.tell("agent/event", scenes.event(3, "chat-1", of_files(*FILES, undone=UNDONE)))
    for size in sizes:
        stage.page.set_viewport_size({"width": size[0], "height": size[1]})
        stage.draw()
        top, bottom = measure(".changes")
        assert bottom > top, size
        for above, below in filter(None, acts[size]):
            assert bottom <= above or top >= below or above == below, (size, top, bottom, above)


def test_a_card_that_comes_or_goes_moves_no_bar(stage: Stage) -> None:
    with_bar(stage)
    before = stage.at("changes").bounding_box()
    ticket = tickets.edit()
    stage.ask(1, ticket)
    stage.draw()
    assert stage.at("changes").bounding_box() == before
    stage.tell("tool/approvalSettled", scenes.settled(2, ticket))
    stage.draw()
    assert stage.at("changes").bounding_box() == before


# The way back.


def test_what_was_undone_comes_back_by_one_press_which_the_keyboard_stands_on(stage: Stage) -> None:
    with_bar(stage)
    stage.arm()
    stage.at("undo-all").focus()
    stage.page.keyboard.press("Enter")
    stage.tell("agent/event", scenes.event(1, "chat-1", of_files(undone=UNDONE)))
    stage.answer(stage.asked("change/undo"), {"because": ""})
    assert stage.at("live").inner_text() == "Undone. “Redo” brings it back."
    assert stage.at("undone").inner_text().startswith("Undone: 2 files")
    assert stage.at("redo").evaluate("(each) => each === document.activeElement")
    described = stage.at("redo").get_attribute("aria-describedby")
    assert stage.page.locator(f"#{described}").inner_text() == "Undone: 2 files"
    stage.page.keyboard.press("Enter")
    stage.let_pass(20)
    assert stage.requests("change/redo") == [], "it had only just come"
    stage.arm()
    stage.page.keyboard.press("Enter")
    stage.let_pass(20)
    [asked] = stage.requests("change/redo")
    assert asked["params"] == {"chatId": "chat-1", "undoId": "u-1"}
    because = "src/http/client.py has changed since it was undone, so it stays as it is."
    stage.answer(asked["id"], {"because": because})
    assert stage.at("note").inner_text().startswith(because)


def test_a_way_back_that_is_dismissed_is_gone_and_the_next_one_comes(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK, undone=UNDONE)]))
    stage.arm()
    press(stage, "undone-dismiss")
    assert stage.at("changes").count() == 0
    again = UNDONE.model_copy(update={"undo_id": "u-2", "paths": UNDONE.paths[:1]})
    stage.tell("agent/event", scenes.event(1, "chat-1", of_files(undone=again)))
    assert stage.at("undone").inner_text().startswith("Undone: src/http/client.py")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("stage", [{"width": 300, "height": 700}], indirect=True)
def test_axe_finds_nothing_in_the_way_back(stage: Stage, theme: str) -> None:
    talk = scenes.chat(items=scenes.TALK, changes=FILES, undone=UNDONE)
    stage.open(scenes.snapshot(talks=[talk], tickets=[tickets.edit()]), theme=theme)
    assert stage.at("undone").is_visible()
    assert stage.faults() == []
    assert stage.violations() == []


# Whatever else acts at one click.


def everything(running: bool) -> Any:
    """A chat with each kind of thing that a click could do."""
    edit = scenes.record("e", tickets.plain("Edit parser.py"), may=["undo"])
    failed = chats.Notice(
        level="error", text="The model failed.", at=1, offer=chats.RetryOffer(wants_key=False)
    )
    mode = chats.Notice(level="info", text="Was Auto.", at=1, offer=chats.ModeOffer(mode="auto"))
    items = [*scenes.TALK, edit, own.RUNS, mode, failed]
    talk = own.chat(
        items=items,
        running=running,
        changes=FILES,
        undone=UNDONE,
        shells=[own.shell("1", "npm run dev")],
        limit="" if running else "It was stopped at a limit.",
    )
    return scenes.snapshot(talks=[talk], agents=own.AGENTS)


def unfold(stage: Stage) -> None:
    """Open whatever hides buttons, by the keyboard and in no time."""
    if stage.at("composer").input_value() == "":
        stage.at("composer").fill("half a thought")
    stage.page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
    stage.at("changes-toggle").press("Enter")
    stage.let_pass(20)
    stage.at("changed-file").first.get_by_role("button").first.press("Enter")
    stage.let_pass(20)
    stage.answer(stage.asked("change/show"), told())
    stage.at("rewind").first.press("Enter")
    stage.let_pass(20)
    plan = changes.RewindPlan(
        digest="d",
        files=[changes.RewindFile(file_id="f", path=tickets.code("a.py"), fate="back")],
        ran=[],
        more_ran=0,
        conversation=True,
    )
    stage.answer(stage.asked("chat/planRewind"), tickets.wire(plan))


def buttons(stage: Stage, which: str = "") -> list[ElementHandle]:
    """The buttons that can be seen, those that act at one click first."""
    found = stage.page.query_selector_all(f"button{which}:not([disabled])")
    names = [each.get_attribute("data-testid") for each in found]
    shown = [
        button
        for button, name in zip(found, names, strict=True)
        if name not in SAFER and button.is_visible()
    ]
    return sorted(shown, key=lambda it: it.get_attribute("data-still") is None)


def click(stage: Stage, button: ElementHandle, *, waits: bool) -> None:
    """Click where a button is by now, if it still is there, at once or once it has stood still."""
    if button.bounding_box() is not None:
        button.scroll_into_view_if_needed()
        if waits:
            stage.arm()
    box = button.bounding_box()
    if box is not None:
        stage.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        stage.let_pass(1)


@pytest.mark.parametrize("running", [True, False])
@pytest.mark.parametrize("stage", [{"width": 420, "height": 1600}], indirect=True)
def test_no_button_that_has_only_just_come_does_anything_that_matters(
    stage: Stage, running: bool
) -> None:
    answer = everything(running)
    stage.open(answer)
    unfold(stage)
    for button in buttons(stage):
        # With no Stop beside it, this one has stood there since the page began.
        if running or button.get_attribute("data-testid") != "send":
            click(stage, button, waits=False)
    assert acted(stage) == []
    stage.reload(answer)
    unfold(stage)
    for button in buttons(stage, "[data-still]"):
        click(stage, button, waits=True)
    acting = set(acted(stage))
    expected = {"agent/closeChat", "agent/setMode", "change/redo", "change/undo", "change/undoHunk"}
    expected |= {"change/keep", "change/keepHunk", "chat/rewind", "shell/kill"}
    expected |= {"tool/background", "tool/kill", "tool/undo"}
    expected |= {"agent/prompt", "agent/stop" if running else "agent/retry"}
    assert acting == expected


def test_stop_and_send_take_each_others_place_only_for_who_looks(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK, running=True)]))
    stage.at("composer").fill("half a thought")
    stage.arm()
    stage.tell("agent/event", scenes.event(1, "chat-1", happenings.TurnEnded(reason="done")))
    press(stage, "send")
    assert acted(stage) == []
    assert stage.at("composer").input_value() == "half a thought"
    stage.arm()
    press(stage, "send")
    stage.tell("agent/event", scenes.event(2, "chat-1", happenings.TurnBegan()))
    press(stage, "stop")
    assert acted(stage) == ["agent/prompt"]


def test_stop_takes_a_click_at_once_whatever_comes_to_wait(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK, running=True)]))
    stage.arm()
    stage.ask(1, tickets.edit())
    press(stage, "stop")
    assert acted(stage) == ["agent/stop"]
