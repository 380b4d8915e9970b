"""What each tool of the browser does, by the documentation of the pinned version.

It only makes a call weigh more: a tool that nobody here knows is asked about in every mode.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from assent.catalogue.nodes.node import Node
from assent.gate.call.calls import Effect
from assent.gate.values import evolve, frozen

__all__ = ["BROWSER", "TOOLS", "Named", "Tool", "described", "is_long", "named_in"]


@frozen(kw_only=True)
class Tool:
    """One of them."""

    effect: Effect = Effect.EXTERNAL
    on_page: bool = True
    """Whether what it does hangs on the page that is open."""
    goes: str = ""
    """The argument that is an address to go to."""
    reads: tuple[str, ...] = ()
    """The arguments that are files whose content it reads."""
    writes: tuple[str, ...] = ()
    """The arguments that are files that it writes."""
    caution: str = ""
    """Why a person should see each call of it; nothing where none need."""


_FREE: Final = "This code may lead the browser to any page and back, and nobody is told where."
_ACTS: Final = Tool()
_TELLS: Final = Tool(writes=("filename",))
"""It reads the page, and where it is given a file it writes what it read there."""

TOOLS: Final[Mapping[str, Tool]] = {
    "browser_navigate": Tool(on_page=False, goes="url"),
    "browser_tabs": Tool(on_page=False, goes="url"),
    "browser_close": Tool(on_page=False),
    "browser_run_code_unsafe": Tool(effect=Effect.EXECUTE, caution=_FREE),
    "browser_evaluate": Tool(effect=Effect.EXECUTE, writes=("filename",)),
    "browser_file_upload": Tool(reads=("paths",)),
    "browser_drop": Tool(reads=("paths",)),
    **dict.fromkeys(
        (
            "browser_click",
            "browser_drag",
            "browser_emulate_media",
            "browser_fill_form",
            "browser_handle_dialog",
            "browser_hover",
            "browser_navigate_back",
            "browser_press_key",
            "browser_resize",
            "browser_select_option",
            "browser_type",
            "browser_wait_for",
        ),
        _ACTS,
    ),
    **dict.fromkeys(
        (
            "browser_console_messages",
            "browser_find",
            "browser_network_request",
            "browser_network_requests",
            "browser_snapshot",
            "browser_take_screenshot",
        ),
        _TELLS,
    ),
}


def described(node: Node, *, is_preset: bool) -> Node:
    """A tool of the browser, known as one.

    Its package says of each action alike that it may destroy something. Where it is known here what
    the tool does, and that its server is the very package, that is what counts.
    """
    is_let = is_preset and node.tool in TOOLS
    destructive = node.destructive and not is_let
    return evolve(node, kind=BROWSER, is_preset=is_preset, destructive=destructive)


BROWSER: Final = "browser"
"""The kind of such a node."""

_MAX_FIELDS: Final = 20
_PAIRS: Final = (
    ("target", "element"),
    ("startTarget", "startElement"),
    ("endTarget", "endElement"),
)


@frozen(kw_only=True)
class Named:
    """Something on the page that a call names."""

    target: str
    """By what the browser finds it."""
    said: str
    """What the model calls it, which decides nothing."""


def is_long(arguments: Mapping[str, Any]) -> bool:
    """Whether a call names more than a card shows."""
    fields = arguments.get("fields")
    return isinstance(fields, list) and len(fields) > _MAX_FIELDS


def named_in(arguments: Mapping[str, Any]) -> Iterator[Named]:
    """All that a call names on the page, in its order."""
    fields = arguments.get("fields")
    each = [arguments, *(fields if isinstance(fields, list) else ())]
    for given in each:
        for target, element in _PAIRS if isinstance(given, dict) else ():
            if isinstance(given.get(target), str):
                said = given.get(element) or given.get("name") or ""
                yield Named(target=given[target], said=str(said))
