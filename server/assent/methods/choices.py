"""Serves what a person chooses for a chat: our own agent's model and effort, another's settings."""

from assent.acp.fleet import Fleet
from assent.agent.assistants import Assistants
from assent.calls import ChatId
from assent.errors import AssentError
from assent.history import events
from assent.methods.board import Board
from assent.methods.models import Models
from assent.methods.widening import Widening
from assent.methods.workspace import Workspace
from assent.protocol import agents, chats
from assent.providers.known import efforts_of
from assent.providers.models import Model
from assent.settings.agents import ASSENT
from assent.values import define, evolve

__all__ = ["Choices"]


@define(kw_only=True)
class Choices:
    """One for the whole server."""

    board: Board
    fleet: Fleet
    assistants: Assistants
    models: Models
    workspace: Workspace
    widening: Widening

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
            refusal = await self.widening.agent_option(f"{name} will be {wanted.words}.")
            if refusal is not None:
                raise AssentError(refusal)
        await self.fleet.set_option(chat, option, params.value)
        return chats.Nothing()

    def _tell_model(self, chat: ChatId, model: Model, effort: str) -> chats.Nothing:
        efforts = efforts_of(model)
        told = events.ModelSet(chat=chat, model=model.name, effort=effort, efforts=efforts)
        self.board.tell(told)
        return chats.Nothing()
