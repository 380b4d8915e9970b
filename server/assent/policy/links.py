"""Links that a command makes, behind which nobody knows where a path leads."""

from typing import Final

from attrs import evolve

from assent.policy.patterns import late
from assent.policy.shell.script import Command
from assent.policy.touching import Place

__all__ = ["links_of", "unled"]

_LEADING: Final = frozenset({"ln", "mv"})
_COPYING: Final = frozenset({"cp", "rsync", "install"})
_KEEPS_LINKS: Final = late(r"-[A-Za-z]*[lsPadrR]|--(?:link|sym|arch|rec|no-d|pres|links)")


def links_of(command: Command | None, places: tuple[Place, ...]) -> list[str]:
    """The paths that lead elsewhere once a command has run: links that it makes or moves."""
    if command is None or not _makes_links(command):
        return []
    changed = (place for place in places if place.kind.changes)
    return [place.target.resolved for place in changed if place.target is not None]


def _makes_links(command: Command) -> bool:
    """Whether links may come to lie where it writes."""
    name = command.program
    flags = (word.text for word in command.argv[1:] if word.text.startswith("-"))
    return name in _LEADING or (name in _COPYING and any(_KEEPS_LINKS.match(it) for it in flags))


def unled(places: list[Place], led: tuple[str, ...]) -> list[Place]:
    """The places, where each that lies behind one of `led` leads nobody knows where."""
    return [_unled(place, led) for place in places] if led else places


def _unled(place: Place, led: tuple[str, ...]) -> Place:
    target = place.target
    if target is None or not any(f"{target.resolved}/".startswith(f"{it}/") for it in led):
        return place
    return evolve(place, target=None)
