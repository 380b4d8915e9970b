"""Calls that ran without a ruling: judged afterwards and reported, since nothing undoes them.

What the policy would have allowed is only written down. What it would have asked about or denied
is told at once the first time, and counted after that until the turn is over. Such a call is
judged by the tool that it is known to be, and never by the kind that its agent claims for it.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from assent.gate.admit import Gate
from assent.gate.call.calls import ChatId
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.journal.journal import Entry
from assent.gate.values import define, field, frozen
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.connection.wording import label_of
from assent.hosting.permission.calls import Reader
from assent.hosting.permission.coverage import Coverage
from assent.hosting.permission.mcp_tool_names import name_of
from assent.hosting.permission.parts import shown_anyway
from assent.hosting.permission.toolcall import Asking, End, ToolCall
from assent.hosting.recipes.recipe import Recipe

__all__ = ["Alarms"]

_UNGATED: Final = {
    Asking.NOT_YET: "without asking",
    Asking.OPEN: "without waiting for the answer",
    Asking.REFUSED: "although it had been refused",
    Asking.ALLOWED: "otherwise than it had been allowed",
}
_LOOKING: Final = ("read", "search")
_MAX_INPUT_LETTERS: Final = 4_000
"""How much of what such a call says goes into its row."""


_MAX_SORTS_REPORTED: Final = 20
"""How many sorts are told apart in one turn: an agent chooses what its tools are called."""


@frozen
class _Sort:
    """Alarms that are told together: of the same tool, and for the same reason."""

    tool: str
    how: Asking


@define
class Alarms:
    """The alarms of one session."""

    _chat: ChatId
    _agent: AgentSpec
    _gate: Gate
    _recipe: Recipe
    _reader: Callable[[ToolCall], Reader]
    _coverage: Coverage
    _notice: Callable[[str], None]
    _reported_sorts: set[_Sort] = field(factory=set)
    _more: Counter[Asking] = field(factory=Counter)
    """How many happened after one of their sort was told."""

    def raised(self, tool: ToolCall) -> None:
        """A call ran that no ruling let run."""
        known = self._known(tool.whole)
        ruling = self._gate.judge_afterwards(self._reader(tool).read(known))
        self._coverage.ran(name_of(tool.whole))
        # An answer that was given stands above whatever would be ruled now.
        is_harmless = ruling.verdict is Verdict.ALLOW and tool.asking is Asking.NOT_YET
        text = f"{self._agent.name} ran “{label_of(tool.whole)}” {_UNGATED[tool.asking]}."
        if not is_harmless:
            self._tell(_Sort(name_of(tool.whole), tool.asking), text)
        self._keep(tool, text, ruling)

    def turn_over(self) -> None:
        """Tell how much more of the same there was."""
        for how, count in self._more.items():
            calls = "another call" if count == 1 else f"{count:,} more calls"
            self._notice(
                f"{self._agent.name} ran {calls} {_UNGATED[how]}; each stands in the history."
            )
        self._reported_sorts.clear()
        self._more.clear()

    def _tell(self, sort: _Sort, text: str) -> None:
        if sort in self._reported_sorts or len(self._reported_sorts) >= _MAX_SORTS_REPORTED:
            self._more[sort.how] += 1
            return
        self._reported_sorts.add(sort)
        self._notice(text)

    def _known(self, whole: dict[str, Any]) -> dict[str, Any]:
        """The call with the kind that its tool is known to be of, and no other.

        What failed to read something gave nothing, so that its agent's word is enough there.
        """
        is_failed_look = whole.get("status") == End.FAILED and whole.get("kind") in _LOOKING
        kind = whole["kind"] if is_failed_look else None
        return {**whole, "kind": self._recipe.kinds.get(name_of(whole), kind)}

    def _keep(self, tool: ToolCall, text: str, ruling: Ruling) -> None:
        body = {
            "what": "ungated",
            "because": text,
            "verdict": ruling.verdict.word,
            "kind": str(tool.whole.get("kind")),
            "input": repr(shown_anyway(tool.whole))[:_MAX_INPUT_LETTERS],
        }
        self._gate.journal.note(
            Entry(kind="noted", chat=self._chat, agent=self._agent.id, body=body)
        )
