"""The bar of changed files: one row when closed, files and hunks when open, and all by keyboard."""

from typing import Any, Final

import pytest

from assent.editor.protocol import card, changes, happenings
from webview import scenes, tickets
from webview.stage import Stage

pytestmark = pytest.mark.browser

requirement = pytest.mark.requirement


def changed(name: str, path: str, **more: Any) -> changes.ChangedFile:
    told: dict[str, Any] = {"added": 5, "removed": 3, "new": False, "digest": f"d-{name}", **more}
    return changes.ChangedFile(file_id=name, path=tickets.code(path), **told)


FILES: Final = [
    changed("f1", "src/http/client.py"),
    changed("f2", "src/http/backoff.py", added=33, removed=0, new=True),
    changed("f3", "a/very/long/way/to/some/folder/that/is/deep/test_backoff.py"),
]


def hunk(at: int) -> card.Hunk:
    lines = [
        card.HunkLine(sign="-", text=tickets.code("if req.method in ('GET',):")),
        card.HunkLine(sign="+", text=tickets.code("if req.method in ('GET', 'PUT'): " + "x" * 99)),
    ]
    return card.Hunk(old_start=at, new_start=at, lines=lines)


def told(note: str = "", count: int = 2) -> Any:
    file = card.EditedFile(
        path=tickets.code("src/http/client.py"),
        uri="file:///w/src/http/client.py",
        new=False,
        added=5,
        removed=3,
        hunks=[hunk(88 + at) for at in range(count)],
    )
    return tickets.wire(changes.ChangeShown(file=file, note=note, apart=True))


def opened(stage: Stage, theme: str = "dark-2026", **more: Any) -> None:
    """The bar with its first file open."""
    talk = scenes.chat(items=scenes.TALK, changes=FILES)
    stage.open(scenes.snapshot(talks=[talk], **more), theme=theme)
    stage.at("changes-toggle").click()
    stage.let_pass(20)
    stage.at("changed-file").first.get_by_role("button").first.click()
    stage.let_pass(20)
    stage.answer(stage.asked("change/show"), told())


@requirement("N-01")
def test_the_bar_is_one_row_until_it_is_opened_and_none_where_nothing_was_changed(
    stage: Stage,
) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK, changes=FILES)]))
    bar = stage.at("changes")
    assert stage.at("changes-count").inner_text().startswith("3 files")
    assert "+43" in stage.at("changes-count").inner_text()
    box = bar.bounding_box()
    assert box is not None
    assert box["height"] < 40
    assert stage.at("changed-file").count() == 0
    gone = happenings.FilesChanged(files=[])
    stage.tell("agent/event", scenes.event(1, "chat-1", gone))
    assert bar.count() == 0


@requirement("N-01")
def test_files_and_hunks_are_kept_and_undone_by_keyboard(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK, changes=FILES)]))
    keyboard = stage.page.keyboard
    stage.at("changes-toggle").focus()
    keyboard.press("Enter")
    stage.let_pass(20)
    for _ in range(3):
        keyboard.press("Tab")
    keyboard.press("Enter")
    stage.let_pass(20)
    asked = stage.requests("change/show")[-1]["params"]
    assert asked == {"chatId": "chat-1", "fileId": "f1", "digest": "d-f1"}
    stage.answer(stage.asked("change/show"), told())
    # The path, Undo and Keep of the file, and then its hunks.
    stage.arm()
    for _ in range(4):
        keyboard.press("Tab")
    keyboard.press("Enter")
    stage.let_pass(20)
    assert stage.requests("change/undoHunk")[0]["params"] == {**asked, "hunk": 0}
    stage.answer(stage.asked("change/undoHunk"), {"because": ""})
    stage.at("keep-file").nth(1).press("Enter")
    stage.let_pass(20)
    kept = stage.requests("change/keep")[0]["params"]
    assert kept == {"chatId": "chat-1", "files": [{"fileId": "f2", "digest": "d-f2"}]}
    keyboard.press("Escape")
    stage.let_pass(20)
    assert stage.at("changed-file").count() == 0
    assert stage.at("changes-toggle").evaluate("it => it === document.activeElement")


