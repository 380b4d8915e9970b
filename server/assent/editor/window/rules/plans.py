"""Handles an agent's plan: the modes in which it may be carried out.

An approval loosens nothing beyond the mode that it names; a looser mode than the chat's own was
before is asked about once more, even where new chats begin in it. A mode that was set after the
answer is stronger than the one that the answer named.
"""

from typing import Final

from assent.agent.tools.tool import ToolFailed
from assent.editor.window.chats.board import Board
from assent.editor.window.consent.widening_consent import WideningConsent
from assent.editor.window.settings.workspace import Workspace
from assent.gate.approvals.tickets import Option, Ticket
from assent.gate.call.calls import Call, ChatId
from assent.gate.call.modes import LOOSENESS, Mode
from assent.gate.journal.events import ModeSet
from assent.gate.values import define, field

__all__ = ["Plans"]

_USUAL: Final = (Mode.DEFAULT, Mode.ACCEPT_EDITS)
_UNTRUSTED: Final = LOOSENESS.index(Mode.DEFAULT)
"""The loosest mode in a workspace that nobody trusts, by its place."""

_SET_SINCE: Final = (
    "The mode was set since the plan was approved, so that holds, and nothing of the plan is to be"
    " done. Present it again if it is still wanted."
)
_NOT_ANY_MORE: Final = (
    "The mode that the plan was approved with may not be used here any more, so nothing of the plan"
    " is to be done. Present it again if it is still wanted."
)
_EMPTY: Final = (
    "There is nothing in the plan, so there is nothing to approve. Write into it what is to be"
    " done, or cancel it."
)


@define(kw_only=True)
class Plans:
    """One for the whole server."""

    _board: Board
    _workspace: Workspace
    _widening_consent: WideningConsent
    _agreed: dict[ChatId, int] = field(factory=dict, init=False)
    """How often a chat's mode had been set when a plan was last approved in it."""

    def modes(self, call: Call) -> tuple[Mode, ...]:
        """The modes in which a plan may be carried out: the chat's own before, and the usual."""
        if call.tool != "plan":
            return ()
        return tuple(filter(self._may_be, dict.fromkeys((self._before(call), *_USUAL))))

    async def agree(self, ticket: Ticket, option: Option) -> str | None:
        """Why a plan is not approved with this mode after all, or None."""
        if not isinstance(ticket.asks, Call) or option.mode is None:
            return "There is no mode to carry it out in."
        if not ticket.asks.input["plan"].strip():
            return _EMPTY
        # Before anything is waited for: whatever is set from now on is stronger.
        self._agreed[ticket.asks.chat] = self._board.known(ticket.asks.chat).modes_set
        before = self._before(ticket.asks)
        # Auto is asked about once more each time.
        held = self._board.known(ticket.asks.chat).mode if before is Mode.AUTO else before
        return await self._widening_consent.looser_mode(held, option.mode, ticket.asks.agent)

    def go_in(self, chat: ChatId, mode: Mode) -> None:
        """Let a chat work in the mode that its plan was approved with; raise where it may not."""
        if self._board.known(chat).modes_set != self._agreed.pop(chat, None):
            raise ToolFailed(_SET_SINCE)
        if not self._may_be(mode):
            raise ToolFailed(_NOT_ANY_MORE)
        self._board.tell(ModeSet(chat=chat, mode=mode))

    def _may_be(self, mode: Mode) -> bool:
        """Whether a plan may be carried out in a mode, as things stand now."""
        reading = self._workspace.reading
        trusted = reading.trusted or LOOSENESS.index(mode) <= _UNTRUSTED
        return trusted and mode not in reading.forbidden

    def _before(self, call: Call) -> Mode:
        """The mode to go back to: never Plan, and Auto only where the person had chosen it."""
        chat = self._board.known(call.chat)
        if chat.mode is not Mode.PLAN:
            return chat.mode
        usual = self._workspace.reading.mode
        return chat.before_plan or (Mode.DEFAULT if usual in {Mode.PLAN, Mode.AUTO} else usual)
