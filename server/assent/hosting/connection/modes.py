"""An agent's own modes and settings, and which of them let it act without asking.

The names are the agents'. A mode that is not known counts as one that lets it act; of other
settings those count that by their names are about asking, and what is not known of them to hold an
agent back counts as what lets it act.
"""

import re
from typing import Final

from assent.gate.text.switches import OFF, ON

__all__ = ["asking_mode", "asks", "is_about_asking", "is_looser", "lets_act"]

_STRICTNESS: Final[tuple[frozenset[str], ...]] = (
    frozenset({"plan", "architect", "read-only", "readonly"}),
    frozenset({"ask", "default", "manual"}),
    frozenset({"acceptedits", "accept-edits", "auto-edit", "autoedit", "workspace-write"}),
)
"""From the strictest on; whatever is not in here acts as it likes.

`build` and `code` are not: they name the work, and those of opencode and others ask nothing.
"""

_LAST_ASKING_RANK: Final = 1
"""The rank up to which an agent asks before it changes something."""

_ASKING: Final = ("ask", "default", "manual", "read-only")
"""The modes in which an agent asks the most and may still work."""

_ABOUT: Final = re.compile(
    r"(?P<n>\b(?:no|non|not|never|don.?t|without|disabled?|deny|forbid|block)\b|dis(?=allow)"
    r"|\bun(?=supervis|guard|confirm|review|sandbox|ask|prompt))"
    r"|(?P<l>allow|approv(?!al)|bypass|yolo|trust|danger|unsafe|unrestricted|unattended|skip"
    r"|full.?access|full ?auto|autonom|hands ?free"
    r"|auto(?:matic(?:ally)?)? ?(?:mode|pilot|run|exec|accept|appl|edit|writ|confirm|approv|permi))"
    r"|(?P<h>confirm|approval|review|sandbox|guard|consent|supervis|oversight|human in the loop"
    r"|\binteractive\b|\bsafe(?:ty|ly)?\b|\brestrict|(?:(?<=without )|(?<=\bno )|(?<=un))prompt"
    r"|\bprompt(?:s|ed)?(?= (?:before|for|if|me|on|the|to|user|when))"
    r"|(?:\b|(?<=un))ask(?:s|ed|ing)?\b)"
    r"|(?P<d>permission)"
    r"|(?P<e>\b(?:execut|run|writ|edit|delet|creat|modif|chang)\w* (?:\w+ )?"
    r"(?:access|code|commands?|files?|scripts?|shell|terminal|tools?)\b"
    r"|\b(?:command|disk|edit|execution|file|internet|network|shell|terminal|tool|write) "
    r"(?:access|execution|use)\b)",
    re.IGNORECASE,
)
"""Words of a setting's name: that let an agent act, that hold it back, that turn what follows
into its opposite, one of which nobody can say whether it is asked for or given, and what an agent
does: alone it is let with that, and beside another word it only says of what that is."""
_LETS: Final = re.compile(r"l[lhd]*|(?:nh+)+")
_HOLDS: Final = re.compile(r"h+")
_OF_A_MODE: Final = re.compile(r"\b(?:mode|policy)\b", re.IGNORECASE)
_MAY_BE_A_MODE: Final = re.compile(r"[hd]+")
_PARTS: Final = re.compile(r"(?<=[a-z])(?=[A-Z])|[_-]+")

_OFF: Final = OFF | {"disabled"}
_ON: Final = ON | {"enabled", "required", "strict", "untrusted"}
_ASKS_BY_NAME: Final = frozenset({"ask", "manual"})
_ASKED: Final = _ASKS_BY_NAME | {"read-only", "readonly"}
"""Values that say by themselves that it asks, or changes nothing."""


def is_looser(then: str, now: str) -> bool:
    """Whether an agent asks less in the mode `now` than it did in `then`."""
    unknown = _rank(now) == len(_STRICTNESS)
    return now != then and (unknown or _rank(now) > _rank(then))


def lets_act(mode: str) -> bool:
    """Whether an agent may change things unasked in a mode.

    >>> lets_act("default"), lets_act("acceptEdits"), lets_act("https://a/modes#turbo")
    (False, True, True)
    """
    return _rank(mode) > _LAST_ASKING_RANK


def is_about_asking(name: str, value: str) -> bool | None:
    """Whether a setting lets an agent ask less with a value; None where it is about other things.

    What lets act must be off and what holds back must be on, in words that are known; every other
    value may let more happen.

    >>> is_about_asking("allow_all", "on"), is_about_asking("Require approval", "off")
    (True, True)
    >>> is_about_asking("allow_all", "off"), is_about_asking("Require approval", "on")
    (False, False)
    >>> is_about_asking("approval_policy", "never"), is_about_asking("Confirm", "auto")
    (True, True)
    >>> is_about_asking("model", "gpt-5"), is_about_asking("profile", "danger-full-access")
    (None, True)
    >>> is_about_asking("Run without asking", "on"), is_about_asking("auto_approve", "default")
    (True, True)
    """
    kinds = _kinds(name)
    if set(kinds) <= {"n"}:
        return True if _LETS.fullmatch(_kinds(value)) else None
    if _MAY_BE_A_MODE.fullmatch(kinds) and _OF_A_MODE.search(_apart(name)) and not lets_act(value):
        return False
    return value.casefold() not in _strict_values(kinds) | _ASKED


def asks(value: str) -> bool:
    """Whether a value says by itself that its agent asks, and may still work."""
    return value.casefold() in _ASKS_BY_NAME


def _kinds(name: str) -> str:
    """What the words of a name are, a letter for each that says something."""
    kinds = "".join(match.lastgroup or "" for match in _ABOUT.finditer(_apart(name)))
    rest = kinds.replace("e", "")
    return kinds.replace("e", "l") if set(rest) <= {"n"} else rest


def _apart(name: str) -> str:
    """A name with its words apart."""
    return _PARTS.sub(" ", name)


def _strict_values(kinds: str) -> frozenset[str]:
    """The values with which a setting whose name has such words surely lets nothing happen."""
    if _LETS.fullmatch(kinds):
        return _OFF
    return _ON if _HOLDS.fullmatch(kinds) else frozenset()


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
