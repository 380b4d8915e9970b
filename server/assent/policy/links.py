"""Links that a command makes, behind which nobody knows where a path leads."""

import posixpath
from collections.abc import Sequence
from typing import Final

from attrs import evolve

from assent.bash.script import START, Command
from assent.policy.findings import Judged
from assent.policy.matter import Matter
from assent.policy.paths import Place
from assent.policy.planting import changes
from assent.programs.deeds import Kind
from assent.text.patterns import late

__all__ = ["links_of", "unled"]

_MOVES: Final = "mv"
_LEADING: Final = frozenset({"ln", _MOVES})
_COPYING: Final = frozenset({"cp", "rsync", "install"})
_UNPACKING: Final = frozenset("tar gtar bsdtar unzip 7z 7za 7zr 7zz cpio pax".split())
_KEEPS_LINKS: Final = late(r"-[A-Za-z]*[lsPadrR]|--(?:link|sym|arch|rec|no-d|pres|links)")
_UNLINKS: Final = frozenset({"rm", "unlink", "rmdir", "mv"})
"""What removes or renames a link by its own name, and leaves alone what it leads to."""


def links_of(matter: Matter, one: Judged, before: Sequence[Judged]) -> list[str]:
    """The paths that lead elsewhere once a command has run: links that it makes or moves."""
    command, places = one.command, one.places
    if command is None or not _makes_links(command):
        return []
    if command.program == _MOVES and not any(map(changes, before)):
        moved = [place for place in places if place.kind is Kind.DELETE]
        if all(_is_free_of_links(matter, place) for place in moved):
            return []
    unpacks = command.program in _UNPACKING
    changed = (it for it in places if it.kind.changes and (it.tree or not unpacks))
    return [place.target.resolved for place in changed if place.target is not None]


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
    if name in _UNPACKING:
        return True
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
    path = place.target.resolved
    if place.led and any(it.startswith(f"{path}/") for it in led):
        return True
    if _removes_name(command, place):
        # A link that is removed by its own name leads nowhere.
        path = posixpath.dirname(path)
    return any(f"{path}/".startswith(f"{it}/") for it in led)


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
