"""What is read of a chat is drawn by what it is, whoever wrote it there."""

import base64
from typing import Any

from assent.editor.lsp.wire import written
from assent.editor.protocol import agents, chats
from assent.editor.window.chats.kept.decode_chat import item_of
from pictures import MOVING, png
from tables import each_row


def kept(raw: bytes, **more: Any) -> bytes:
    """A picture as it might stand there."""
    said: dict[str, Any] = {"mime": "image/webp", "width": 60_000, "height": 60_000, "moves": False}
    data = base64.b64encode(raw).decode()
    return written(agents.Picture(data=data, call_id=None, **{**said, **more}))


@each_row(
    ("raw", "is_so"),
    [(png(30, 20), ("image/png", 30, 20, False)), (MOVING, ("image/gif", 1, 1, True))],
)
def test_a_picture_is_as_large_and_of_the_kind_that_its_bytes_say(
    raw: bytes, is_so: tuple[object, ...]
) -> None:
    found = item_of(kept(raw))
    assert isinstance(found, agents.Picture)
    assert (found.mime, found.width, found.height, found.moves) == is_so


def test_what_is_no_picture_is_not_drawn() -> None:
    found = item_of(kept(b"<svg/>"))
    assert isinstance(found, chats.Notice)


@each_row(
    ("uri", "opens"),
    [
        ("file:///home/me/a.png", "file:///home/me/a.png"),
        ("file://elsewhere.example/share/a.png", ""),
        ("https://elsewhere.example/a.png", ""),
        ("command:workbench.action.quit", ""),
    ],
)
def test_a_picture_opens_a_file_of_this_machine_or_nothing(uri: str, opens: str) -> None:
    found = item_of(kept(png(), uri=uri))
    assert isinstance(found, agents.Picture)
    assert found.uri == opens
