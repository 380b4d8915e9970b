"""A workspace's answers on the disk: canonical JSON under one seal.

The seal covers the workspace, every record and how often the file was written, so that no record
can be added, taken out, changed or carried elsewhere without the key.
"""

import hashlib
import hmac
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from assent.gate.call.calls import canonical
from assent.gate.settings.private_files import MAX_FILE_BYTES, UnfitFile
from assent.gate.settings.wishes import Wish

__all__ = ["Contents", "Record", "opened", "sealed", "unchecked"]


class _FromDisk(BaseModel):
    """What comes from the disk may be anything."""

    model_config = ConfigDict(defer_build=True, extra="forbid", frozen=True, strict=True)


class Record(_FromDisk):
    """One answer."""

    key: str
    name: str
    value: Any
    fingerprint: str
    verdict: Literal["granted", "declined"]
    time: int
    """In Unix milliseconds, for people to read."""

    @property
    def wish(self) -> Wish:
        """What was answered; its effect was for the card alone."""
        return Wish(
            key=self.key,
            name=self.name,
            value=self.value,
            effect="",
            fingerprint=self.fingerprint,
        )


class Contents(_FromDisk):
    """A workspace's answers."""

    format: Literal[1] = 1
    workspace: str
    generation: int
    """Grows with every writing, so that an older state can be told."""
    records: list[Record]


class _Store(_FromDisk):
    """The file."""

    contents: Contents
    seal: str
    """The HMAC-SHA256 of the canonical contents."""


def sealed(contents: Contents, key: bytes) -> bytes:
    """The file's bytes."""
    store = _Store(contents=contents, seal=_seal(contents, key))
    data = canonical(store.model_dump()).encode()
    if len(data) > MAX_FILE_BYTES:
        raise UnfitFile("there is too much of it")
    return data


def opened(data: bytes, key: bytes) -> Contents:
    """What was sealed with this key."""
    store = _parse(data)
    if not hmac.compare_digest(store.seal.encode(), _seal(store.contents, key).encode()):
        raise UnfitFile("its file was not written here")
    return store.contents


def unchecked(data: bytes) -> Contents:
    """What a file says that another key sealed: anybody may have written it."""
    return _parse(data).contents


def _parse(data: bytes) -> _Store:
    try:
        return _Store.model_validate_json(data)
    except ValidationError as error:
        raise UnfitFile("its file is damaged") from error


def _seal(contents: Contents, key: bytes) -> str:
    text = canonical(contents.model_dump()).encode()
    return hmac.new(key, text, hashlib.sha256).hexdigest()
