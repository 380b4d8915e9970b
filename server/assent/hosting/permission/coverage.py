"""Counts which of an agent's tools were seen to pass the gate in one session.

Nothing is counted that did not happen: a tool counts once it was called, and it passes as long as
each of its calls was ruled on before it ran. That hooks are run at all is proven by the agent, who
runs one when a session begins.
"""

from collections.abc import Callable
from typing import Final

from assent.gate.values import define, field

__all__ = ["ADVISORY", "UNVERIFIED", "VERIFIED", "Coverage"]

VERIFIED: Final = "verified"
ADVISORY: Final = "advisory"
UNVERIFIED: Final = "unverified"
_MAX_TOOLS: Final = 1_000
"""So many tools are told apart; nobody has more, and names are the agent's."""
_OTHERS: Final = ""
"""All the tools that are not told apart; none of these is forgotten when it runs ungated."""


@define
class Coverage:
    """The tools of one session."""

    _tell: Callable[["Coverage"], None]
    _is_hooked: bool
    """Whether the agent was given the gate's hook."""
    _is_proven: bool = False
    _passes: dict[str, bool] = field(factory=dict)

    @property
    def gate(self) -> str:
        """How surely the agent's calls pass the gate."""
        if not self._is_hooked:
            return ADVISORY
        if not all(self._passes.values()):
            return ADVISORY
        return VERIFIED if self._is_proven else UNVERIFIED

    @property
    def tools(self) -> int:
        """How many of its tools were called."""
        return len(self._passes)

    @property
    def passed(self) -> int:
        """How many of them had each call ruled on before it ran."""
        return sum(self._passes.values())

    @property
    def is_proven(self) -> bool:
        """Whether the agent has run the gate's hook in this session."""
        return self._is_proven

    def prove(self) -> None:
        """The agent has run the gate's hook."""
        self._change(lambda: setattr(self, "_is_proven", True))

    def ruled(self, tool: str) -> None:
        """A call of a tool was brought before the gate before it ran."""
        known = self._counted(tool)
        if known not in self._passes:
            self._change(lambda: self._passes.setdefault(known, True))

    def ran(self, tool: str) -> None:
        """A call of a tool ran without a ruling."""
        self._change(lambda: self._passes.update({self._counted(tool): False}))

    def _counted(self, tool: str) -> str:
        """What a tool is counted as."""
        return tool if tool in self._passes or len(self._passes) < _MAX_TOOLS - 1 else _OTHERS

    def _change(self, change: Callable[[], object]) -> None:
        before = (self.gate, self.passed, self.tools)
        change()
        if (self.gate, self.passed, self.tools) != before:
            self._tell(self)
