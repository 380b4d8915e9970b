"""Takes a tool call apart: its arguments, the edits it shows, the places it names.

Whatever says what the call would do stands in its `whole`, so that none of it can be left out of
what the person sees and of the digest.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from assent.gate.call.calls import canonical
from assent.gate.call.errors import CallUnreadable
from assent.gate.values import field, frozen
from assent.hosting.permission import arguments
from assent.hosting.permission.edits import Diff, diffs_in
from assent.hosting.permission.mcp_tool_names import served_in

__all__ = ["Parts", "args_of", "shown_anyway", "shown_beside", "takes_notes"]

_MEMBERS: Final = frozenset(
    """sessionUpdate toolCallId title kind status content locations rawInput rawOutput name
    _meta""".split()
)
"""What is known of a tool call; what else it may be no agent is to say without its being seen."""
_LOCATION: Final = frozenset(("path", "line", "_meta"))
_ITEMS: Final = {
    "content": frozenset(("type", "content", "annotations", "_meta")),
    "terminal": frozenset(("type", "terminalId", "_meta")),
    "diff": frozenset(("type", "path", "oldText", "newText", "_meta")),
}
"""The kinds of content, each with its members."""
_SHOWN: Final = ("content", "terminal")
"""Those that a call shows of itself: words, pictures, what a terminal printed."""


@frozen(kw_only=True)
class Parts:
    """The parts of a tool call that say what it would do."""

    kind: str
    args: dict[str, Any] = field(hash=False)
    whole: dict[str, Any] = field(hash=False)
    """The arguments, and what is told beside them where there is such."""
    diffs: list[Diff] = field(hash=False)
    places: list[str] = field(hash=False)
    """The paths that it names beside its arguments."""
    beside: dict[str, Any] = field(hash=False)
    """Members that nobody knows, which count as arguments."""

    @property
    def named(self) -> list[str]:
        """The paths that it names outright, but for the folder from which they lead."""
        return [*arguments.paths_in(self.args), *self.places]

    @property
    def names_places(self) -> bool:
        """Whether it names a path or a folder at all."""
        return bool(self.named) or arguments.folder_in(self.args) is not None

    @classmethod
    def of(cls, whole: dict[str, Any]) -> "Parts":
        """The parts of a tool call; raise where they are not what they should be."""
        args = args_of(whole)
        _check_depth(whole)
        places = [location.get("path") for location in _objects(whole, "locations")]
        if not all(isinstance(path, str) for path in places):
            raise CallUnreadable("It names a place without a path.")
        kind = whole.get("kind")
        return cls(
            kind=kind if isinstance(kind, str) else "",
            args=args,
            whole=shown_anyway(whole),
            diffs=diffs_in(_objects(whole, "content")),
            places=[str(path) for path in places],
            beside=dict(_unknown_in(whole)),
        )


def args_of(whole: dict[str, Any]) -> dict[str, Any]:
    """The arguments, what is no object under `input`, with what nobody knows beside them."""
    raw = whole.get("rawInput")
    args = raw if isinstance(raw, dict) else {} if raw is None else {"input": raw}
    beside = dict(_unknown_in(whole))
    return {**args, **beside} if beside else args


def shown_anyway(whole: dict[str, Any]) -> dict[str, Any]:
    """All that a call says of what it would do, for the person to look at, and for its digest."""
    args, given = args_of(whole), shown_beside(whole)
    shown = {"rawInput": args, **given} if given else args
    try:
        canonical(shown)
    except RecursionError:
        return {}
    return shown


def shown_beside(whole: Mapping[str, Any]) -> dict[str, Any]:
    """The places and changes that a call names beside its arguments."""
    content = whole.get("content")
    if isinstance(content, list):
        # Words and pictures are what a call shows of itself, not what it does.
        content = [block for block in content if not _is_mere_content(block)]
    beside = {"locations": whole.get("locations"), "content": content}
    return {name: value for name, value in beside.items() if value}


def takes_notes(whole: dict[str, Any]) -> bool:
    """Whether a call only notes the agent's plan or thoughts, by its arguments.

    A server's tool may be given the same names, and what it does with them nobody knows.
    """
    beside = [whole.get("locations"), shown_anyway(whole).get("content"), served_in(whole)]
    content = whole.get("content")
    beside += [_is_terminal(item) for item in (content if isinstance(content, list) else [])]
    raw = whole.get("rawInput")
    return isinstance(raw, dict) and arguments.only_notes(args_of(whole)) and not any(beside)


def _objects(whole: dict[str, Any], name: str) -> list[dict[str, Any]]:
    value = whole.get(name)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise CallUnreadable(f"Its `{name}` is not a list of objects.")
    return value


def _check_depth(whole: dict[str, Any]) -> None:
    """Refuse to judge what is nested too deeply for a digest to be taken of it."""
    try:
        members = [whole.get(name) for name in ("rawInput", "content", "locations")]
        canonical([*members, dict(_unknown_in(whole))])
    except RecursionError as error:
        raise CallUnreadable("Its arguments are nested too deeply.") from error


def _unknown_in(whole: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Members that nobody knows, of a call, of the places that it names and of what it shows."""
    top = {
        member: value
        for member, value in whole.items()
        if member not in _MEMBERS and value is not None
    }
    yield from ((f"toolCall.{member}", value) for member, value in top.items())
    for name in ("locations", "content"):
        items = whole.get(name)
        listed: list[Any] = items if isinstance(items, list) else []
        for at, item in enumerate(listed):
            if not isinstance(item, dict):
                continue
            kind = item.get("type")
            known = _LOCATION if name == "locations" else _ITEMS.get(str(kind), frozenset())
            where = f"{name}[{at}]"
            yield from (
                (f"{where}.{member}", value)
                for member, value in item.items()
                if member not in known
            )


def _is_mere_content(item: object) -> bool:
    return isinstance(item, dict) and item.get("type") in _SHOWN


def _is_terminal(item: object) -> bool:
    return isinstance(item, dict) and item.get("type") == "terminal"
