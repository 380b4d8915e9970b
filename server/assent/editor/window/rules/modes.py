"""Handles how much an agent may do unasked: the mode of a chat, and a bypass.

Whatever is looser is asked about once more by the editor itself.
"""

from assent.editor.protocol import chats, editor
from assent.editor.window.chats.board import Board
from assent.editor.window.consent.widening_consent import WideningConsent
from assent.editor.window.rules.plans import Plans
from assent.editor.window.settings.workspace import Workspace
from assent.gate.admit import Gate
from assent.gate.call.calls import AgentId, ChatId
from assent.gate.call.errors import AssentError
from assent.gate.call.modes import Mode, held
from assent.gate.journal.events import ModeSet
from assent.gate.values import define

__all__ = ["Modes"]


@define
class Modes:
    """For all chats of this window."""

    _board: Board
    _workspace: Workspace
    _widening_consent: WideningConsent
    _gate: Gate
    _plans: Plans

    async def set(self, params: chats.SetMode) -> chats.Nothing:
        """`agent/setMode`: a looser one is asked about once more; open tickets are judged anew."""
        chat = self._board.known(params.chat_id)
        mode = await self._agreed(chat.mode, Mode(params.mode), chat.agent, chat.chat)
        self._board.tell(ModeSet(chat=chat.chat, mode=mode))
        self._gate.rule_again()
        return chats.Nothing()

    async def bypass(self, params: editor.Bypass) -> chats.Nothing:
        """`agent/bypass`: from a command or a button."""
        agent = AgentId(params.agent_id)
        if not params.on:
            await self._widening_consent.ask_again(agent)
            return chats.Nothing()
        refusal = await self._widening_consent.bypass(agent)
        if refusal is not None:
            raise AssentError(refusal)
        return chats.Nothing()

    def go_in(self, chat: ChatId, mode: Mode) -> None:
        """Let a chat work in the mode that its plan was approved with; raise where it may not."""
        self._plans.go_in(chat, mode)
        self._gate.rule_again()

    async def first(self, wanted: str | None, agent: AgentId, *, unasked: bool) -> Mode:
        """The mode in which a chat begins. Auto is asked about, also where the settings say it."""
        usual = self._workspace.reading.mode
        if wanted is not None:
            return await self._agreed(held(usual), Mode(wanted), agent)
        asks = usual is Mode.AUTO and not unasked
        refused = asks and await self._widening_consent.mode(held(usual), usual, agent)
        return held(usual) if refused else usual

    async def _agreed(
        self, now: Mode, wanted: Mode, agent: AgentId, chat: ChatId | None = None
    ) -> Mode:
        """The wanted mode, unless it is looser and the person draws back."""
        waiting = 0 if chat is None else self._gate.room.count_of(chat)
        refusal = await self._widening_consent.mode(now, wanted, agent, waiting)
        if refusal is not None:
            raise AssentError(refusal)
        return wanted
