"""Pictures and documents for a model: their bytes, and a description in words."""

import base64
import re
from typing import Final

from assent.gate.text.pictures import Picture, picture_in
from assent.gate.values import field, frozen

__all__ = ["PDF", "PICTURES", "Attachment", "document", "in_words", "picture"]

PICTURES: Final = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
PDF: Final = "application/pdf"

_PIXELS_A_TOKEN: Final = 750
_MIN_IMAGE_TOKENS, _MAX_IMAGE_TOKENS = 85, 5_000
"""In tokens: hosts count a picture by its size, and none beyond these."""
_TOKENS_A_PAGE: Final = 2_500
"""In tokens: a page of a document, as text and as a picture."""
_MAX_PAGES: Final = 100
"""Hosts take no more of them."""
_MIN_PAGE_BYTES: Final = 100
"""A page takes more than so many: a small file cannot claim to be a long one."""
_PAGE: Final = re.compile(rb"/Type\s*/Page\b(?!s)")


@frozen(kw_only=True)
class Attachment:
    """A picture or a document."""

    mime: str
    data: str = field(repr=False)
    """Its bytes, in base64."""
    says: str
    """What it is, such as `a PNG image, 800 × 600`."""
    name: str = ""
    """What its file is called, where it is one."""
    tokens: int
    """About how many it takes."""

    @property
    def url(self) -> str:
        """All of it as an address."""
        return f"data:{self.mime};base64,{self.data}"

    @property
    def label(self) -> str:
        """What it is and what it is called."""
        return f"{self.name} ({self.says})" if self.name else self.says

    @property
    def is_picture(self) -> bool:
        """Whether it is no document."""
        return self.mime in PICTURES


def picture(raw: bytes, name: str = "") -> Attachment | None:
    """A picture by its bytes; None where they are none, or one that is drawn too large."""
    image = picture_in(raw)
    if image is None:
        return None
    return Attachment(
        mime=image.mime,
        data=base64.b64encode(raw).decode(),
        says=in_words(image),
        name=name,
        tokens=min(
            _MAX_IMAGE_TOKENS, max(_MIN_IMAGE_TOKENS, image.width * image.height // _PIXELS_A_TOKEN)
        ),
    )


def in_words(image: Picture) -> str:
    """A picture, in words.

    >>> in_words(Picture(mime="image/webp", width=30, height=20))
    'a WebP image, 30 × 20'
    """
    kind = image.mime.rpartition("/")[2]
    names = {"webp": "a WebP", "jpeg": "a JPEG", "png": "a PNG", "gif": "a GIF"}
    return f"{names[kind]} image, {image.width} × {image.height}"


def document(raw: bytes, name: str) -> Attachment:
    """A PDF; where it says how many pages it has, that counts, as far as it can be so."""
    pages = max(min(len(_PAGE.findall(raw)), _MAX_PAGES, len(raw) // _MIN_PAGE_BYTES), 1)
    return Attachment(
        mime=PDF,
        data=base64.b64encode(raw).decode(),
        says="a PDF document",
        name=name,
        tokens=pages * _TOKENS_A_PAGE,
    )
