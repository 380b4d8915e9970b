"""The picture on a card: the page that a call acts on."""

from typing import Literal

from pydantic import Field

from assent.editor.protocol.shapes import Shape

__all__ = ["CardPicture", "PictureBox", "PictureMime"]


class PictureBox(Shape):
    """Where something lies in a picture, in hundredths of its sides."""

    left: float
    top: float
    width: float
    height: float


PictureMime = Literal["image/jpeg", "image/png", "image/webp"]


class CardPicture(Shape):
    """The page that a call acts on, as we saw it ourselves when the card was made."""

    mime: PictureMime | None = None
    data: str = ""
    """In base64; nothing where there is no picture."""
    width: int = 0
    height: int = 0
    boxes: list[PictureBox] = Field(default_factory=list[PictureBox])
    """What the call names on it."""
    lacks: str = ""
    """Why there is no picture, in a sentence."""
