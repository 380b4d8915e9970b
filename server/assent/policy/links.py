"""Links that a command makes, behind which nobody knows where a path leads."""

import posixpath
from collections.abc import Sequence
from typing import Final

from attrs import evolve

from assent.bash.listed import Made
from assent.bash.script import START, Command
from assent.policy.findings import Judged
from assent.policy.matter import Matter
from assent.policy.paths import Place
from assent.policy.planting import changes
from assent.programs.deeds import Kind, Links
from assent.programs.families.addresses import lies_there
from assent.text.patterns import late
from assent.text.plainly import is_within

__all__ = ["links_of", "unled"]

_MOVES: Final = "mv"
_LEADING: Final = frozenset({"ln", _MOVES})
_COPYING: Final = frozenset({"cp", "rsync", "install"})
_KEEPS_LINKS: Final = late(r"-[A-Za-z]*[lsPadrR]|--(?:link|sym|arch|rec|no-d|pres|links)")
_LINKS: Final = late(r"-[A-Za-z]*[ls]|--(?:link|sym)")
"""Flags of what copies, with which it makes links itself."""
_UNLINKS: Final = frozenset({"rm", "unlink", "rmdir", "mv"})
"""What removes or renames a link by its own name, and leaves alone what it leads to."""


def links_of(matter: Matter, one: Judged, before: Sequence[Judged]) -> list[str]:
    """The paths that lead elsewhere once a command has run: links that it makes or moves.

    With a slash at its end, all below a path; the folder itself that is unpacked into stays one.
    """
    command, places = one.command, one.places
    if command is None:
        return []
    brought = [it for it in places if it.links and it.target is not None]
    if brought:
        return [*map(_leads, brought)]
    if not _makes_links(command):
        return []
    if not any(map(changes, before)) and _takes_none(matter, command, places):
        return []
    return [it.target.resolved for it in places if it.kind.changes and it.target is not None]


def _leads(place: Place) -> str:
    path = _path(place)
    return path if place.links is Links.THERE else f"{path.rstrip('/')}/"


def _path(place: Place) -> str:
    """Where it lies; what lies in a folder that `mktemp` makes, there."""
    made = place.listed and is_within(place.spelled, Made().text)
    return place.spelled if made or not place.target else place.target.resolved


def _takes_none(matter: Matter, command: Command, places: Sequence[Place]) -> bool:
    """Whether what is moved or copied is there, and no link lies in it."""
    if command.program == _MOVES:
        moved = [place for place in places if place.kind is Kind.DELETE]
    elif command.program in _COPYING and not any(_LINKS.match(it.text) for it in command.argv):
        moved = [place for place in places if place.kind is Kind.READ]
        if not moved or any(map(lies_there, command.argv[1:])):
            return False
    else:
        return False
    return all(_is_free_of_links(matter, place) for place in moved)


def _is_free_of_links(matter: Matter, place: Place) -> bool:
    """Whether it is there, and neither a link nor a folder in which one leads out."""
    target = place.target
    if target is None or place.pattern is not None or place.listed:
        return False
    there = bool(matter.facts.names(target.resolved, "/"))
    return there and target.named == target.resolved and matter.facts.led_below(target) == ()


def _makes_links(command: Command) -> bool:
    """Whether links may come to lie where it writes."""
    name = command.program
    flags = (word.text for word in command.argv[1:] if word.text.startswith("-"))
    return name in _LEADING or (name in _COPYING and any(_KEEPS_LINKS.match(it) for it in flags))


def unled(command: Command, places: list[Place], led: tuple[str, ...]) -> list[Place]:
    """The places, where each that lies behind one of `led`, or comes upon it, leads anywhere."""
    if not led:
        return places
    return [evolve(it, target=None) if _is_led(command, it, led) else it for it in places]


def _is_led(command: Command, place: Place, led: tuple[str, ...]) -> bool:
    if place.target is None:
        return False
    if _climbs(command, place):
        return True
    path = _path(place)
    goes_on = place.led or (place.tree and place.kind.changes)
    if goes_on and any(is_within(it, path) for it in led):
        return True
    if _removes_name(command, place):
        # A link that is removed by its own name leads nowhere.
        path = posixpath.dirname(path)
    return any(path.startswith(it) if it.endswith("/") else is_within(path, it) for it in led)


def _removes_name(command: Command, place: Place) -> bool:
    """Whether no more is removed than a name and what it is the name of."""
    if place.kind is not Kind.DELETE or command.program not in _UNLINKS:
        return False
    several = place.pattern is not None or place.listed or place.emptied
    return not several and not place.spelled.endswith(("/", "/."))


def _climbs(command: Command, place: Place) -> bool:
    """Whether it goes up again from where a link may have led."""
    parts = place.spelled.split("/")
    ups = [at for at, it in enumerate(parts) if it == ".."]
    return bool(ups) and (command.ways != START or ups != list(range(len(ups))))
