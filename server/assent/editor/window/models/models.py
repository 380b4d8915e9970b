"""The models for our own agent: from the settings, a local Ollama, and the editor.

Nobody is asked before somebody could want one of them, and a model's key is fetched only when the
model is spoken to.
"""

import asyncio
import os
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from assent.agent.models.discovery import Near, ollama_models
from assent.agent.models.provider import ModelFailed, Provider
from assent.agent.models.providers import provider_of
from assent.editor.lsp.wire import Wire
from assent.editor.protocol import chats, editor, editor_models
from assent.editor.window.agents.agent_secrets import variable_of
from assent.editor.window.models.editor_models import EditorModels
from assent.editor.window.spawn import Spawn
from assent.gate.call.errors import EditorRefused
from assent.gate.settings.models.hosts import OLLAMA_URL, Host, host_of
from assent.gate.settings.models.model import Dialect, Model
from assent.gate.settings.reading import Reading
from assent.gate.values import define, field

__all__ = ["NO_MODEL", "Models"]

NO_MODEL: Final = (
    "No model is set up. Add one by its host’s key or address, or start Ollama on this machine."
)


_PORTS: Final = {"http": 80, "https": 443}

_Which = tuple[Model, str | None, tuple[tuple[str, str], ...]]
"""A model, its key, and the keys that its headers name."""


@define
class Models:
    """One for the whole server."""

    _wire: Wire
    _reading: Callable[[], Reading]
    _changed: Callable[[], None]
    """Called when other models were found than before."""
    _spawn: Spawn
    _editors: EditorModels = field(init=False)
    _discovered: tuple[Model, ...] = ()
    near: Near = field(factory=Near, init=False)
    """What an Ollama on this machine has, as it was seen last."""
    _open: dict[_Which, Provider] = field(factory=dict, init=False)
    _looking: asyncio.Lock = field(factory=asyncio.Lock, init=False)

    def __attrs_post_init__(self) -> None:
        self._editors = EditorModels(self._wire, self._spawn)

    def hear(self, said: editor_models.ModelSaid) -> chats.Nothing:
        """`model/said`: more of what a model of the editor's replies."""
        self._editors.hear(said)
        return chats.Nothing()

    async def look_again(self, _: chats.Nothing) -> chats.Nothing:
        """`model/changed`: the editor has other models than before."""
        async with self._looking:
            # Whoever looks just now may have been told of those before.
            pass
        await self.look()
        return chats.Nothing()

    @property
    def set_up(self) -> tuple[Model, ...]:
        """Those of the settings, whatever they are for."""
        return self._reading().own.models

    @property
    def all(self) -> tuple[Model, ...]:
        """Those that one can chat with; those of the settings first."""
        chatting = (model for model in self.set_up if "chat" in model.kinds)
        models = {model.id: model for model in (*chatting, *self._discovered)}
        return tuple(models.values())

    @property
    def shown(self) -> list[chats.ModelInfo]:
        """As replicas are told."""
        return [chats.ModelInfo(id=model.id, name=model.name) for model in self.all]

    def model(self, model_id: str | None) -> Model:
        """The model of that id, or the first."""
        models = self.all
        if not models:
            raise ModelFailed(NO_MODEL)
        chosen = next((model for model in models if model.id == model_id), None)
        if model_id is not None and chosen is None:
            raise ModelFailed(f"There is no model called {model_id} here any more.")
        return chosen or models[0]

    async def look(self) -> None:
        """See which models an Ollama on this machine has, and which the editor has itself."""
        if self._looking.locked():
            # What somebody looks for already is waited for, and not looked for twice.
            async with self._looking:
                return
        async with self._looking, asyncio.TaskGroup() as group:
            near = group.create_task(ollama_models(_address()))
            editors = group.create_task(self._editors.look())
        self.near = near.result()
        models = (*self.near.models, *editors.result())
        if models != self._discovered:
            self._discovered = models
            self._changed()

    async def provider(self, model_id: str) -> Provider:
        """The model, ready to be spoken to."""
        model = self.model(model_id)
        key = await self._key(model)
        named = {name: await self._secret(name) or "" for name in model.named_keys}
        # One for each, since a scripted one knows how far it has been played.
        which = (model, key, tuple(named.items()))
        provider = self._open.get(which)
        if provider is None:
            provider = self._open[which] = self._made(model, key, named)
        return provider

    def take_settings(self) -> None:
        """Forget every key: the person may just have removed one. A running turn keeps its own."""
        for which in [which for which in self._open if which[1] or which[2]]:
            del self._open[which]

    async def fresh(self, model: Model) -> Provider:
        """A model that stands in no setting yet; whoever wanted it closes it."""
        return provider_of(model, await self._key(model))

    @property
    def discovered_models(self) -> tuple[Model, ...]:
        """Those that nobody had to set up."""
        return self._discovered

    async def has_key(self, name: str) -> bool:
        """Whether there is a key of that name."""
        return bool(await self._secret(name))

    async def host(self, model: Model) -> Host:
        """Where a model is asked, with its key."""
        named = {name: await self._secret(name) or "" for name in model.named_keys}
        return host_of(model, await self._key(model), named)

    def _made(self, model: Model, key: str | None, named: dict[str, str]) -> Provider:
        if model.dialect is Dialect.EDITOR:
            return self._editors.provider(model)
        return provider_of(model, key, named)

    async def aclose(self) -> None:
        """No model is spoken to any more."""
        for provider in self._open.values():
            await provider.close()

    async def _key(self, model: Model) -> str | None:
        """The model's own key, if it has one."""
        key = host_of(model, None).key_name if model.dialect.has_host else ""
        return await self._secret(key) if key else None

    async def _secret(self, key: str) -> str | None:
        """What the editor keeps under the key's name, else what the environment has."""
        name = editor.SecretName(name=f"modelKey.{key}")
        try:
            kept = (await self._wire.request("secret/get", name, editor.SecretValue)).value
        except EditorRefused:
            kept = None
        return kept or await variable_of(self._wire, key)


def _address() -> str:
    """Where Ollama is reached, as its own tools understand the variable."""
    setting = os.environ.get("OLLAMA_HOST", "").strip()
    if not setting:
        return OLLAMA_URL
    address = urlsplit(setting if "://" in setting else f"http://{setting}")
    host = (address.hostname or "127.0.0.1").replace("0.0.0.0", "127.0.0.1")  # noqa: S104 -- where it listens
    usual = _PORTS.get(address.scheme, 11_434) if "://" in setting else 11_434
    try:
        port = address.port or usual
    except ValueError:
        return OLLAMA_URL
    return f"{address.scheme}://{f'[{host}]' if ':' in host else host}:{port}"
