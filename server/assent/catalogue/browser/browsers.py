"""The browsers of a window: looks at their pages before the ruling, before the run and after it.

What was shown is what runs: where the page, or what a call names on it, is another by then, nothing
is done. A page of a host that is denied is left, and what it says is told to nobody.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from assent.catalogue.browser.browser_session import UNSEEN, UNTOLD, BrowserSession
from assent.catalogue.browser.browser_tools import BROWSER, TOOLS, named_in
from assent.catalogue.browser.call_effects import beyond, fetching
from assent.catalogue.browser.page_reports import Tab, tabs_in, untitled, url_in
from assent.catalogue.nodes.guard import Go, Guard
from assent.catalogue.nodes.node import Node
from assent.catalogue.nodes.source import NodeFailed, Outcome, Source
from assent.gate.call.calls import Call, Mark, Sight
from assent.gate.call.verdicts import Actor, Ruling, Verdict
from assent.gate.values import define, evolve, field

__all__ = ["Browsers"]

_MOVED: Final = (
    "The browser was at {} when this was judged, and it is at {} now, so nothing was done. Look at"
    " the page again."
)
_CHANGED: Final = (
    "What this names on the page is not what it was when this was judged, so nothing was done. Look"
    " at the page again."
)
_LEFT: Final = "The browser went on to {}, and that page was left unread. {}"
_HELD: Final = (
    "The browser is at {} now, and what that page says is not told unasked. {} Read it with"
    " browser_snapshot, which the person is asked about."
)
_DONE: Final = (
    "It was done. The page could not be looked at after it, so the browser was closed and what the"
    " page says is not told."
)
_UNRULED: Final = Ruling(verdict=Verdict.DENY, because="No rules for pages are known yet.")
_MAX_URL_LETTERS: Final = 200
_PICTURE_TIMEOUT_S: Final = 4.0
"""In seconds: so long a question waits for its picture at most."""


@define(eq=False)
class Browsers(Guard):
    """Those of one window."""

    _source: Source
    judge: Callable[[Call], Ruling] = lambda _: _UNRULED
    """How a page that somebody came to is ruled on."""
    _stages: dict[tuple[str, bool], BrowserSession] = field(factory=dict)

    async def page(self, node: Node) -> str | None:
        """See `Guard`."""
        if node.kind != BROWSER or (node.tool in TOOLS and not TOOLS[node.tool].on_page):
            return None
        stage = self._stage(node)
        async with stage.lock:
            return await stage.url()

    async def add_screenshot(self, call: Call, node: Node) -> Call:
        """See `Guard`."""
        if node.kind != BROWSER or not self._stage(node).is_open:
            return call
        arguments, stage = call.input["arguments"], self._stage(node)
        # What could not be told is on the card as that, and then nothing is done.
        marks = tuple(Mark(found=UNTOLD, said=element.said) for element in named_in(arguments))
        sight = Sight(marks=marks, lacks=UNSEEN)
        with suppress(Exception):
            async with asyncio.timeout(_PICTURE_TIMEOUT_S), stage.lock:
                marks = await stage.marks(arguments)
                sight = Sight(marks=marks, lacks=UNSEEN)
                sight = await stage.sight(marks)
        return evolve(call, sight=sight)

    async def run(self, node: Node, call: Call, go: Go) -> Outcome:
        """See `Guard`."""
        if node.kind != BROWSER:
            return await go()
        if why := beyond(node, call.input["arguments"]):
            raise NodeFailed(why)
        stage = self._stage(node)
        async with stage.lock:
            await self._insist(stage, call)
            stage.is_open = True
            came = await go()
            try:
                return await self._followed(stage, call, came)
            except NodeFailed:
                with suppress(NodeFailed):
                    await stage.end()
                return Outcome(text=_DONE, failed=True)

    def _stage(self, node: Node) -> BrowserSession:
        key = node.source, node.is_preset
        if key not in self._stages:
            # One that somebody else set up may be somewhere before anything was done in it.
            self._stages[key] = BrowserSession(
                node.source, self._source, is_open=not node.is_preset
            )
        return self._stages[key]

    async def _insist(self, stage: BrowserSession, call: Call) -> None:
        """Raise where a call would not act on what was judged and shown."""
        was = call.input.get("page")
        if was is not None and was != (now := await stage.url()):
            raise NodeFailed(_MOVED.format(_shown(was), _shown(now)))
        if call.sight is None or not call.sight.marks:
            return
        if _known(await stage.marks(call.input["arguments"])) != _known(call.sight.marks):
            raise NodeFailed(_CHANGED)

    async def _followed(self, stage: BrowserSession, call: Call, came: Outcome) -> Outcome:
        """What came of a call, where the pages that it led to may be read."""
        at = (url_in(came.text), await stage.url())
        # What stands in the answer may be the page's word, and so only makes it stricter.
        tabs = (url for tab in (*await stage.tabs(), *_open_tabs(came.text)) for url in tab.urls)
        for url in dict.fromkeys(filter(None, (*at, *tabs))):
            ruling = self._ruling(call, url)
            if ruling.verdict is Verdict.DENY:
                await stage.leave(
                    lambda page_url: self._ruling(call, page_url).verdict is Verdict.DENY
                )
                return Outcome(text=_LEFT.format(_shown(url), ruling.because), failed=True)
            if ruling.verdict is Verdict.ASK and not _is_of_mode(ruling) and url in at:
                return Outcome(text=_HELD.format(_shown(url), ruling.because))
        return evolve(came, text=untitled(came.text))

    def _ruling(self, call: Call, url: str) -> Ruling:
        """What is said of reading a page; one of a host that was judged with the call is let."""
        ruling = self.judge(call.doing(fetching(url)))
        hosts = {
            _host(str(beside.input["url"])) for beside in call.beside if beside.tool == "fetch"
        }
        is_known = url.startswith(("about:", "chrome-error:")) or _host(url) in hosts
        if ruling.verdict is Verdict.ASK and is_known:
            return evolve(ruling, verdict=Verdict.ALLOW)
        return ruling


def _open_tabs(text: str) -> tuple[Tab, ...]:
    """The pages that an answer names as open."""
    return tabs_in(text) or tabs_in(text.partition("### Open tabs\n")[2])


def _is_of_mode(ruling: Ruling) -> bool:
    """Whether nothing but the mode would ask, which it does before the page is read."""
    return ruling.by is Actor.MODE and ruling.lasting


def _known(marks: tuple[Mark, ...]) -> list[str]:
    return [mark.found for mark in marks]


def _host(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", url
    # Of what has no host each is its own.
    return parts.scheme, parts.netloc or url


def _shown(url: str) -> str:
    return url if len(url) <= _MAX_URL_LETTERS else f"{url[:_MAX_URL_LETTERS]}…"
