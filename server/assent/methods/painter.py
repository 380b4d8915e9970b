"""The model that makes pictures for our own agent, as the settings name it."""

from collections.abc import Callable

from attrs import frozen

from assent.methods.models import Models
from assent.providers.hosts import Host, host_of
from assent.providers.line import Line
from assent.providers.models import Model
from assent.providers.painting import painted
from assent.providers.provider import ModelFailed

__all__ = ["PaintingModel"]


@frozen(kw_only=True)
class PaintingModel:
    """The first of them, for one chat; see `tools.tool.Painter`."""

    models: Models
    may_send: Callable[[str], bool]
    """Whether no rule is against a request to an address."""

    def whom(self) -> tuple[str, str] | None:
        """See `Painter`."""
        model = self._model()
        return None if model is None else _named(host_of(model, None))

    async def paint(
        self, judged: tuple[str, str], prompt: str, size: str | None, form: str
    ) -> bytes:
        """See `Painter`."""
        model = self._model()
        host = None if model is None else await self.models.host(model)
        if host is None or _named(host) != judged:
            raise ModelFailed("The settings name another model since this was judged.")
        if not self.may_send(host.url):
            raise ModelFailed("A rule is against requests to its host.")
        line = Line(host=host)
        try:
            return await painted(line, prompt, size, form)
        finally:
            await line.close()

    def _model(self) -> Model | None:
        return next((it for it in self.models.set_up if "image" in it.kinds), None)


def _named(host: Host) -> tuple[str, str]:
    return host.model, host.shown
