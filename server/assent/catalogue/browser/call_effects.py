"""What a browser tool's call does: where it goes, what it reads, and what it writes."""

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from assent.catalogue.browser.browser_tools import BROWSER, TOOLS, Tool, is_long
from assent.catalogue.nodes.catalogue import Seen
from assent.catalogue.nodes.node import Node
from assent.gate.call.calls import Beside, Effect, Target
from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.places import Places
from assent.gate.values import frozen

__all__ = ["BLANK", "Known", "beyond", "fetching", "known_of"]

BLANK: Final = "about:blank"
"""The page of a browser that went nowhere."""
_NOWHERE: Final = frozenset({BLANK, "chrome-error://chromewebdata/"})
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_UNKNOWN: Final = "Assent does not know this tool of the browser."
_BEYOND: Final = "The browser's tool takes no argument `{}`, so nothing was done."

_UNSHOWN: Final = "Code of the browser stands in the call itself, not in a file. Nothing was done."
_LONG: Final = "This fills in more fields than a card shows, so nothing was done. Fill in fewer."


@frozen(kw_only=True)
class Known:
    """What is known of a call of a server's tool."""

    effect: Effect = Effect.EXTERNAL
    beside: tuple[Beside, ...] = ()
    caution: str = ""


def known_of(seen: Seen | None, arguments: Mapping[str, Any], places: Places) -> Known:
    """What is known of a call; raises `CallUnreadable` where it says more than can be told."""
    if seen is None or seen.node.kind != BROWSER:
        return Known()
    if why := beyond(seen.node, arguments):
        raise CallUnreadable(why)
    tool = TOOLS.get(seen.node.tool)
    if tool is None:
        return Known(caution=_UNKNOWN, beside=tuple(_on(seen.page)))
    effects = (*_on(seen.page), *_gone(tool, arguments), *_files(tool, arguments, places))
    return Known(effect=tool.effect, beside=effects, caution=tool.caution)


def beyond(node: Node, arguments: Mapping[str, Any]) -> str:
    """Why a call is not read; nothing where it is.

    Its server reads arguments that stand in no schema, such as the folder that paths lead from.
    """
    if is_long(arguments):
        return _LONG
    if node.tool == "browser_run_code_unsafe" and "filename" in arguments:
        return _UNSHOWN
    known = node.schema.get("properties")
    named = known if isinstance(known, dict) else {}
    odd = next(
        (argument for argument in arguments if argument == "_meta" or argument not in named), None
    )
    return "" if odd is None else _BEYOND.format(odd)


def fetching(url: str) -> Beside:
    """A request, judged as any is."""
    return Beside(tool="fetch", effect=Effect.EXTERNAL, input={"url": url})


def _on(page: str | None) -> Iterator[Beside]:
    """The page that it acts on, which is read by that."""
    if page and page not in _NOWHERE:
        yield fetching(page)


def _gone(tool: Tool, arguments: Mapping[str, Any]) -> Iterator[Beside]:
    url = arguments.get(tool.goes)
    if isinstance(url, str) and url not in _NOWHERE:
        yield fetching(_whole(url))


def _whole(url: str) -> str:
    """An address as the browser's server completes it."""
    if url.startswith(("localhost", "127.0.0.1")):
        return f"http://{url}"
    return url if _SCHEME.match(url) else f"https://{url}"


def _files(tool: Tool, arguments: Mapping[str, Any], places: Places) -> Iterator[Beside]:
    for path in _paths(tool.reads, arguments):
        yield Beside(tool="read", effect=Effect.READ, targets=(_located(path, places),))
    for path in _paths(tool.writes, arguments):
        to = (_located(path, places),)
        yield Beside(tool="write", effect=Effect.WRITE, targets=to, action="write")


def _paths(names: tuple[str, ...], arguments: Mapping[str, Any]) -> Iterator[str]:
    for name in names:
        given = arguments.get(name)
        each = given if isinstance(given, list) else [given]
        yield from (path for path in each if isinstance(path, str))


def _located(path: str, places: Places) -> Target:
    """Where its server has a path: from the person's home, in which it was started."""
    home = places.home
    return places.locate(os.path.normpath(os.path.join(home, path)), home)  # noqa: PTH118 -- as its server does
