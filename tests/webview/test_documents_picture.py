"""The picture in the README shows the view as it is: `make pictures` draws it anew.

Two machines draw letters differently, so pictures are not compared. Each carries a digest of what
it was drawn from: the words, the elements and their looks, without sizes that depend on a font.
"""

import hashlib
import json
import os
import struct
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser

from assent.editor.cards.draw import Setting
from assent.editor.protocol import chats
from assent.editor.window.chats.wording import request_shape
from assent.gate.approvals.options import options_for
from assent.gate.approvals.tickets import Ticket, TicketId
from assent.gate.call.modes import Mode
from gate.ruling.test_commands import Desk
from pictures import labelled
from webview import scenes
from webview.stage import Stage

pytestmark = pytest.mark.browser

ROOT: Final = Path(__file__).resolve().parents[2]
PICTURE: Final = ROOT / "docs" / "pictures" / "card.png"
LABEL: Final = b"Drawn-From"
COMMAND: Final = "git status --short && npm test && git push --force origin main"
RULE: Final = "shell(npm test:*)"
TITLE: Final = "Publish"
NOW: Final = 1_700_000_000_000
LOOKS: Final = (
    "backgroundColor borderColor borderStyle borderWidth borderRadius color display flexDirection"
    " fontSize fontWeight fontStyle padding textDecorationLine visibility"
).split()
DRAWN: Final = """(looks) => [...document.body.querySelectorAll("*")]
  .filter((each) => !each.closest("script") && each.checkVisibility())
  .map((each) => {
    const style = getComputedStyle(each);
    const own = [...each.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    const text = own.map((node) => node.data.trim()).join(" ").trim();
    return [each.localName, text, ...looks.map((look) => style[look])];
  })"""


def asked_by(desk: Desk) -> Any:
    """A command of Claude Code as the gate rules on it and draws it."""
    call, policy = desk.call(COMMAND), desk.policy(allow=[RULE])
    ruling = desk.rule(COMMAND, allow=[RULE])
    options = options_for(call, ruling, policy, "Claude Code")
    setting = Setting(agent_name=lambda _: "Claude Code", chat_title=TITLE, mode=Mode.DEFAULT)
    ticket = Ticket(
        id=TicketId("t-1"), asks=call, digest=call.digest, ruling=ruling, options=options
    )
    return request_shape(
        ticket, setting, epoch=scenes.EPOCH, seq=0, asked_at=NOW, now=NOW, expires_in=300
    ).model_copy(update={"chat_id": "chat-1"})


def drawn(stage: Stage, desk: Desk) -> str:
    """Draw the card in its chat; the digest of what is there."""
    said = chats.Said(kind="user", message_id="m1", text="Run the tests and publish the fix")
    talk = scenes.chat(title=TITLE, items=[said], running=True)
    stage.open(scenes.snapshot(talks=[talk], tickets=[asked_by(desk)]))
    stage.arm()
    found = stage.page.evaluate(DRAWN, LOOKS)
    return hashlib.sha256(json.dumps(found).encode()).hexdigest()


def label_of(picture: bytes) -> str:
    """The digest that a picture carries, or nothing."""
    place = picture.find(b"tEXt" + LABEL + b"\0")
    if place < 0:
        return ""
    (length,) = struct.unpack(">I", picture[place - 4 : place])
    return picture[place + 4 : place + 4 + length].partition(b"\0")[2].decode("ascii")


def test_the_picture_of_a_card_shows_the_view_as_it_is(
    browser: Browser, bundle: dict[str, bytes], tmp_path: Path
) -> None:
    size: Any = {"width": 440, "height": 560}
    context = browser.new_context(viewport=size, device_scale_factor=1.5, reduced_motion="reduce")
    stage = Stage(context.new_page(), bundle)
    digest = drawn(stage, Desk(tmp_path))
    if os.environ.get("ASSENT_PICTURES") == "write":
        PICTURE.write_bytes(labelled(stage.page.screenshot(), LABEL, digest.encode("ascii")))
    context.close()
    assert label_of(PICTURE.read_bytes()) == digest, "run `make pictures` and look at the picture"
