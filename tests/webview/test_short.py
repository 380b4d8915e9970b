"""The card in little room: answers stay in sight, what is asked scrolls, and nothing hides.

What is dangerous on a card of a high level has been on the screen before it can be allowed.
"""

from typing import Any, Final

import pytest

from webview import scenes, tickets
from webview.stage import Stage

pytestmark = pytest.mark.browser

SIZES: Final = [
    {"width": width, "height": height}
    for width, height in [
        (180, 210),
        (180, 400),
        (300, 260),
        (300, 375),
        (300, 700),
        (420, 330),
        (900, 200),
        (900, 160),
        (1200, 480),
    ]
]
BANNERS: Final = ["`assent.mode` has a value that cannot mean anything."]

WHOLE: Final = """(part) => {
  let box = part.getBoundingClientRect();
  if (box.width === 0 || box.height === 0) return "it has no size";
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const inside = (top, left, bottom, right) =>
    box.top >= top - 1 && box.left >= left - 1 &&
    box.bottom <= bottom + 1 && box.right <= right + 1;
  if (!inside(0, 0, innerHeight, innerWidth)) return "it leaves the window";
  for (let at = part.parentElement; at !== null; at = at.parentElement) {
    if (getComputedStyle(at).overflowY === "visible") continue;
    const frame = at.getBoundingClientRect();
    if (!inside(frame.top, frame.left, frame.bottom, frame.right)) return `${at.className} cuts it`;
  }
  const top = document.elementFromPoint(x, y);
  return part.contains(top) ? "whole" : `${top?.className} lies over it`;
}"""
"""Whether an element is on the screen, with nothing that cuts it off or covers it."""

SCROLLS: Final = """() => {
  const seen = [document.scrollingElement, document.body];
  for (const each of seen) each.scrollTop = 5000;
  const moved = seen.map((each) => each.scrollTop);
  for (const each of seen) each.scrollTop = 0;
  return moved;
}"""


def opened(stage: Stage, *asked: tickets.Ticket, **more: Any) -> None:
    talk = scenes.chat(items=scenes.TALK * 5, running=True)
    stage.open(scenes.snapshot(talks=[talk], tickets=asked, banners=BANNERS, **more))
    stage.arm()


def main_buttons(stage: Stage) -> list[str]:
    found: list[str] = stage.page.locator(".acts button").evaluate_all(f"(all) => all.map({WHOLE})")
    return found


def scroll(stage: Stage, script: str) -> bool:
    """Scroll the card; whether anything moved."""
    moved = stage.page.evaluate(
        f"""() => {{
          const all = [...document.querySelectorAll(".content, .body")];
          const tops = () => all.map((each) => each.scrollTop);
          const before = tops();
          {script}
          return String(tops()) !== String(before);
        }}"""
    )
    stage.draw()
    return bool(moved)


DOWN: Final = """for (const each of document.querySelectorAll(".content, .body")) {
  each.scrollTop += Math.max(15, each.clientHeight / 2);
}"""


def scrolled_down(stage: Stage) -> None:
    """Scroll what is asked to its end, a bit at a time, as a person would."""
    for _ in range(80):
        if not scroll(stage, DOWN):
            break
    stage.arm()


@pytest.mark.requirement("T-02", "M-03")
@pytest.mark.parametrize("stage", SIZES, indirect=True, ids=str)
@pytest.mark.parametrize("card", tickets.CARDS)
def test_at_any_size_the_answers_are_whole_and_the_page_stays(stage: Stage, card: str) -> None:
    opened(stage, tickets.CARDS[card])

    assert set(main_buttons(stage)) == {"whole"}
    assert stage.page.evaluate(SCROLLS) == [0, 0]
    assert stage.at("banner").evaluate("(each) => each.getBoundingClientRect().top") >= 0
    wide = "document.scrollingElement.scrollWidth <= innerWidth"
    assert stage.page.evaluate(wide)


@pytest.mark.requirement("T-02", "M-03")
@pytest.mark.parametrize("stage", SIZES, indirect=True, ids=str)
@pytest.mark.parametrize("opens", ["allow-menu", "deny-menu"])
def test_the_answers_stay_whole_while_a_list_is_open(stage: Stage, opens: str) -> None:
    opened(stage, tickets.edit())
    stage.at(opens).click()
    stage.arm()

    assert set(main_buttons(stage)) == {"whole"}
    assert stage.page.evaluate(SCROLLS) == [0, 0]


