"""The modes: for each, the verdict on each reach of a call, in one table."""

from enum import StrEnum
from typing import Final

from assent.gate.call.calls import Call, Effect
from assent.gate.call.verdicts import Verdict

__all__ = [
    "CATALOGUE",
    "LOOSENESS",
    "MODES",
    "NAMES",
    "Mode",
    "Reach",
    "held",
    "reach_of",
    "stricter",
]


class Mode(StrEnum):
    """How much a chat may do unasked, from the strictest to the loosest."""

    PLAN = "plan"
    ASK = "ask"
    DEFAULT = "default"
    ACCEPT_EDITS = "acceptEdits"
    AUTO = "auto"


class Reach(StrEnum):
    """An effect together with whether it leaves the workspace."""

    READ_INSIDE = "read in the workspace"
    READ_OUTSIDE = "read outside the workspace"
    WRITE_INSIDE = "write in the workspace"
    WRITE_OUTSIDE = "write outside the workspace"
    EXECUTE = "run commands"
    EXTERNAL = "reach outside this machine or use other tools"
    NETWORK = "let a command in the sandbox reach a host"
    SEARCH = "search the web with the search engine that is set up"
    CHAT = "keep track of their own work"


_ALLOW, _ASK, _DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY

MODES: Final[dict[Mode, dict[Reach, Verdict]]] = {
    mode: dict(zip(Reach, verdicts, strict=True))
    for mode, verdicts in {
        Mode.PLAN: (_ALLOW, _ASK, _DENY, _DENY, _DENY, _DENY, _DENY, _ALLOW, _ALLOW),
        Mode.ASK: (_ASK, _ASK, _ASK, _ASK, _ASK, _ASK, _ASK, _ASK, _ALLOW),
        Mode.DEFAULT: (_ALLOW, _ASK, _ASK, _ASK, _ASK, _ASK, _ASK, _ALLOW, _ALLOW),
        Mode.ACCEPT_EDITS: (_ALLOW, _ASK, _ALLOW, _ASK, _ASK, _ASK, _ASK, _ALLOW, _ALLOW),
        Mode.AUTO: (_ALLOW, _ALLOW, _ALLOW, _ALLOW, _ALLOW, _ALLOW, _ASK, _ALLOW, _ALLOW),
    }.items()
}
"""Rows are modes, columns are reaches in the order of `Reach`."""

NAMES: Final[dict[Mode, str]] = {
    Mode.PLAN: "Plan",
    Mode.ASK: "Ask every time",
    Mode.DEFAULT: "Default",
    Mode.ACCEPT_EDITS: "Accept edits",
    Mode.AUTO: "Auto",
}

LOOSENESS: Final = tuple(Mode)
"""What a workspace may set unasked goes only down in it."""


CATALOGUE: Final = "catalogue"
"""The tool that tells what can be run or searched: nodes, workflows, collections. No rule is
about it, and it reads no file that a rule denies."""


def reach_of(call: Call) -> Reach:
    """How far a call reaches; a call without a known target reaches outside."""
    if call.tool == "network":
        return Reach.NETWORK
    if call.tool == "fetch" and call.effect is Effect.READ:
        return Reach.SEARCH
    within, without = _REACHES[call.effect]
    if call.tool == CATALOGUE:
        # What is looked at is Assent's own to tell: its servers, and the files that say what a
        # project can do, in the workspace and in the person's own folder for them.
        return within
    return within if call.targets and all(target.inside for target in call.targets) else without


_REACHES: Final[dict[Effect, tuple[Reach, Reach]]] = {
    Effect.READ: (Reach.READ_INSIDE, Reach.READ_OUTSIDE),
    Effect.WRITE: (Reach.WRITE_INSIDE, Reach.WRITE_OUTSIDE),
    Effect.EXECUTE: (Reach.EXECUTE, Reach.EXECUTE),
    Effect.EXTERNAL: (Reach.EXTERNAL, Reach.EXTERNAL),
    Effect.CHAT: (Reach.CHAT, Reach.CHAT),
}
"""Where all that a call touches lies in the workspace, and where something does not."""


def stricter(mode: Mode, other: Mode) -> Mode:
    """The stricter of two modes."""
    return min(mode, other, key=LOOSENESS.index)


def held(usual: Mode) -> Mode:
    """The mode in which a chat begins as long as nobody has agreed to Auto.

    >>> held(Mode.AUTO), held(Mode.PLAN)
    (<Mode.DEFAULT: 'default'>, <Mode.PLAN: 'plan'>)
    """
    return Mode.DEFAULT if usual is Mode.AUTO else usual
