"""Programs that are asked for no more than their version, and choose themselves by a file.

A launcher of toolchains starts the one that a file of the folder names, or of one above it. Where
there is no such file it only tells its version.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from assent.calls import Target
from assent.policy.judged import Judged
from assent.policy.matter import Matter
from assent.policy.shell.deeds import Deeds

__all__ = ["why_steered"]

_UNKNOWN: Final = "Which program of this name would run is only known when it does."


def why_steered(
    matter: Matter, deeds: Deeds, folders: Sequence[Target | None], before: Iterable[Judged]
) -> str | None:
    """A sentence that says why it may run something of the folder's, or None."""
    if not (deeds.reading and deeds.steered_by):
        return None
    if any(place.kind.changes for one in before for place in one.places):
        return _UNKNOWN
    for folder in folders:
        if folder is None:
            continue
        name = matter.facts.above(folder.resolved, deeds.steered_by)
        if name is not None:
            return f"Which program runs is decided by the {name} that lies here."
    return None
