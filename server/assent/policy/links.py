"""Links that a command makes, behind which nobody knows where a path leads."""

import posixpath
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from attrs import evolve

from assent.bash.script import START, Command
from assent.policy.findings import Judged
from assent.policy.matter import Matter
from assent.policy.paths import Place
from assent.policy.planting import changes
from assent.programs.deeds import Kind
from assent.programs.families.addresses import lies_there
from assent.text.patterns import late
from assent.text.plainly import is_within

__all__ = ["links_of", "unled"]

_MOVES: Final = "mv"
_LEADING: Final = frozenset({"ln", _MOVES})
_COPYING: Final = frozenset({"cp", "rsync", "install"})
_UNPACKING: Final = frozenset("tar gtar bsdtar unzip 7z 7za 7zr 7zz cpio pax".split())
_INTO: Final = frozenset({"-C", "-d", "--directory"})
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
    if command is None or not _makes_links(command):
        return []
    if not any(map(changes, before)) and _takes_none(matter, command, places):
        return []
    unpacks = command.program in _UNPACKING or _clones(command)
    changed = (it for it in places if it.kind.changes and (it.tree or not unpacks))
    paths = {it.spelled: it.target.resolved for it in changed if it.target is not None}
    folders = {*paths} if _clones(command) else _unpacked_into(command) if unpacks else set()
    return [f"{path.rstrip('/')}/" if it in folders else path for it, path in paths.items()]


def _unpacked_into(command: Command) -> set[str]:
    """The folders in which all comes to lie, as they are spelled; a member is none of these."""
    words = [it.text for it in command.argv]
    return {".", *(to for flag, to in pairwise(words) if flag in _INTO)}


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
    if name in _UNPACKING or _clones(command):
        return True
    flags = (word.text for word in command.argv[1:] if word.text.startswith("-"))
    return name in _LEADING or (name in _COPYING and any(_KEEPS_LINKS.match(it) for it in flags))


def _clones(command: Command) -> bool:
    """Whether it brings a whole repository, of which nobody knows what links lie in it."""
    return command.program == "git" and any(it.text == "clone" for it in command.argv[1:])


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
