"""A ruling: a verdict, its reason, and the rule that decided."""

from collections.abc import Iterable
from enum import IntEnum, StrEnum
from typing import Final, Literal

from assent.gate.values import field, frozen

__all__ = ["Actor", "Deed", "Part", "Ruling", "Source", "Verdict", "reach_of"]


class Verdict(IntEnum):
    """Ordered by strictness, so that the strictest of several is their `max`."""

    ALLOW = 0
    ASK = 1
    DENY = 2

    @property
    def word(self) -> Literal["allow", "ask", "deny"]:
        """As it is written in settings, on the wire and on a command line."""
        return _WORDS[self]


_WORDS: Final[dict[Verdict, Literal["allow", "ask", "deny"]]] = {
    Verdict.ALLOW: "allow",
    Verdict.ASK: "ask",
    Verdict.DENY: "deny",
}


class Actor(StrEnum):
    """Who settled a call. The same words stand on the wire and in the journal."""

    USER = "user"
    RULE = "rule"
    MODE = "mode"
    HOOK = "hook"
    TIMEOUT = "timeout"
    STOP = "stop"
    AGENT_GONE = "agentGone"
    ERROR = "error"


@frozen(kw_only=True)
class Source:
    """Where a rule is written."""

    scope: str
    file: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        return self.scope if self.line is None else f"{self.scope}, line {self.line}"


@frozen(kw_only=True)
class Deed:
    """One thing that a call does to the world, as a person would put it."""

    kind: str
    """`read`, `look`, `write`, `delete`, `run` or `network`."""
    what: str
    """The path as it is shown, the program, or the host."""
    inside: bool = True
    """Whether it stays in the workspace."""
    sure: bool = True
    """Whether it is known what that is; else it may lie anywhere."""
    moved: bool = False
    """Of what is deleted: whether it is somewhere else afterwards."""
    where: str = ""
    """Where it is done, if not here, such as `in the container`."""
    mentioned: bool = field(default=False, eq=False)
    """Whether what is grave in the ruling speaks of it already."""
    lies: str = field(default="", eq=False)
    """Of a path on this machine: where it leads, in full."""


_FURTHER: Final = ("look", "read", "write", "run", "delete", "network")
"""The kinds of deeds, from the one that reaches least to the one that reaches furthest."""


def reach_of(deeds: Iterable[Deed]) -> tuple[int, bool]:
    """How far the furthest of these deeds reaches, to be compared; each reaches further outside."""
    return max(
        ((_FURTHER.index(deed.kind), not deed.inside) for deed in deeds), default=(-1, False)
    )


@frozen(kw_only=True)
class Part:
    """One command of a shell call, and what was said of it."""

    text: str
    start: int
    end: int
    """Where it stands in the whole text; the parts in order, with what lies between, are it."""
    verdict: Verdict
    because: str
    rule: str | None = None
    source: Source | None = None
    grave: bool = False
    """Whether what is grave in the ruling is about it."""


@frozen(kw_only=True)
class Ruling:
    """A verdict on one call, with its reason."""

    verdict: Verdict
    because: str
    """A sentence that does for the card, the model and the journal."""
    by: Actor = Actor.MODE
    rule: str | None = None
    source: Source | None = None
    lasting: bool = True
    """Whether a broader answer than `once` may be given to it."""
    parts: tuple[Part, ...] = ()
    """Of a shell call that could be read: each command that stands in it by itself."""
    deeds: tuple[Deed, ...] = ()
    readable: bool = True
    """Whether a shell call could be read whole into its parts."""
    grave: str | None = None
    """What would happen, in a sentence, where a person should look twice."""
    may_try: bool = False
    """Whether, instead of asking, it may be run on a copy of the workspace."""
    in_sandbox: bool = False
    """Whether it is allowed only on a copy, whose changes become real unless one is asked about."""

    def of(self, text: str, start: int, *, grave: bool) -> Part:
        """This ruling as one on a single command or step, which stands there in the whole."""
        return Part(
            text=text,
            start=start,
            end=start + len(text),
            verdict=self.verdict,
            because=self.because,
            rule=self.rule,
            source=self.source,
            grave=grave,
        )
