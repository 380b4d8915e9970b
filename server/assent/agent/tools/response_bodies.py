"""Turns the body of an HTTP response into text: unpacks it within bounds, and decodes it."""

import codecs
import re
import zlib
from typing import Final

from assent.agent.tools.html_text import readable
from assent.gate.values import frozen

__all__ = ["MAX_BODY_BYTES", "PACKINGS", "Body", "Kind", "kind_of", "text_of", "unpacked"]

MAX_BODY_BYTES: Final = 5 * 1024 * 1024
"""In bytes, as they come and once more as they are unpacked."""
PACKINGS: Final = frozenset({"", "identity", "gzip", "x-gzip", "deflate"})

_TEXTS: Final = re.compile(
    r"text/.+|application/(?:.+\+)?(?:json|xml|yaml|toml|javascript|ndjson|x-ndjson|x-yaml|x-sh)"
    r"|image/svg\+xml"
)
_PAGES: Final = frozenset({"text/html", "application/xhtml+xml"})
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LETTERS: Final = re.compile(
    r"(?:us-)?ascii|utf-?(?:8|16(?:-?[lb]e)?)|iso[-_]?8859-?[0-9]{1,2}|latin-?1|windows-125[0-8]"
    r"|cp125[0-8]|koi8-[ru]|shift[-_]?jis|euc-?(?:jp|kr)|gb(?:k|2312|18030)|big5",
    re.IGNORECASE,
)
"""Others are known to Python as well, among them some that take very long to read."""
_META: Final = re.compile(
    rb"<meta[^>]{0,200}?charset\s{0,20}=\s{0,20}[\"']?([\w-]{1,40})", re.IGNORECASE
)
_CHARSET: Final = re.compile(r";[ \t]*charset=[\"']?([\w-]{1,40})", re.IGNORECASE)
_CHARSET_SEARCH_BYTES: Final = 2_048
"""So far into a page, or a header, its letters may be named."""
_UNSEEN: Final = dict.fromkeys({*range(0x20), *range(0x7F, 0xA0)} - {0x09, 0x0A})
"""Characters that would be orders to whatever shows the text."""


@frozen(kw_only=True)
class Kind:
    """What a server says that it sends."""

    type: str
    letters: str = ""

    @property
    def is_text(self) -> bool:
        """Whether there is anything to read in it."""
        return _TEXTS.fullmatch(self.type) is not None or self.type in _PAGES


@frozen(kw_only=True)
class Body:
    """What a server sent."""

    url: str
    kind: Kind
    data: bytes
    whole: bool = True
    """Whether that is all of it."""


def kind_of(header: str) -> Kind:
    """What a `Content-Type` says."""
    named = _CHARSET.search(header[:_CHARSET_SEARCH_BYTES])
    return Kind(type=header.partition(";")[0].strip().lower(), letters=named[1] if named else "")


def unpacked(data: bytes, packing: str) -> tuple[bytes, bool]:
    """What was packed, and whether that is all of it; raises `ValueError`."""
    if packing in {"", "identity"}:
        return data[:MAX_BODY_BYTES], len(data) <= MAX_BODY_BYTES
    # The first bits tell the usual ways apart; some servers leave them out.
    headed = packing != "deflate" or data[:1] == b"\x78"
    unpacking = zlib.decompressobj(zlib.MAX_WBITS | 32 if headed else -zlib.MAX_WBITS)
    try:
        return unpacking.decompress(data, MAX_BODY_BYTES), unpacking.eof
    except zlib.error as error:
        raise ValueError(str(error)) from error


def text_of(body: Body) -> str:
    """The text for a reader; of a page what somebody would see who looks at it."""
    text = body.data.decode(_letters_of(body.kind, body.data), "replace").removeprefix("\ufeff")
    if body.kind.type in _PAGES:
        text = readable(text, body.url)
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(_UNSEEN)


def _letters_of(kind: Kind, data: bytes) -> str:
    for mark, letters in _MARKS:
        if data.startswith(mark):
            return letters
    named = kind.letters
    if not named and kind.type in _PAGES:
        match = _META.search(data[:_CHARSET_SEARCH_BYTES])
        named = match[1].decode("ascii", "replace") if match else ""
    return named if _LETTERS.fullmatch(named) and _is_known(named) else "utf-8"


def _is_known(letters: str) -> bool:
    try:
        codecs.lookup(letters)
    except LookupError:
        return False
    return True
