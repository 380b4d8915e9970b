"""Makes the provider of a model. Only the dialect that is spoken is loaded."""

from collections.abc import Callable
from typing import Final

from assent.providers.hosts import host_of
from assent.providers.models import Dialect, Model
from assent.providers.provider import Provider

__all__ = ["provider_of"]


def provider_of(model: Model, key: str | None) -> Provider:
    """The provider of a model. Nobody is asked for anything yet."""
    return _OPENINGS[model.dialect](model, key)


def _openai(model: Model, key: str | None) -> Provider:
    from assent.providers.openai import opened  # noqa: PLC0415 -- only where it is spoken

    return opened(host_of(model, key), model.window)


def _anthropic(model: Model, key: str | None) -> Provider:
    from assent.providers.anthropic import opened  # noqa: PLC0415 -- only where it is spoken

    return opened(host_of(model, key), model.window)


def _ollama(model: Model, key: str | None) -> Provider:
    from assent.providers.ollama import opened  # noqa: PLC0415 -- only where it is spoken

    return opened(host_of(model, key), model.window)


def _replay(model: Model, _: str | None) -> Provider:
    from assent.providers.replay import opened  # noqa: PLC0415 -- only where it is played

    return opened(model)


_OPENINGS: Final[dict[Dialect, Callable[[Model, str | None], Provider]]] = {
    Dialect.OPENAI: _openai,
    Dialect.ANTHROPIC: _anthropic,
    Dialect.OLLAMA: _ollama,
    Dialect.REPLAY: _replay,
}
