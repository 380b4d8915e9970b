"""One browser, which does one thing at a time: its tabs, and the page that is open.

Before anything was done in it, the page of one that Assent starts is the empty one, and nothing is
started to tell that.
"""

import asyncio
import re
from base64 import b64decode
from collections.abc import Callable
from typing import Any, Final

from assent.catalogue.browser.browser_tools import named_in
from assent.catalogue.browser.call_effects import BLANK
from assent.catalogue.browser.page_reports import (
    Element,
    Tab,
    element_in,
    is_whole,
    tabs_in,
    url_in,
)
from assent.catalogue.nodes.source import NodeFailed, Outcome, Source
from assent.gate.call.calls import Mark, Sight
from assent.gate.text.pictures import picture_in
from assent.gate.values import define, evolve, field

__all__ = ["UNSEEN", "UNTOLD", "BrowserSession"]

_LOOK_TIMEOUT_S: Final = 5.0
"""In seconds, with a page that is looked at."""
_MAX_PICTURE_LETTERS: Final = 700_000
"""In letters of base64: a larger picture is on no card."""
_REF: Final = re.compile(r"(f\d+)?e\d+\Z", re.ASCII)
"""What the package takes for a reference of a snapshot; all else is a selector."""
_UNCLEAR: Final = "Which page is open could not be told, so the browser was closed."
UNTOLD: Final = "something that could not be looked at, so it is not done"
UNSEEN: Final = "The page could not be looked at, so there is no picture of it."
_UNSEEN: Final = "The page could not be looked at in time, so nothing was done."
_TOO_LARGE: Final = "The picture of the page is too large to be shown."


@define(eq=False)
class BrowserSession:
    """The browser of one server."""

    _server: str
    _source: Source
    lock: asyncio.Lock = field(factory=asyncio.Lock)
    is_open: bool = False
    """Whether anything was done in it."""

    async def url(self) -> str:
        """Which page is open; raises `NodeFailed`."""
        if not self.is_open:
            return BLANK
        current = [tab.urls for tab in await self.tabs() if tab.is_current]
        if len(current) == 1 and len(current[0]) == 1:
            return current[0][0]
        # Its title looks like an address. What fails may hold any words of the page.
        came = await self._use("browser_snapshot", depth=1)
        if not came.failed and (url := url_in(came.text)):
            return url
        await self.end()
        raise NodeFailed(_UNCLEAR)

    async def tabs(self) -> tuple[Tab, ...]:
        """The pages that are open, which is told under a dialog, too; raises `NodeFailed`."""
        came = await self._use("browser_tabs", action="list")
        tabs = () if came.failed else tabs_in(came.text)
        # One is open always. Where the list was cut, those that are missing could be any.
        if not tabs or not is_whole(came.text, tabs):
            await self.end()
            raise NodeFailed(_UNCLEAR)
        return tabs

    async def leave(self, is_denied: Callable[[str], bool]) -> None:
        """Close such pages, and with them what they logged; raises `NodeFailed`."""
        tabs = [tab for tab in await self.tabs() if any(map(is_denied, tab.urls))]
        if any(tab.is_current for tab in tabs):
            await self._use("browser_tabs", action="new")
        for denied_tab in reversed(tabs):
            await self._use("browser_tabs", action="close", index=denied_tab.index)
        left = [url for tab in await self.tabs() for url in tab.urls]
        if not left or any(map(is_denied, left)):
            await self.end()

    async def end(self) -> None:
        """Close all of it; raises `NodeFailed`."""
        await self._use("browser_close")

    async def marks(self, arguments: dict[str, Any]) -> tuple[Mark, ...]:
        """What a call names on the page, as it is there; raises `NodeFailed`."""
        named = tuple(named_in(arguments))
        if not named:
            return ()
        by_selector = {
            named_element.target: await self._element(named_element.target)
            for named_element in named
            if not _REF.match(named_element.target)
        }
        # The package resolves references in its last snapshot alone, so a whole one comes last.
        whole = await self._use("browser_snapshot", boxes=True)
        if whole.failed:
            raise NodeFailed(_UNSEEN)
        return tuple(
            _mark(
                by_selector.get(named_element.target)
                or _referred(whole.text, named_element.target),
                named_element.said,
            )
            for named_element in named
        )

    async def sight(self, marks: tuple[Mark, ...]) -> Sight:
        """What a person is shown, with these on it; raises `NodeFailed`."""
        came = await self._use("browser_take_screenshot", type="jpeg", scale="css")
        image = next(iter(came.images), None)
        if image is None or came.failed:
            return Sight(marks=marks, lacks=UNSEEN)
        size = await asyncio.to_thread(_size, image.data)
        if size is None:
            return Sight(marks=marks, lacks=_TOO_LARGE)
        mime, width, height = size
        return Sight(
            marks=tuple(_within(mark, width, height) for mark in marks),
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
            async with asyncio.timeout(_LOOK_TIMEOUT_S):
                node = await self._source.describe(f"{self._server}:{tool}")
                return await self._source.run(node, arguments, lambda _: None)
        except TimeoutError:
            raise NodeFailed(_UNSEEN) from None


def _referred(text: str, target: str) -> Element | None:
    return element_in(text, target) if _REF.match(target) else None


def _mark(element: Element | None, said: str) -> Mark:
    if element is None:
        return Mark(found="", said=said)
    return Mark(found=element.shown, said=said, box=element.box)


def _within(mark: Mark, width: int, height: int) -> Mark:
    """Place a mark in hundredths of the picture; none where it lies beside that."""
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
    if len(data) > _MAX_PICTURE_LETTERS:
        return None
    try:
        picture = picture_in(b64decode(data))
    except ValueError:
        return None
    return None if picture is None else (picture.mime, picture.width, picture.height)
