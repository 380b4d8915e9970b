"""An agent's own modes: which of them let it act without asking.

The names are the agents'. One that is not known counts as one that lets it act.
"""

from typing import Final

from assent.acp.shapes import Modes

__all__ = ["asking_mode", "is_looser"]

_STRICTNESS: Final[tuple[frozenset[str], ...]] = (
    frozenset({"plan", "architect", "read-only", "readonly"}),
    frozenset({"ask", "default", "build", "code", "manual"}),
    frozenset({"acceptedits", "accept-edits", "auto-edit", "autoedit", "workspace-write"}),
)
"""From the strictest on; whatever is not in here acts as it likes."""

_ASKING: Final = ("ask", "default", "manual", "read-only")
"""The modes in which an agent asks the most and may still work."""


def is_looser(then: str, now: str) -> bool:
    """Whether an agent asks less in the mode `now` than it did in `then`."""
    unknown = _rank(now) == len(_STRICTNESS)
    return now != then and (unknown or _rank(now) > _rank(then))


def asking_mode(modes: Modes) -> str | None:
    """The mode that an agent is to be put in, where it is in one that asks less."""
    offered = [mode.id for mode in modes.available_modes]
    for wanted in _ASKING:
        for mode in offered:
            if _short(mode) == wanted and _rank(modes.current_mode_id) > _rank(mode):
                return mode
    return None


def _rank(mode: str) -> int:
    return next(
        (rank for rank, names in enumerate(_STRICTNESS) if _short(mode) in names),
        len(_STRICTNESS),
    )


def _short(mode: str) -> str:
    """Some agents name their modes by an address."""
    return mode.rpartition("#")[2].casefold()
