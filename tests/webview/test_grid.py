"""Cards in a view of every size, in every theme, at two zooms: the answers are whole, or dead.

Where too little room is left to read what is asked, one line stands in place of the card.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest

from webview import scenes, tickets
from webview.stage import BODY_CLASSES, THEMES, Stage
from webview.test_short import BANNERS, SCROLLS, WHOLE

pytestmark = pytest.mark.browser

HEIGHTS: Final = (200, 225, 250, 275, 300, 350, 400, 450, 520, 600, 700, 800, 900)
WIDTHS: Final = (260, 340, 520, 800)
ZOOMS: Final = (1, 2)
SIZES: Final = [(w, h, z) for z in ZOOMS for w in WIDTHS for h in HEIGHTS]

FRAME: Final = """() => new Promise((drawn) => {
  // The page's own clock stands still: what the browser lays out is told by an observer.
  let left = 2;
  const seen = new ResizeObserver(() => {
    seen.disconnect();
    left -= 1;
    if (left === 0) drawn(); else seen.observe(document.body);
  });
  seen.observe(document.body);
})"""

LOOK: Final = f"""async (themes) => {{
  const frame = {FRAME};
  const found = [];
  for (const [name, values, classes] of themes) {{
    document.documentElement.removeAttribute("style");
    for (const [key, value] of Object.entries(values)) {{
      document.documentElement.style.setProperty(key, value);
    }}
    const kept = [...document.body.classList].filter((each) => !each.startsWith("vscode-"));
    document.body.className = [...kept, ...classes.split(" ")].join(" ");
    await frame();
    const whole = {WHOLE};
    const line = document.querySelector(".in-tab");
    const isLine = line.checkVisibility({{ visibilityProperty: true }});
    const mains = [...document.querySelectorAll(".acts .main")];
    const told = isLine ? [whole(line)] : mains.map(whole);
    const moved = ({SCROLLS})();
    const body = document.querySelector(".card .content").clientHeight;
    found.push({{ name, isLine, told, moved, mains: mains.length, body }});
  }}
  return found;
}}"""


def themes_by_layout() -> list[list[str]]:
    """The themes by their fonts and borders: within a group only colours differ."""
    groups: dict[tuple[Any, ...], list[str]] = {}
    for name, values in THEMES.items():
        moving = [values[key] for key in sorted(values) if "-font-" in key]
        groups.setdefault((*moving, "--vscode-contrastBorder" in values), []).append(name)
    return [*groups.values()]


GROUPS: Final = themes_by_layout()


def looks_at(place: int) -> list[Any]:
    """One theme of each group, a different one for each size."""
    names = [group[place % len(group)] for group in GROUPS]
    return [[name, THEMES[name], BODY_CLASSES[name]] for name in names]


def low(stage: Stage) -> None:
    begun(stage, tickets.edit())


def medium(stage: Stage) -> None:
    begun(stage, tickets.read())


def high(stage: Stage) -> None:
    begun(stage, tickets.shell())


def batch(stage: Stage) -> None:
    begun(stage, *(tickets.edit(f"t-{n}", path=f"src/{n}.py", lines=3) for n in range(6)))
    stage.at("together").click()
    stage.arm()
    assert stage.at("batch-row").count() == 6


def with_note(stage: Stage) -> None:
    """A key that came too early has left its sentence, and the server one on the card."""
    begun(stage, tickets.read())
    stage.at("allow-once").click()
    stage.let_pass(20)
    stage.answer(stage.asked("tool/approvalResponse"), error="The server was busy. " * 6)
    stage.tell("tool/approvalRequest", scenes.delivered(1, tickets.read("t-2")))
    stage.page.evaluate("window.posted.length = 0")
    stage.command("next")
    stage.command("previous")
    stage.command("deny")
    assert stage.at("note").count() == 1
    assert stage.at("remark").count() == 1
    stage.arm()


def begun(stage: Stage, *asked: tickets.Ticket) -> None:
    talk = scenes.chat(items=scenes.TALK, running=True)
    stage.open(scenes.snapshot(talks=[talk], tickets=asked, banners=BANNERS))
    stage.arm()


SCENES: Final[dict[str, Callable[[Stage], None]]] = {
    "low": low,
    "medium": medium,
    "high": high,
    "batch": batch,
    "with note": with_note,
}


def sized(stage: Stage) -> Iterator[tuple[int, int, int]]:
    """The view in each size: zoomed in, the same window has fewer and larger pixels."""
    screen = stage.page.context.new_cdp_session(stage.page)
    for width, height, zoom in SIZES:
        screen.send(
            "Emulation.setDeviceMetricsOverride",
            {
                "width": width // zoom,
                "height": height // zoom,
                "deviceScaleFactor": zoom,
                "mobile": False,
            },
        )
        stage.page.evaluate(FRAME)
        yield width, height, zoom


@pytest.mark.requirement("T-02", "M-03")
@pytest.mark.parametrize("scene", SCENES)
def test_in_a_view_of_every_size_the_answers_are_whole_or_one_line_stands_for_them(
    stage: Stage, scene: str
) -> None:
    SCENES[scene](stage)
    lines, cards, faults = 0, 0, []
    for place, size in enumerate(sized(stage)):
        looks: list[Any] = stage.page.evaluate(LOOK, looks_at(place))
        for look in looks:
            lines, cards = lines + look["isLine"], cards + (not look["isLine"])
            wanted = {"told": ["whole"] * len(look["told"]), "moved": [0, 0], "mains": 2}
            if {name: look[name] for name in wanted} != wanted:
                faults.append((size, look))
        if looks[0]["isLine"]:
            stage.let_pass(600)
            stage.command("allowOnce")
            stage.command("deny")
            stage.let_pass(2_000)
            assert (size, stage.answers()) == (size, [])
    assert faults == []
    assert lines > 0
    assert cards > len(SIZES)


@pytest.mark.requirement("T-02")
@pytest.mark.parametrize("stage", [{"width": 180, "height": 160}], indirect=True)
def test_the_line_opens_its_card_in_a_tab_and_goes_where_there_is_room(stage: Stage) -> None:
    high(stage)
    line = stage.at("in-tab")
    assert (line.is_visible(), stage.at("card").is_visible()) == (True, False)
    line.click()
    stage.let_pass(20)

    [wish] = stage.posted("runCommand")
    assert (wish["command"], wish["about"]) == ("reviewInTab", "t-shell")
    stage.page.set_viewport_size({"width": 400, "height": 700})
    stage.arm()
    assert (line.is_visible(), stage.at("card").is_visible()) == (False, True)


@pytest.mark.requirement("T-01", "T-02")
@pytest.mark.parametrize("stage", [{"width": 180, "height": 160}], indirect=True)
def test_the_keyboard_goes_to_the_line_and_no_key_answers_the_card(stage: Stage) -> None:
    low(stage)
    stage.at("card").evaluate("(card) => card.focus()")
    stage.command("review")
    assert stage.at("in-tab").evaluate("(each) => each === document.activeElement")
    stage.command("allowOnce")
    stage.let_pass(2_000)
    stage.command("deny")

    assert stage.answers() == []
    assert "out of sight" in stage.at("note").inner_text()
    # The note took room, and the keyboard stands where it stood.
    assert stage.at("in-tab").evaluate("(each) => each === document.activeElement")
    stage.page.keyboard.press("Enter")
    stage.let_pass(20)
    assert len(stage.posted("runCommand")) == 1
