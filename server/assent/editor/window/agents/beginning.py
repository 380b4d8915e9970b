"""What a newcomer can begin with: models and agents that exist, and some to add."""

from typing import Final

from assent.editor.protocol import beginning as shapes
from assent.editor.protocol import chats
from assent.editor.window.agents.adding import AgentAdding
from assent.editor.window.models.models import Models
from assent.gate.settings.models.model import Dialect, Model
from assent.gate.values import frozen

__all__ = ["Beginning"]

_MAX_AGENTS_OFFERED: Final = 3
"""So many agents of the registry are named at once."""
_ABSENT: Final = "Ollama does not run on this machine."
_EMPTY: Final = "Ollama runs, and has no model yet: `ollama pull qwen3:8b` gets one."


@frozen
class Beginning:
    """One for the whole server."""

    _models: Models
    _adding: AgentAdding

    async def look(self, _: object) -> shapes.Beginnings:
        """`start/look`: seen anew each time, on this machine and in this editor alone."""
        await self._models.look()
        on_path, offered = await self._adding.kept_offers()
        there = [agent_offer for agent_offer in offered if not agent_offer.added]
        return shapes.Beginnings(
            found=self._list_models_nearby(),
            lacking="" if self._models.near.models else self._lacking(),
            on_path=on_path,
            offered=there[:_MAX_AGENTS_OFFERED],
            more=len(there[_MAX_AGENTS_OFFERED:]),
        )

    def _lacking(self) -> str:
        return _EMPTY if self._models.near.listens else _ABSENT

    def _list_models_nearby(self) -> list[shapes.FoundModels]:
        own = [model for model in self._models.discovered_models if model.dialect is Dialect.EDITOR]
        near = list(self._models.near.models)
        groups = (("This editor", "signed in there", own), ("Ollama", "on this machine", near))
        return [_describe_models(name, where, models) for name, where, models in groups if models]


def _describe_models(name: str, where: str, models: list[Model]) -> shapes.FoundModels:
    count = "1 model" if len(models) == 1 else f"{len(models)} models"
    infos = [chats.ModelInfo(id=model.id, name=model.name) for model in models]
    return shapes.FoundModels(name=name, says=f"{where}, {count}", models=infos)
