"""Makes the provider of a model, and loads only the dialect that it needs."""

from collections.abc import Callable, Mapping
from typing import Final

from assent.agent.models.provider import Provider
from assent.gate.settings.models.hosts import Host, host_of
from assent.gate.settings.models.model import Dialect, Model

__all__ = ["provider_of"]


def provider_of(model: Model, key: str | None, named: Mapping[str, str] | None = None) -> Provider:
    """The provider of a model, with its key and those that its headers name.

    Nobody is asked for anything yet.
    """
    if model.dialect is Dialect.REPLAY:
        return _replay(model)
    return _OPENINGS[model.dialect](host_of(model, key, named), model.window)


def _openai(host: Host, window: int | None) -> Provider:
    from assent.agent.models.openai import opened  # noqa: PLC0415 -- only where it is spoken

    return opened(host, window)


def _anthropic(host: Host, window: int | None) -> Provider:
    from assent.agent.models.anthropic import opened  # noqa: PLC0415 -- only where it is spoken

    return opened(host, window)


def _ollama(host: Host, window: int | None) -> Provider:
    from assent.agent.models.ollama import opened  # noqa: PLC0415 -- only where it is spoken

    return opened(host, window)


def _replay(model: Model) -> Provider:
    from assent.agent.models.replay import opened  # noqa: PLC0415 -- only where it is played

    return opened(model)


_OPENINGS: Final[dict[Dialect, Callable[[Host, int | None], Provider]]] = {
    Dialect.OPENAI: _openai,
    Dialect.ANTHROPIC: _anthropic,
    Dialect.OLLAMA: _ollama,
}
