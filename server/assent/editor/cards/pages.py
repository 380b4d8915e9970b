"""How a card shows the page that a browser call acts on: our words beside the model's."""

from collections.abc import Iterator
from typing import Any, Final

from assent.editor.protocol.pictures import CardPicture, PictureBox, PictureMime
from assent.gate.call.calls import Call

__all__ = ["picture_of", "seen_in", "unsaid"]

_PAGE: Final = "On the page"
_ACTS_ON: Final = "Acts on"
_SAID: Final = "The model calls it"
_NOTHING: Final = "nothing that is on the page"
_WORDS: Final = frozenset({"element", "startElement", "endElement"})
"""The arguments that are the model's own words for what it acts on."""
_DRAWN: Final[dict[str, PictureMime]] = {
    "image/jpeg": "image/jpeg",
    "image/png": "image/png",
    "image/webp": "image/webp",
}


def seen_in(call: Call) -> Iterator[tuple[str, Any]]:
    """What it acts on, as we found it; what the model calls that stands beside it, as its word."""
    if page := call.input.get("page"):
        yield _PAGE, page
    for mark in call.sight.marks if call.sight is not None else ():
        yield _ACTS_ON, mark.found or _NOTHING
        if mark.said:
            yield _SAID, mark.said


def unsaid(call: Call) -> frozenset[str]:
    """The arguments that are told otherwise."""
    return _WORDS if call.sight is not None and call.sight.marks else frozenset()


def picture_of(call: Call) -> CardPicture | None:
    """The picture; nothing where there is no page, and why where one cannot be shown."""
    sight = call.sight
    if sight is None:
        return None
    mime = _DRAWN.get(sight.mime)
    if mime is None:
        return CardPicture(lacks=sight.lacks)
    boxes = [
        PictureBox(left=mark.box[0], top=mark.box[1], width=mark.box[2], height=mark.box[3])
        for mark in sight.marks
        if mark.box is not None
    ]
    return CardPicture(
        mime=mime, data=sight.picture, width=sight.width, height=sight.height, boxes=boxes
    )
