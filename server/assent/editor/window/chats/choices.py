"""Handles what a person chooses for a chat: model, effort, and an agent's own settings."""

from assent.agent.loop.assistants import Assistants
from assent.agent.models.known_models import efforts_of
from assent.editor.protocol import agents, chats
from assent.editor.window.chats.board import Board
from assent.editor.window.consent.widening_consent import WideningConsent
from assent.editor.window.models.models import Models
from assent.editor.window.settings.workspace import Workspace
from assent.gate.call.calls import ChatId
from assent.gate.call.errors import AssentError
from assent.gate.journal import events
from assent.gate.settings.agents import ASSENT
from assent.gate.settings.models.model import Model
from assent.gate.values import define, evolve
from assent.hosting.connection.fleet import Fleet

__all__ = ["Choices"]


@define(kw_only=True)
class Choices:
    """One for the whole server."""

    board: Board
    fleet: Fleet
    assistants: Assistants
    models: Models
    workspace: Workspace
    widening_consent: WideningConsent

    def set_model(self, params: chats.SetModel) -> chats.Nothing:
        """`agent/setModel`: from the next request on."""
        chat = self.board.known(params.chat_id)
        if chat.agent != ASSENT.id:
            raise AssentError("The agent of this chat chooses its model itself.")
        model = self.models.model(params.model)
        self.assistants.set_model(chat.chat, model.id)
        return self._tell_model(chat.chat, model, model.effort)

    def set_effort(self, params: chats.SetEffort) -> chats.Nothing:
        """`agent/setEffort`: from the next request on."""
        chat = self.board.known(params.chat_id)
        model = self.models.model(self.assistants.model(chat.chat))
        if params.effort and params.effort not in efforts_of(model):
            raise AssentError(f"{model.name} cannot be told to think so much.")
        self.assistants.set_effort(chat.chat, params.effort or "")
        return self._tell_model(chat.chat, model, params.effort or "")

    async def set_option(self, params: agents.SetOption) -> chats.Nothing:
        """`agent/setOption`: a value with which the agent may ask less is asked about once more."""
        chat = self.board.known(params.chat_id).chat
        option = await self.fleet.option(chat, params.option_id) if self.fleet.has(chat) else None
        if option is None or not option.has(params.value):
            raise AssentError("The agent of this chat has no such setting.")
        wanted = evolve(option, now=params.value)
        if wanted.loosened_by(option):
            name = self.workspace.agent_name(self.board.known(params.chat_id).agent)
            refusal = await self.widening_consent.agent_option(f"{name} will be {wanted.words}.")
            if refusal is not None:
                raise AssentError(refusal)
        await self.fleet.set_option(chat, option, params.value)
        return chats.Nothing()

    def _tell_model(self, chat: ChatId, model: Model, effort: str) -> chats.Nothing:
        efforts = efforts_of(model)
        model_set = events.ModelSet(chat=chat, model=model.name, effort=effort, efforts=efforts)
        self.board.tell(model_set)
        return chats.Nothing()
