"""Programs that are asked for no more than their version, and choose themselves by a file.

A launcher of toolchains starts the one that a file of the folder names, or of one above it. Where
there is no such file it only tells its version.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from assent.calls import Target
from assent.policy.findings import Judged
from assent.policy.matter import Matter
from assent.policy.planting import may_put
from assent.programs.deeds import Deeds

__all__ = ["why_steered"]

_UNKNOWN: Final = "Which program of this name would run is only known when it does."


def why_steered(
    matter: Matter, deeds: Deeds, folders: Sequence[Target | None], others: Iterable[Judged]
) -> str | None:
    """A sentence that says why it may run something of the folder's, or None.

    `others` are the commands that may have run before it.
    """
    if not (deeds.reading and deeds.steered_by):
        return None
    others = [*others]
    for folder in folders:
        if folder is None:
            continue
        if any(may_put(one, folder.resolved, deeds.steered_by) for one in others):
            return _UNKNOWN
        name = matter.facts.above(folder.resolved, deeds.steered_by)
        if name is not None:
            return f"Which program runs is decided by the {name} that lies here."
    return None
