"""One browser, in which one thing happens at a time: what is open in it, and what is on that page.

Nothing is started to tell that: before anything was done in it, its page is the empty one.
"""

import asyncio
from base64 import b64decode
from typing import Any, Final

from attrs import define, evolve, field

from assent.browser.deeds import BLANK
from assent.browser.reading import Element, element_in, url_in
from assent.browser.table import named_in
from assent.calls import Mark, Sight
from assent.catalogue.source import NodeFailed, Outcome, Source
from assent.text.pictures import picture_in

__all__ = ["UNSEEN", "Stage"]

_PATIENCE: Final = 5.0
"""In seconds, with a page that is looked at."""
_LARGEST: Final = 700_000
"""In letters of base64: a larger picture is on no card."""
UNSEEN: Final = "The page could not be looked at, so there is no picture of it."
_TOO_LARGE: Final = "The picture of the page is too large to be shown."


@define(eq=False)
class Stage:
    """The browser of one server."""

    _server: str
    _source: Source
    lock: asyncio.Lock = field(factory=asyncio.Lock)
    is_open: bool = False
    """Whether anything was done in it."""
    _last: str = BLANK

    async def url(self) -> str:
        """Which page is open; raises `NodeFailed`."""
        if not self.is_open:
            return BLANK
        # A dialog of the page keeps everybody from looking, and the page from going on.
        self._last = url_in((await self._use("browser_snapshot", depth=1)).text) or self._last
        return self._last

    async def leave(self) -> None:
        """Go away from a page, whatever it is doing."""
        came = await self._use("browser_navigate", url=BLANK)
        if came.failed:
            await self._use("browser_close")
        self._last = BLANK

    async def marks(self, arguments: dict[str, Any]) -> tuple[Mark, ...]:
        """What a call names on the page, as it is there; raises `NodeFailed`."""
        found = []
        for it in named_in(arguments):
            element = await self._element(it.target)
            found.append(_mark(element, it.said))
        return tuple(found)

    async def sight(self, arguments: dict[str, Any]) -> Sight:
        """What a person is shown; raises `NodeFailed`."""
        marks = await self.marks(arguments)
        came = await self._use("browser_take_screenshot", type="jpeg", scale="css")
        image = next(iter(came.images), None)
        if image is None or came.failed:
            return Sight(marks=marks, lacks=UNSEEN)
        size = await asyncio.to_thread(_size, image.data)
        if size is None:
            return Sight(marks=marks, lacks=_TOO_LARGE)
        mime, width, height = size
        return Sight(
            marks=tuple(_within(it, width, height) for it in marks),
            picture=image.data,
            mime=mime,
            width=width,
            height=height,
        )

    async def _element(self, target: str) -> Element | None:
        came = await self._use("browser_snapshot", target=target, boxes=True)
        return None if came.failed else element_in(came.text)

    async def _use(self, tool: str, **arguments: Any) -> Outcome:
        """Run a tool of its own for us; raises `NodeFailed`."""
        try:
            async with asyncio.timeout(_PATIENCE):
                node = await self._source.describe(f"{self._server}:{tool}")
                return await self._source.run(node, arguments, lambda _: None)
        except TimeoutError:
            raise NodeFailed(
                "The page could not be looked at in time, so nothing was done."
            ) from None


def _mark(element: Element | None, said: str) -> Mark:
    if element is None:
        return Mark(found="", said=said)
    return Mark(found=element.shown, said=said, box=element.box)


def _within(mark: Mark, width: int, height: int) -> Mark:
    """The same with its box in hundredths of the picture; none where it lies beside that."""
    if mark.box is None:
        return mark
    left, top, wide, high = mark.box
    is_seen = left < width and top < height and left + wide > 0 and top + high > 0
    if not (is_seen and wide > 0 and high > 0):
        return evolve(mark, box=None)
    x, y = 100 / width, 100 / height
    return evolve(mark, box=(left * x, top * y, wide * x, high * y))


def _size(data: str) -> tuple[str, int, int] | None:
    """Of which kind a picture is, and how large; None where nobody is shown it."""
    if len(data) > _LARGEST:
        return None
    try:
        found = picture_in(b64decode(data))
    except ValueError:
        return None
    return None if found is None else (found.mime, found.width, found.height)
