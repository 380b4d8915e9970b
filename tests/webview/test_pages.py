"""The picture of a page on a card: what a call names on it is outlined where it lies."""

from base64 import b64encode

import pytest

from assent.protocol import card
from assent.protocol.pictures import CardPicture, PictureBox
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


def test_what_a_call_names_is_outlined_where_it_lies_in_the_picture(stage: Stage) -> None:
    box = PictureBox(left=10.0, top=20.0, width=20.0, height=6.0)
    data = photographed(stage)
    shown(
        stage,
        CardPicture(mime="image/jpeg", data=data, width=640, height=360, boxes=[box]),
    )
    picture = stage.at("page").locator("img")
    assert picture.evaluate("(each) => each.decode().then(() => each.naturalWidth)") == 640
    frame, outline = picture.bounding_box(), stage.at("page").locator("i").bounding_box()
    assert frame is not None
    assert outline is not None
    assert outline["x"] - frame["x"] == pytest.approx(frame["width"] * 0.1, abs=1)
    assert outline["y"] - frame["y"] == pytest.approx(frame["height"] * 0.2, abs=1)
    assert outline["width"] == pytest.approx(frame["width"] * 0.2, abs=1)
    assert stage.violations() == []


def test_a_card_without_a_picture_says_why(stage: Stage) -> None:
    why = "The page could not be looked at, so there is no picture of it."
    shown(stage, CardPicture(lacks=why))
    assert stage.at("no-page").inner_text() == why
    assert stage.at("page").count() == 0
