"""Asks a host for embeddings of texts, by Ollama's API or OpenAI's."""

from collections.abc import Sequence
from typing import Final

from assent.agent.models.host_connection import HostConnection
from assent.agent.models.host_errors import Garbled, HostError
from assent.agent.models.http_requests import Question, answer, bearing
from assent.agent.models.message_reader import Shape, read
from assent.agent.models.sentences import failure
from assent.gate.settings.models.hosts import Host
from assent.gate.settings.models.model import Dialect

__all__ = ["TEXTS_A_REQUEST", "address", "embedded"]

TEXTS_A_REQUEST: Final = 16
"""So many texts are sent at once: what comes back is a megabyte at most."""
_REQUEST_TIMEOUT_S: Final = 120.0
"""In seconds: a host may have to load the model first."""
_PATHS: Final = {Dialect.OLLAMA: "/api/embed", Dialect.OPENAI: "/embeddings"}
_TASKS: Final = {"nomic-embed": ("search_query: ", "search_document: ")}
"""What some models want before a question, and before a text, by the beginning of their names."""


class _Numbered(Shape):
    index: int
    embedding: list[float]


class _Listed(Shape):
    data: list[_Numbered]


class _Plain(Shape):
    embeddings: list[list[float]]


def address(host: Host) -> str:
    """Where a host makes vectors."""
    return host.url + _PATHS[host.dialect]


async def embedded(
    line: HostConnection, texts: Sequence[str], *, asking: bool
) -> list[list[float]]:
    """A vector for each text, which is a question or is searched; raises `ModelFailed`."""
    host = line.host
    task = next(
        (task_pair for name, task_pair in _TASKS.items() if host.model.startswith(name)), ("", "")
    )
    body = {"model": host.model, "input": [task[0 if asking else 1] + text for text in texts]}
    question = Question(path=_PATHS[host.dialect], headers=bearing(host), body=body)
    try:
        vectors = _vectors(host, await answer(line, question, _REQUEST_TIMEOUT_S))
        if len(vectors) != len(texts):
            raise Garbled("it has another number of vectors than there were texts")
    except HostError as trouble:
        raise failure(trouble, host) from None
    return vectors


def _vectors(host: Host, sent: bytes) -> list[list[float]]:
    if host.dialect is Dialect.OLLAMA:
        return read(_Plain, sent).embeddings
    return [
        vector.embedding
        for vector in sorted(read(_Listed, sent).data, key=lambda vector: vector.index)
    ]