@requirement("N-01")
def test_what_changed_since_it_was_shown_is_asked_for_anew_before_anything_is_done(
    stage: Stage,
) -> None:
    opened(stage)
    stage.at("undoHunk").first.focus()
    others = [changed("f1", "src/http/client.py", digest="other"), *FILES[1:]]
    stage.tell("agent/event", scenes.event(1, "chat-1", happenings.FilesChanged(files=others)))
    assert stage.at("undoHunk").count() == 0
    assert stage.page.evaluate("document.activeElement.closest('.changes') !== null")
    assert stage.requests("change/show")[-1]["params"]["digest"] == "other"
    stage.answer(stage.asked("change/show"), told(count=1))
    stage.arm()
    stage.at("undoHunk").click()
    stage.let_pass(20)
    assert stage.requests("change/undoHunk")[0]["params"]["digest"] == "other"


@requirement("N-01")
def test_what_cannot_be_undone_is_said_with_its_diff_at_hand(stage: Stage) -> None:
    opened(stage)
    stage.arm()
    stage.at("undo-all").click()
    stage.let_pass(20)
    sent = stage.requests("change/undo")[0]["params"]["files"]
    assert [it["fileId"] for it in sent] == ["f1", "f2", "f3"]
    because = "src/http/client.py has changed since, so this cannot be undone."
    stage.answer(stage.asked("change/undo"), {"because": because})
    assert stage.at("note").inner_text().startswith(because)
    stage.at("change-diff").first.click()
    stage.let_pass(20)
    assert stage.requests("change/openDiff")[0]["params"]["fileId"] == "f1"


@requirement("N-01")
def test_the_diffs_of_all_files_are_opened_by_one_press(stage: Stage) -> None:
    opened(stage)
    stage.at("all-diffs").click()
    stage.let_pass(20)
    [asked] = stage.requests("change/openDiffs")
    assert [it["fileId"] for it in asked["params"]["files"]] == ["f1", "f2", "f3"]


@requirement("N-01")
def test_a_card_closes_the_bar(stage: Stage) -> None:
    opened(stage)
    assert stage.at("changed-file").count() == len(FILES)
    stage.ask(1, tickets.shell())
    assert stage.at("changed-file").count() == 0
    stage.at("changes-toggle").click()
    stage.let_pass(20)
    assert stage.at("changed-file").count() == 0


@requirement("N-01")
def test_a_path_is_drawn_as_it_is_and_not_as_it_would_look(stage: Stage) -> None:
    odd = changed("f1", "src/a")
    span = card.Span(kind="hidden", text="\u202e", shown="U+202E")
    odd = odd.model_copy(update={"path": [*odd.path, span]})
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK, changes=[odd])]))
    stage.at("changes-toggle").click()
    stage.let_pass(20)
    assert stage.at("change-diff").text_content() == "src/aU+202E"


@requirement("N-01")
@pytest.mark.parametrize("stage", [{"width": 300, "height": 700}], indirect=True)
def test_axe_finds_nothing_in_the_open_bar_in_any_theme(stage: Stage) -> None:
    opened(stage)
    assert stage.faults_in_every_theme() == []
    assert stage.violations() == []


@requirement("N-01")
@pytest.mark.parametrize(
    "stage",
    [{"width": width, "height": height} for width in (260, 300, 800) for height in (200, 480, 900)],
    indirect=True,
    ids=lambda it: f"{it['width']}x{it['height']}",
)
def test_the_document_never_scrolls_and_the_composer_stays(stage: Stage) -> None:
    opened(stage)
    stage.draw()
    fits = """() => [document.documentElement, document.body].every(
      (it) => it.scrollWidth <= it.clientWidth && it.scrollHeight <= it.clientHeight)"""
    assert stage.page.evaluate(fits)
    box = stage.at("composer").bounding_box()
    size = stage.page.viewport_size
    assert box is not None
    assert size is not None
    assert box["y"] + box["height"] <= size["height"]
    for at in ("keep-all", "undo-all", "changes-toggle"):
        inside = stage.at(at).evaluate(
            """(it) => { const { left, right, top } = it.getBoundingClientRect();
                 return left >= 0 && right <= innerWidth && top >= 0; }"""
        )
        assert inside, at