@pytest.mark.requirement("T-02")
@pytest.mark.parametrize("stage", SIZES, indirect=True, ids=str)
def test_what_is_dangerous_was_on_the_screen_before_a_high_card_can_be_allowed(
    stage: Stage,
) -> None:
    opened(stage, tickets.shell())
    parts = stage.page.locator(".card :is(.hot, .boxed, [data-must])")
    hidden = [it for it in parts.evaluate_all(f"(all) => all.map({WHOLE})") if it != "whole"]
    is_off = stage.at("allow-once").is_disabled()
    assert is_off == bool([it for it in hidden if it != "it has no size"])
    if is_off:
        stage.command("allowOnce")
        stage.draw()
        assert stage.answers() == []
    scrolled_down(stage)
    assert stage.at("allow-once").is_enabled()
    stage.at("allow-once").click()
    stage.let_pass(20)

    assert len(stage.answers()) == 1


LINES: Final = """() => {
  const sign = document.querySelector(".below")?.getBoundingClientRect();
  const text = document.createTreeWalker(document.querySelector(".content"), NodeFilter.SHOW_TEXT);
  const hidden = [];
  while (sign !== undefined && text.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(text.currentNode);
    for (const line of range.getClientRects()) {
      let [top, bottom] = [line.top, line.bottom];
      for (let at = text.currentNode.parentElement; at !== null; at = at.parentElement) {
        if (getComputedStyle(at).overflowY === "visible") continue;
        const frame = at.getBoundingClientRect();
        [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
      }
      const crosses = line.left < sign.right && line.right > sign.left;
      if (crosses && Math.min(bottom, sign.bottom) - Math.max(top, sign.top) > 1) {
        hidden.push(text.currentNode.textContent);
      }
    }
  }
  return hidden;
}"""
"""The lines of the card that can be seen but for the sign over them."""


@pytest.mark.requirement("T-02", "M-03")
@pytest.mark.parametrize("stage", SIZES, indirect=True, ids=str)
def test_the_sign_that_there_is_more_covers_no_line_of_the_card(stage: Stage) -> None:
    opened(stage, tickets.shell())
    for _ in range(12):
        assert stage.page.evaluate(LINES) == []
        if not scroll(stage, "for (const each of all) each.scrollTop += 7;"):
            break


FITS: Final = """() => {
  const edges = document.querySelectorAll(".edge");
  for (const each of edges) each.style.display = "none";
  const whole = [...document.querySelectorAll(".content, .body")]
    .every((each) => each.scrollHeight <= each.clientHeight);
  for (const each of edges) each.style.display = "";
  return whole;
}"""
"""Whether all of a card would be on the screen, were there no sign that there is more of it."""


@pytest.mark.requirement("T-02", "M-03")
@pytest.mark.parametrize(
    ("card", "heights"), [("shell", range(780, 960, 15)), ("trust", range(180, 280, 10))], ids=str
)
def test_a_card_that_comes_to_show_whole_needs_no_scroll(
    stage: Stage, card: str, heights: range
) -> None:
    """In a view that was too low for it and then grew."""
    talk = scenes.chat(items=scenes.TALK, running=True)
    told = []
    for height in heights:
        stage.page.set_viewport_size({"width": 300, "height": 160})
        snapshot = scenes.snapshot(talks=[talk], tickets=[tickets.CARDS[card]])
        stage.reload(snapshot) if told else stage.open(snapshot)
        stage.page.set_viewport_size({"width": 300, "height": height})
        stage.arm()
        told.append((stage.page.evaluate(FITS), stage.at("below").count() == 0))
    assert {is_free for _, is_free in told} == {False, True}
    assert {is_free for fits, is_free in told if fits} == {True}


@pytest.mark.requirement("T-02")
@pytest.mark.parametrize("card", ["shell", "read", "trust"])
def test_no_answer_that_can_be_given_is_drawn_as_off_at_first(stage: Stage, card: str) -> None:
    opened(stage)
    stage.page.evaluate(
        """() => {
          window.looks = [];
          new MutationObserver(() => {
            const all = [...document.querySelectorAll(".acts [aria-disabled]")];
            const signs = [...document.querySelectorAll(".below")];
            window.looks.push([...all, ...signs].map((each) => each.innerText));
          }).observe(document.body, { childList: true, subtree: true, attributes: true });
        }"""
    )
    stage.ask(1, tickets.CARDS[card])
    stage.arm()

    looks = stage.page.evaluate("window.looks")
    assert len(looks) > 0
    assert [it for it in looks if it != []] == []


