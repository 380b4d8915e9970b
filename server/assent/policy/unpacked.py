"""What is protected among the files that a patch or an archive makes, which no word names.

Both are looked into as they lie on the disk: an archive for the names in it, a patch for all that
it says. What is only made by the text of the call stands in that.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from assent.bash.script import Command
from assent.policy.findings import Judged
from assent.policy.matter import Matter
from assent.policy.paths import Place
from assent.policy.planting import command_of_git
from assent.policy.protected import named_in
from assent.programs.deeds import Deeds, Kind, Links
from assent.programs.study import PATCHING

__all__ = ["ANY", "put_there"]

ANY: Final = "…"
"""In the place of a name: it may be any."""
_OF_GIT: Final = frozenset(("apply", "am"))


def put_there(
    matter: Matter,
    command: Command,
    deeds: Deeds,
    places: list[Place],
    before: Sequence[Judged],
) -> Iterator[str]:
    """A protected place that a patch or an archive may change; `ANY` where nobody can tell."""
    applies = command.program in PATCHING and _applies(command, deeds)
    if not applies and not any(it.links is Links.BELOW for it in places):
        return
    texts = [_content(matter, it) for it in places if it.kind is Kind.READ]
    # Of what it is handed by another only what that reads can be looked at.
    handed = [it for one in before for it in one.places] if command.fed else []
    handed_texts = [_content(matter, it) for it in handed if it.kind is Kind.READ]
    # A part of a patch may be written by what stands before it.
    told = (matter.text if applies else "", *texts, *handed_texts)
    named = [it for it in map(named_in, filter(None, told)) if it is not None]
    # What an archive holds that is only fetched now passes, as a clone does: people do that all
    # day, and next to nothing that is packed for others has such names.
    unread = [ANY] if applies and None in texts else []
    yield from [*named, *unread][:1]


def _applies(command: Command, deeds: Deeds) -> bool:
    """Whether it changes files as a patch says."""
    of_git = command.program == "git"
    return not deeds.reading and (not of_git or command_of_git(command) in _OF_GIT)


def _content(matter: Matter, place: Place) -> str | None:
    """What lies there: nothing where nothing does, None where that cannot be told."""
    if place.target is None or place.tree or place.listed or place.pattern is not None:
        return None if place.target is None else ""
    return matter.facts.contents(place.target.resolved)
