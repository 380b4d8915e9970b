"""What is protected among the files that a patch or an archive makes, which no word names.

Both are looked into as they lie on the disk: an archive for the names in it, a patch for all that
it says. What is only made by the text of the call stands in that.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from assent.bash.script import Command
from assent.calls import Target
from assent.policy.findings import Judged
from assent.policy.matter import Matter
from assent.policy.paths import Place
from assent.policy.planting import command_of_git
from assent.policy.protected import named_in
from assent.programs.choosing import choice_of
from assent.programs.deeds import Deeds, Kind, Links
from assent.programs.finding import Sample
from assent.programs.study import PATCHING
from assent.text.patterns import late

__all__ = ["ANY", "put_there"]

ANY: Final = "…"
"""In the place of a name: it may be any."""
_OF_GIT: Final = frozenset(("apply", "am"))
_MOST: Final = 20
"""So many of the files are looked into that may be listed."""
_NUMBERED: Final = late(r"\\([0-7]{3})")


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
    texts = [text for it in places if it.kind is Kind.READ for text in _contents(matter, it)]
    # What another command hands to it, or writes first, may be what that reads.
    others = [it for one in before for it in one.places if it.kind is Kind.READ]
    made = others if command.fed or "" in texts else []
    handed = [text for it in made for text in _contents(matter, it)]
    # A part of a patch may be written by what stands before it.
    told = [matter.text if applies else "", *filter(None, (*texts, *handed))]
    named = [it for it in map(named_in, map(_unquoted, told)) if it is not None]
    # What an archive holds that is only fetched now passes, as a clone does: people do that all
    # day, and next to nothing that is packed for others has such names.
    unknown = None in texts or "<(" in matter.text[command.start : command.end]
    unread = [ANY] if applies and unknown else []
    yield from [*named, *unread][:1]


def _applies(command: Command, deeds: Deeds) -> bool:
    """Whether it changes files as a patch says."""
    of_git = command.program == "git"
    return not deeds.reading and (not of_git or command_of_git(command) in _OF_GIT)


def _contents(matter: Matter, place: Place) -> Iterator[str | None]:
    """What lies there: nothing where nothing does, None where that cannot be told."""
    target = place.target
    if target is None:
        yield None
    elif place.listed or place.pattern is not None:
        files = _listed(matter, place, target)
        yield from map(matter.facts.contents, (files or ())[:_MOST])
        if files is None or len(files) > _MOST:
            yield None
    elif not place.tree:
        yield matter.facts.contents(target.resolved)


def _listed(matter: Matter, place: Place, target: Target) -> Sequence[str] | None:
    """The files that it may be, by a pattern or by what lists them; None where nobody can tell."""
    if place.pattern is not None:
        return matter.facts.names(place.pattern.named, "/")
    files = matter.facts.found_below(target.resolved, ("*",))
    choice = choice_of(place.by) if place.by else None
    if files is None or choice is None:
        return files
    return [it for it in files if choice.may_hold(Sample(name=it.rpartition("/")[2]))]


def _unquoted(patch: str) -> str:
    r"""With the letters that git may write by their numbers, such as `\056` for a dot."""
    return _NUMBERED.sub(lambda it: chr(int(it[1], 8)), patch) if "\\" in patch else patch