@pytest.mark.requirement("T-02")
@pytest.mark.parametrize("stage", [{"width": 300, "height": 375}], indirect=True)
def test_the_sign_leads_from_one_part_to_the_next_until_all_were_seen(stage: Stage) -> None:
    opened(stage, tickets.shell())
    counts = []
    while stage.at("below").count() > 0 and len(counts) < 20:
        counts.append(int(stage.at("below").inner_text().split()[0]))
        stage.at("below").click()
        stage.let_pass(20)
        stage.draw()
    stage.arm()

    assert counts == sorted(set(counts), reverse=True)
    assert len(counts) > 1
    assert stage.at("allow-once").is_enabled()
    assert stage.page.evaluate(SCROLLS) == [0, 0]


@pytest.mark.requirement("T-01", "T-02")
@pytest.mark.parametrize("command", ["allowOnce", "deny"])
def test_no_key_answers_a_card_whose_buttons_are_out_of_sight(stage: Stage, command: str) -> None:
    opened(stage, tickets.edit())
    # A style that a theme or a font brings along may still push them out.
    stage.page.evaluate(
        "() => { document.querySelector('.acts').style.marginBlockStart = '2000px'; }"
    )
    stage.draw()
    stage.arm()
    stage.command(command)

    assert stage.answers() == []
    assert "out of sight" in stage.at("note").inner_text()


@pytest.mark.requirement("T-02")
@pytest.mark.parametrize("stage", [{"width": 300, "height": 375}], indirect=True)
def test_a_card_that_changed_is_looked_at_anew(stage: Stage) -> None:
    ticket = tickets.shell()
    opened(stage, ticket)
    scrolled_down(stage)
    assert stage.at("allow-once").is_enabled()
    body = ticket.card.body.model_copy(
        update={
            "parts": [
                part.model_copy(update={"text": [*part.text, *tickets.danger(" --more")]})
                for part in ticket.card.body.parts  # type: ignore[union-attr]  # it is a shell
            ],
            "command": tickets.plain("x"),
        }
    )
    joined = "".join(it.operator + "".join(s.text for s in it.text) for it in body.parts)  # type: ignore[union-attr]  # as above
    body = body.model_copy(update={"command": tickets.plain(joined)})
    card = ticket.card.model_copy(update={"body": body})
    scroll(stage, "document.querySelector('.body').scrollTop = 0;")
    stage.ask(1, tickets.asked(ticket.approval_id, card, revision=1))
    stage.arm()

    assert stage.at("allow-once").is_disabled()


@pytest.mark.requirement("T-02", "M-03")
@pytest.mark.parametrize("stage", [{"width": 300, "height": 260}], indirect=True)
def test_what_is_being_written_is_not_folded_away(stage: Stage) -> None:
    opened(stage)
    stage.at("composer").click()
    stage.at("composer").fill("not yet")
    stage.let_pass(20)
    stage.ask(1, tickets.edit())
    stage.arm()

    assert stage.at("composer").evaluate("(each) => each === document.activeElement")
    assert stage.at("composer").is_visible()
    assert set(main_buttons(stage)) == {"whole"}


@pytest.mark.requirement("T-02")
@pytest.mark.parametrize("height", [300, 375, 400])
@pytest.mark.parametrize("text", ["", "not yet"], ids=["empty", "written"])
def test_a_button_stays_under_the_pointer_when_the_composer_loses_the_focus_to_it(
    stage: Stage, height: int, text: str
) -> None:
    stage.page.set_viewport_size({"width": 300, "height": 700})
    opened(stage, tickets.read())
    stage.at("composer").fill(text)
    stage.at("composer").focus()
    stage.page.set_viewport_size({"width": 300, "height": height})
    stage.arm()

    before = stage.at("deny").bounding_box()
    assert before is not None
    stage.page.mouse.move(before["x"] + 10, before["y"] + 10)
    stage.page.mouse.down()
    stage.draw()
    assert stage.at("deny").bounding_box() == before
    stage.page.mouse.up()
    stage.let_pass(20)
    assert [it["optionId"] for it in stage.answers()] == ["deny"]


@pytest.mark.requirement("M-03")
def test_a_place_that_is_kept_is_found_again_without_moving_the_page(stage: Stage) -> None:
    talk = scenes.chat(items=scenes.TALK * 30)
    stage.open(scenes.snapshot(talks=[talk]))
    stage.page.evaluate("() => { document.querySelector('[data-log]').scrollTop = 300; }")
    stage.draw()
    stage.reload(scenes.snapshot(talks=[talk]))

    assert stage.page.evaluate("document.scrollingElement.scrollTop + document.body.scrollTop") == 0
    assert stage.page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")
