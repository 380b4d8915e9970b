"""What a call would touch, in few lines: files by what is done to them, hosts, where it runs."""

from collections.abc import Iterator
from typing import Final

from assent.calls import Call
from assent.cards.spans import line, plain
from assent.cards.titles import folder_of, host_of
from assent.protocol.card import Span, Touch
from assent.verdicts import Deed, Ruling

__all__ = ["touches_of"]

_MOST: Final = 12
"""How many names one line has before it only counts them."""

_GROUPS: Final = {
    ("delete", False): "Deletes outside the workspace",
    ("delete", True): "Deletes",
    ("write", False): "Writes outside the workspace",
    ("write", True): "Writes",
    ("read", False): "Reads outside the workspace",
    ("look", False): "Looks outside the workspace",
    ("network", False): "Network",
    ("network", True): "Network",
    ("read", True): "Reads",
}
"""The lines, the gravest first; what a command runs stands in its parts, what it looks at inside
does not matter."""


def touches_of(call: Call, ruling: Ruling) -> list[Touch]:
    """The lines for a call."""
    if call.tool != "shell":
        return list(_by_targets(call))
    return [
        *_by_deeds(ruling.deeds),
        Touch(name="Folder", text=folder_of(call)),
        Touch(name="Runs in", text=plain("your shell, no sandbox")),
    ]


def _by_targets(call: Call) -> Iterator[Touch]:
    for target in call.targets:
        where = " · in the workspace" if target.inside else " · outside the workspace"
        yield Touch(name="File", text=[*line(target.shown), *plain(where)])
    if host := host_of(call):
        yield Touch(name="Network", text=line(host))


def _by_deeds(deeds: tuple[Deed, ...]) -> Iterator[Touch]:
    names: dict[str, dict[str, None]] = {name: {} for name in _GROUPS.values()}
    for deed in deeds:
        group = _GROUPS.get((deed.kind, deed.inside))
        if group is not None:
            names[group][deed.what] = None
    for group, found in names.items():
        if found:
            yield Touch(name=group, text=_listed(list(found)))


def _listed(names: list[str]) -> list[Span]:
    spans = line(names[0])
    for name in names[1:_MOST]:
        spans += [*plain(", "), *line(name)]
    more = len(names) - _MOST
    return [*spans, *(plain(f" and {more} more") if more > 0 else ())]
