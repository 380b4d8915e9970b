"""Keys of the gate among the files that one command finds and another one reads.

What a walk comes upon, or what a link leads to that was made on the way, is no path that stands
anywhere: such a read is of anything. Where something in the same text goes through a place that
has keys below it, these may be what is read.
"""

from collections.abc import Iterable
from typing import Final

from assent.policy.always import is_unsure
from assent.policy.findings import Judged
from assent.policy.matter import Matter, asked
from assent.policy.paths import Place
from assent.policy.protected import keys_in
from assent.programs.choosing import choice_of
from assent.programs.deeds import Kind
from assent.programs.finding import Sample
from assent.verdicts import Ruling

__all__ = ["KEY_NAMES", "keys_found"]

KEY_NAMES: Final = ("attestations.key", "sockets", "0123abcd", "0123456789abcdef.key")
"""What files with keys are called, and the folders of the gate in which they lie."""


def keys_found(matter: Matter, judged: Iterable[Judged]) -> list[Ruling]:
    """The question about what may be read of the gate's keys, where a text comes upon them."""
    all_ = [*judged]
    if not any(map(_reads_anything, all_)):
        return []
    climbs = any(".." in place.spelled for one in all_ for place in one.places)
    for one in all_:
        for place in one.places:
            found = _keys_at(matter, place)
            if found is not None and (climbs or not _looks_for_others(one, place)):
                return [asked(f"Reading what is found in {found} is asked about in every mode.")]
    return []


def _looks_for_others(one: Judged, place: Place) -> bool:
    """Whether it looks for names that no key has, and no folder on the way to one."""
    choice = None if one.command is None else choice_of((one.command.argv,))
    above = None if place.target is None else place.target.above
    if choice is None or above is None:
        return False
    names = {*KEY_NAMES, *above.path.split("/")}
    return not any(choice.may_hold(Sample(name=it)) for it in names)


def _reads_anything(one: Judged) -> bool:
    """Whether it reads files of which nobody knows where they lie."""
    if any(place.kind is Kind.READ and place.target is None for place in one.places):
        return True
    command = one.command
    if command is None or not is_unsure(command, one.deeds):
        return False
    return not all(word.known for word in command.argv)


def _keys_at(matter: Matter, place: Place) -> str | None:
    """The place with keys in it that a command goes through, or that it has a link lead to."""
    if place.target is None:
        return None
    if place.pattern is not None:
        met = matter.facts.premise(place.target, place.pattern)
        return f"{place.spelled} ({met.name})" if met is not None and met.keys else None
    through = place.tree or place.listed or place.kind is Kind.READ
    return keys_in(place.target, tree=through)
