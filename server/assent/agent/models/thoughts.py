"""Collects streamed thoughts, so that each goes back to the host under its own name.

Hosts have several names for them. What else goes back beside the text of a reply is gathered here
too, and handed on before whatever it belongs to can be run.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final

from assent.agent.models.conversation import Given
from assent.agent.models.events import Closed, Event, Kept, Thinking
from assent.gate.values import define, field

__all__ = ["Thoughts", "joined"]

_GROWING: Final = ("text", "summary", "data", "thinking")
"""The members of a detail that come in pieces."""
_UNNUMBERED: Final = "thinking"
"""The kind of detail that has no number, only its place, and the member that it is in: Claude's."""


@define
class Thoughts:
    """The thoughts of one reply."""

    _by: str
    _name: str = ""
    """The member in which the thought that is open came."""
    _pieces: list[str] = field(factory=list)
    _beside: list[dict[str, Any]] = field(factory=list)
    """What came beside it and was not handed on yet."""

    def more(self, name: str, text: str) -> Iterator[Event]:
        """More of a thought, in a member of this name."""
        if self._name not in {"", name}:
            yield from self.close()
        self._name = name
        self._pieces.append(text)
        yield Thinking(text=text)

    def beside(self, members: dict[str, Any]) -> None:
        """Something else that goes back as it came."""
        self._beside.append(members)

    def close(self) -> Iterator[Event]:
        """Something else begins, so that the thought is whole."""
        if self._name:
            thought = _member(self._name, "".join(self._pieces))
            yield Closed(given=Given.of(self._by, thought))
            self._name = ""
            self._pieces.clear()
        if self._beside:
            yield Kept(given=Given.of(self._by, joined(self._beside)))
            self._beside.clear()


def _member(name: str, thought: str) -> dict[str, Any]:
    """A thought as it came: as the text of a member, or as one of the parts of a text."""
    if name != "content":
        return {name: thought}
    return {name: [{"type": "thinking", "thinking": [{"type": "text", "text": thought}]}]}


def joined(pieces: Iterable[dict[str, Any]], *, whole: bool = False) -> dict[str, Any]:
    """All members of these, in order: texts and lists go on, an object takes in another.

    Of what is whole only a signature goes on, which may have come behind its thought.

    >>> joined([{"a": "x", "b": [1]}, {"a": "y", "b": [2]}])
    {'a': 'xy', 'b': [1, 2]}

    A thought keeps what signs it, and takes in no other:

    >>> pieces = [{"text": "A"}, {"signature": "a"}, {"text": "B"}, {"signature": "b"}]
    >>> joined([{"details": [{"type": "t", "index": 0, **it}]} for it in pieces])["details"][1]
    {'type': 't', 'index': 0, 'text': 'B', 'signature': 'b'}
    >>> pieces = [{"thinking": "A"}, {"thinking": "", "signature": "a"}, {"thinking": "B"}]
    >>> joined([{"blocks": [{"type": "thinking", **it}]} for it in pieces])["blocks"]
    [{'type': 'thinking', 'thinking': 'A', 'signature': 'a'}, {'type': 'thinking', 'thinking': 'B'}]
    """
    by_name: dict[str, list[Any]] = {}
    for piece in pieces:
        for name, value in piece.items():
            by_name.setdefault(name, []).append(value)
    return {name: _joined_values(values, whole=whole) for name, values in by_name.items()}


def _joined_values(values: list[Any], *, whole: bool) -> Any:
    if all(isinstance(value, str) for value in values):
        return "".join(values)
    if all(isinstance(value, list) for value in values):
        return list(map(_whole, _grouped(chain.from_iterable(values), whole=whole)))
    if all(isinstance(value, dict) for value in values):
        return {name: value for each in values for name, value in each.items()}
    return values[-1]


def _grouped(details: Iterable[Any], *, whole: bool) -> list[list[Any]]:
    """Details, those together that are pieces of one."""
    groups: list[list[Any]] = []
    for detail in details:
        if groups and _goes_on(groups[-1], detail) and not (whole and _grows(detail)):
            groups[-1].append(detail)
        else:
            groups.append([detail])
    return groups


def _goes_on(group: list[Any], more: Any) -> bool:
    """Whether this is more of that detail: of the same kind and number, and not behind its end."""
    first = group[0]
    if not (isinstance(first, dict) and isinstance(more, dict)):
        return False
    if first.get("index") is None and not _is_unnumbered(first):
        return False
    same = all(first.get(name) == more.get(name) for name in ("type", "index"))
    is_over = any(detail.get("signature") for detail in group) and (
        _grows(more) or more.get("signature")
    )
    return same and not is_over and more.get("id") in {None, first.get("id")}


def _is_unnumbered(detail: dict[str, Any]) -> bool:
    return detail.get("type") == _UNNUMBERED and isinstance(detail.get(_UNNUMBERED), str)


def _grows(detail: Any) -> bool:
    return isinstance(detail, dict) and any(detail.get(name) for name in _GROWING)


def _whole(pieces: list[Any]) -> Any:
    if len(pieces) == 1:
        return pieces[0]
    members = {name: value for each in pieces for name, value in each.items() if value is not None}
    for name in _GROWING:
        texts = [each[name] for each in pieces if isinstance(each.get(name), str)]
        members.update({name: "".join(texts)} if texts else {})
    # One that is empty takes none away.
    signed = [each["signature"] for each in pieces if each.get("signature")]
    return {**members, "signature": signed[0]} if signed else members
