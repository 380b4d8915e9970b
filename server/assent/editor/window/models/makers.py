"""The models that make pictures and speech for our own agent, named in the settings."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from assent.agent.models.host_connection import HostConnection
from assent.agent.models.media_requests import painted, spoken
from assent.agent.models.provider import ModelFailed
from assent.editor.window.models.models import Models
from assent.gate.settings.models.hosts import Host, host_of
from assent.gate.settings.models.model import Model
from assent.gate.values import frozen

__all__ = ["MakingModels", "whom"]


@frozen(kw_only=True)
class MakingModels:
    """Of each kind the first; see `tools.tool.Maker`."""

    models: Models

    def whom(self, kind: str) -> tuple[str, str] | None:
        """See `Maker`."""
        return whom(kind, self.models.set_up)

    async def paint(
        self, judged: tuple[str, str], prompt: str, size: str | None, form: str
    ) -> bytes:
        """See `Maker`."""
        async with self._line("image", judged) as line:
            return await painted(line, prompt, size, form)

    async def speak(
        self, judged: tuple[str, str], text: str, voice: str | None, form: str
    ) -> bytes:
        """See `Maker`."""
        async with self._line("speech", judged) as line:
            return await spoken(line, text, voice, form)

    @asynccontextmanager
    async def _line(self, kind: str, judged: tuple[str, str]) -> AsyncIterator[HostConnection]:
        """A line to the host that was judged, and to no other."""
        model = _first(kind, self.models.set_up)
        host = None if model is None else await self.models.host(model)
        if host is None or _named(host) != judged:
            raise ModelFailed("The settings name another model since this was judged.")
        line = HostConnection(host=host)
        try:
            yield line
        finally:
            await line.close()


def whom(kind: str, models: Iterable[Model]) -> tuple[str, str] | None:
    """The model of these that makes this, and the address of its host; None where none does."""
    model = _first(kind, models)
    return None if model is None else _named(host_of(model, None))


def _first(kind: str, models: Iterable[Model]) -> Model | None:
    return next((model for model in models if kind in model.kinds), None)


def _named(host: Host) -> tuple[str, str]:
    """What is judged, shown, and held against what is asked in the end."""
    return host.asked_for, host.place
