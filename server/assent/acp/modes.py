"""An agent's own modes and settings: which of them let it act without asking.

The names are the agents'. A mode that is not known counts as one that lets it act; of other
settings those count that by their names are about asking.
"""

import re
from typing import Final

__all__ = ["asking_mode", "is_about_asking", "is_looser", "lets_act"]

_STRICTNESS: Final[tuple[frozenset[str], ...]] = (
    frozenset({"plan", "architect", "read-only", "readonly"}),
    frozenset({"ask", "default", "build", "code", "manual"}),
    frozenset({"acceptedits", "accept-edits", "auto-edit", "autoedit", "workspace-write"}),
)
"""From the strictest on; whatever is not in here acts as it likes."""

_ASKS: Final = 1
"""The rank up to which an agent asks before it changes something."""

_ASKING: Final = ("ask", "default", "manual", "read-only")
"""The modes in which an agent asks the most and may still work."""

_LETS: Final = re.compile(
    r"allow|approv|bypass|yolo|trust|permission|danger|unsafe|skip|full.?access|unattended"
    r"|auto[ _-]?(?:pilot|run|exec|accept|edit|confirm)",
    re.IGNORECASE,
)
_GUARDS: Final = re.compile(r"confirm|review|sandbox|guard|\bask\b", re.IGNORECASE)
"""Settings that hold an agent back for as long as they are on."""
_OFF: Final = frozenset({"false", "off", "no", "none", "never", "disabled", "0"})


def is_looser(then: str, now: str) -> bool:
    """Whether an agent asks less in the mode `now` than it did in `then`."""
    unknown = _rank(now) == len(_STRICTNESS)
    return now != then and (unknown or _rank(now) > _rank(then))


def lets_act(mode: str) -> bool:
    """Whether an agent may change things unasked in a mode.

    >>> lets_act("default"), lets_act("acceptEdits"), lets_act("https://a/modes#turbo")
    (False, True, True)
    """
    return _rank(mode) > _ASKS


def is_about_asking(name: str, value: str) -> bool | None:
    """Whether a setting lets an agent ask less with a value; None where it is about other things.

    >>> is_about_asking("allow_all", "on"), is_about_asking("confirm_writes", "false")
    (True, True)
    >>> is_about_asking("allow_all", "off"), is_about_asking("model", "gpt-5")
    (False, None)
    """
    is_off = value.casefold() in _OFF
    if _LETS.search(name):
        return not is_off and lets_act(value)
    return is_off if _GUARDS.search(name) else None


def asking_mode(now: str, offered: tuple[str, ...]) -> str | None:
    """The mode that an agent is to be put in, where it is in one that asks less."""
    for wanted in _ASKING:
        for mode in offered:
            if _short(mode) == wanted and _rank(now) > _rank(mode):
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
