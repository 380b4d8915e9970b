"""A server's question during a call, as a call of its own: ruled on, asked, and journaled.

Nothing runs for it. It belongs to the chat of the call that it is asked for, and ends with it.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Final, Literal, Never, Protocol
from uuid import uuid4

from assent.catalogue.nodes.source import NodeFailed, Reply
from assent.catalogue.nodes.source import Outcome as Came
from assent.gate.approvals.tickets import OptionKind, Outcome, Settlement
from assent.gate.call.calls import Call, CallId, Effect
from assent.gate.values import define, evolve, field

__all__ = ["ServerRequest", "nothing_runs", "reply_to"]

_ACTIONS: Final[dict[OptionKind | None, Literal["accept", "decline"]]] = {
    OptionKind.ANSWER_FORM: "accept",
    OptionKind.OPEN_PAGE: "accept",
    OptionKind.DECLINE: "decline",
}
_ASKED: Final = ("message", "url", "fields")


class _Passage(Protocol):
    @property
    def settlement(self) -> Settlement: ...


@define(eq=False)
class ServerRequest:
    """What is asked for one call."""

    _admit: Callable[..., Awaitable[_Passage]]
    """The gate's."""
    _call: Call
    _unasked: list[str] = field(factory=list)
    """Why nobody was asked, a sentence each."""
    _is_left: bool = False
    """Whether the person wants to hear no more of it."""

    async def ask(self, form: dict[str, Any]) -> Reply:
        """What a person says; where they say nothing, or may not be asked, it is no yes."""
        if self._is_left:
            return Reply()
        passage = await self._admit(self._about(form), nothing_runs)
        settlement = passage.settlement
        if settlement.outcome is not Outcome.ANSWERED:
            self._unasked.append(settlement.because)
        self._is_left = _kind_of(settlement) is OptionKind.CANCEL
        return reply_to(settlement)

    async def finish(self, coming: Awaitable[Came]) -> Came:
        """What comes of the call, with what its model should know of what was not answered."""
        try:
            came = await coming
        except NodeFailed as error:
            raise NodeFailed(self._with_unasked(str(error))) from error
        return evolve(came, text=self._with_unasked(came.text))

    def _with_unasked(self, text: str) -> str:
        return "\n\n".join([text, *dict.fromkeys(self._unasked)])

    def _about(self, form: dict[str, Any]) -> Call:
        # Which of several calls an older server asks for, nobody knows.
        who = ("server",) if form.get("unsure") else ("server", "tool")
        # What read hostile words may have been taken over by them: it does not say who asks.
        asked = {name: form[name] for name in _ASKED if name in form}
        whole = {name: self._call.input[name] for name in who} | asked
        return Call(
            id=CallId(str(uuid4())),
            chat=self._call.chat,
            agent=self._call.agent,
            tool="form",
            effect=Effect.CHAT,
            input=whole,
            cwd=self._call.cwd,
            folder=self._call.folder,
            part=self._call.part,
        )


def reply_to(settlement: Settlement) -> Reply:
    """What the asker hears; where a person said nothing, or may not be asked, it is no yes."""
    kind = _kind_of(settlement)
    return Reply(action=_ACTIONS.get(kind, "cancel"), content=dict(settlement.values))


def _kind_of(settlement: Settlement) -> OptionKind | None:
    return settlement.option.kind if settlement.option is not None else None


async def nothing_runs(_: Call, __: Settlement) -> Never:
    """What is run for a question that was asked: nothing."""
    raise NodeFailed("Nothing runs for a question.")
