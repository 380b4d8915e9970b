"""A text that a person edits before they allow it: a command, or a plan.

What they typed makes the call another, which is aimed and judged anew and stands on the card that
it has, with a new digest. So what is allowed is what the card shows, and hooks hear it before it
runs. What would be refused does not take the place of what was asked.
"""

from typing import Any, Final

from assent.agent.tools.present_plan import MAX_PLAN_LETTERS
from assent.editor.protocol import approvals
from assent.gate.admit import Gate
from assent.gate.approvals.tickets import TicketId
from assent.gate.call.calls import Call
from assent.gate.call.errors import AssentError, CallUnreadable
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.passage import remade
from assent.gate.values import evolve, frozen

__all__ = ["Edits"]

_STILL: Final = "the card still shows the text before."
_GONE: Final = "That text does not wait for you any more."
_TOO_LONG: Final = (
    f"A plan has at most {MAX_PLAN_LETTERS:,} letters, and this one has {{:,}}: {_STILL} Make it"
    " shorter, and approve it then."
)
_WRONG: Final = f"This cannot be asked about: {{}}; {_STILL}"
_REFUSED: Final = f"This would be refused: {{}} So {_STILL}"
_CHANGED: Final = "You have changed this since the agent proposed it."


@frozen
class Edits:
    """Serves the method with which a person edits."""

    _gate: Gate

    def edit(self, params: approvals.EditText) -> approvals.TextEdited:
        """`tool/editText`: what is allowed from now on is this text."""
        ticket = self._gate.room.ticket(TicketId(params.approval_id))
        call = ticket.asks if ticket else None
        if ticket is None or not isinstance(call, Call) or not call.editable:
            raise AssentError(_GONE)
        if call.input[call.editable] != params.text:
            again = self._with(call, params.text)
            # Nobody is refused for having typed too slowly.
            waiting = evolve(ticket, ruling=self._judged(again), patience=None)
            self._gate.amend(waiting, again)
        now = self._gate.room.ticket(ticket.id) or ticket
        return approvals.TextEdited(was=ticket.digest, digest=now.digest, revision=now.revision)

    def _with(self, call: Call, text: str) -> Call:
        given = {**call.input, call.editable: text}
        return _plan(call, given) if call.tool == "plan" else self._aimed(call, given)

    def _aimed(self, call: Call, given: dict[str, Any]) -> Call:
        way = self._gate.ways.get((call.chat, call.id))
        try:
            again = self._gate.with_file_digests(remade(way.remake if way else None, given))
        except CallUnreadable as error:
            raise AssentError(_WRONG.format(str(error).rstrip("."))) from error
        # What the agent had said of its own text is about that. No rule, grant or mode lets what is
        # still being typed run: it waits for an answer, whatever changes meanwhile.
        return evolve(again, says="", caution=_CHANGED)

    def _judged(self, call: Call) -> Ruling:
        ruling = self._gate.judge_afterwards(call)
        if ruling.verdict is Verdict.DENY:
            raise AssentError(_REFUSED.format(ruling.because))
        return ruling


def _plan(call: Call, given: dict[str, Any]) -> Call:
    """A plan runs nothing; while it is typed it may be empty."""
    if len(given["plan"]) > MAX_PLAN_LETTERS:
        raise AssentError(_TOO_LONG.format(len(given["plan"])))
    return evolve(call, input=given)
