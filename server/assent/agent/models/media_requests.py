"""Asks a host to make a picture or speech, by OpenAI's API."""

import asyncio
import base64
import binascii
from typing import Any, Final

from assent.agent.models.host_connection import HostConnection
from assent.agent.models.host_errors import Garbled, HostError
from assent.agent.models.http_requests import Question, answer, as_wished, bearing
from assent.agent.models.message_reader import Shape, read
from assent.agent.models.sentences import failure
from assent.gate.settings.models.hosts import Host
from assent.gate.values import evolve

__all__ = ["MAX_MEDIA_BYTES", "painted", "spoken"]

MAX_MEDIA_BYTES: Final = 32 * 1024 * 1024
"""In bytes: what is larger is not taken."""
_MAX_RESPONSE_BYTES: Final = MAX_MEDIA_BYTES * 4 // 3 + 1024 * 1024
"""The same in base64, and what stands around it."""
_REQUEST_TIMEOUT_S: Final = 300.0
"""In seconds: some models take minutes."""
_SAYS_FORM: Final = "gpt-image"
"""Models that begin so take the form of the file, and always answer with the picture itself."""
_USUAL_VOICE: Final = "alloy"
"""A host wants one to be named."""


class _Picture(Shape):
    b64_json: str


class _Pictures(Shape):
    data: list[_Picture]


async def painted(line: HostConnection, prompt: str, size: str | None, form: str) -> bytes:
    """The picture that a model makes of these words; raises `ModelFailed`."""
    host = line.host
    body: dict[str, Any] = {"model": host.model, "prompt": prompt, "n": 1}
    body |= {} if size is None else {"size": size}
    says_form = host.model.startswith(_SAYS_FORM)
    body |= {"output_format": form} if says_form else {"response_format": "b64_json"}
    question = Question(path="/images/generations", headers=bearing(host), body=body)
    try:
        sent = await answer(
            line, _as_shown(host, question, "prompt"), _REQUEST_TIMEOUT_S, _MAX_RESPONSE_BYTES
        )
        return await asyncio.to_thread(_picture, sent)
    except HostError as trouble:
        raise failure(trouble, host) from None


async def spoken(line: HostConnection, text: str, voice: str | None, form: str) -> bytes:
    """A text as a model says it; raises `ModelFailed`."""
    host = line.host
    body = {"model": host.model, "input": text, "voice": voice or _USUAL_VOICE}
    body["response_format"] = form
    question = Question(path="/audio/speech", headers=bearing(host), body=body)
    try:
        # One more than is taken, since what is longer is cut there.
        return await answer(
            line, _as_shown(host, question, "input"), _REQUEST_TIMEOUT_S, MAX_MEDIA_BYTES + 1
        )
    except HostError as trouble:
        raise failure(trouble, host) from None


def _as_shown(host: Host, question: Question, words: str) -> Question:
    """A question as the person wishes it; its words are those that stood on the card."""
    wished = as_wished(host, question)
    return evolve(wished, body={**(wished.body or {}), words: (question.body or {})[words]})


def _picture(sent: bytes) -> bytes:
    pictures = read(_Pictures, sent).data
    if not pictures:
        raise Garbled("there is no picture in it")
    try:
        return base64.b64decode(pictures[0].b64_json, validate=True)
    except (binascii.Error, ValueError):
        raise Garbled("its picture is no base64") from None
