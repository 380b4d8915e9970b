"""The picture of a page on a card: what a call names on it is outlined where it lies."""

from base64 import b64encode

import pytest

from assent.editor.protocol import card
from assent.editor.protocol.pictures import CardPicture, PictureBox
from webview import scenes, tickets
from webview.stage import Stage

pytestmark = [pytest.mark.browser, pytest.mark.requirement("N-08")]

SHOP = "<h1>A shop</h1><button style='position:fixed;left:64px;top:72px'>Delete everything</button>"


def shown(stage: Stage, picture: CardPicture) -> None:
    rows = [
        card.Row(name=tickets.plain("Acts on"), value=tickets.code('button "Delete everything"')),
        card.Row(name=tickets.plain("The model calls it"), value=tickets.code("Cancel")),
    ]
    body = card.OtherBody(rows=rows, json_text=tickets.plain("{}"), picture=picture)
    title = tickets.plain("Use browser_click of the server web")
    stage.open(scenes.snapshot(tickets=[tickets.asked("t-page", tickets.drawn(body, title))]))
    stage.arm()


def photographed(stage: Stage) -> str:
    page = stage.page.context.new_page()
    page.set_viewport_size({"width": 640, "height": 360})
    page.set_content(SHOP)
    taken = page.screenshot(type="jpeg")
    page.close()
    return b64encode(taken).decode()


@pytest.mark.parametrize("part", ["near", "whole"])
def test_what_a_call_names_is_outlined_where_it_lies_in_the_picture(
    stage: Stage, part: str
) -> None:
    box = PictureBox(left=10.0, top=20.0, width=20.0, height=6.0)
    shown(
        stage,
        CardPicture(
            mime="image/jpeg", data=photographed(stage), width=640, height=360, boxes=[box]
        ),
    )
    drawn = stage.at("page").nth(["near", "whole"].index(part))
    picture = drawn.locator("img")
    assert picture.evaluate("(each) => each.decode().then(() => each.naturalWidth)") == 640
    frame, outline = picture.bounding_box(), drawn.locator("i").bounding_box()
    assert frame is not None
    assert outline is not None
    assert frame["width"] / frame["height"] == pytest.approx(640 / 360, rel=0.01)
    assert outline["x"] - frame["x"] == pytest.approx(frame["width"] * 0.1, abs=1)
    assert outline["y"] - frame["y"] == pytest.approx(frame["height"] * 0.2, abs=1)
    assert outline["width"] == pytest.approx(frame["width"] * 0.2, abs=1)
    assert stage.violations() == []


@pytest.mark.parametrize("corner", [(0.0, 0.0), (99.0, 99.0), (50.0, 50.0)])
def test_what_is_outlined_stands_a_second_time_large_enough_to_be_read(
    stage: Stage, corner: tuple[float, float]
) -> None:
    left, top = corner
    box = PictureBox(left=left, top=top, width=1.0, height=1.0)
    shown(
        stage,
        CardPicture(
            mime="image/jpeg", data=photographed(stage), width=1280, height=720, boxes=[box]
        ),
    )
    near, whole = stage.at("page").nth(0), stage.at("page").nth(1)
    frame, outline = near.bounding_box(), near.locator("i").bounding_box()
    assert frame is not None
    assert outline is not None
    assert frame["x"] - 1 <= outline["x"] <= frame["x"] + frame["width"]
    assert frame["y"] - 1 <= outline["y"] <= frame["y"] + frame["height"]
    large, small = near.locator("img").bounding_box(), whole.locator("img").bounding_box()
    assert large is not None
    assert small is not None
    assert large["width"] > 3 * small["width"]


def test_what_fills_the_page_stands_there_once(stage: Stage) -> None:
    box = PictureBox(left=0.0, top=0.0, width=90.0, height=90.0)
    shown(
        stage,
        CardPicture(
            mime="image/jpeg", data=photographed(stage), width=640, height=360, boxes=[box]
        ),
    )
    assert stage.at("page").count() == 1


def test_a_card_without_a_picture_says_why(stage: Stage) -> None:
    why = "The page could not be looked at, so there is no picture of it."
    shown(stage, CardPicture(lacks=why))
    assert stage.at("no-page").inner_text() == why
    assert stage.at("page").count() == 0
