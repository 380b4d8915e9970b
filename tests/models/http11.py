"""As much of HTTP as a fake host needs: one request for each connection, an answer in chunks."""

import asyncio
import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from attrs import frozen

__all__ = ["LAST_CHUNK", "Heard", "chunk", "head", "read_request", "whole_answer"]

LAST_CHUNK = b"0\r\n\r\n"


@frozen(kw_only=True)
class Heard:
    """A request."""

    method: str
    path: str
    headers: dict[str, str]
    """By their names in small letters."""
    body: Any
    """As JSON; None where there is none."""


async def read_request(reader: asyncio.StreamReader) -> Heard:
    """Read one request to its end."""
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, path, _ = lines[0].split(" ", 2)
    pairs = (line.split(":", 1) for line in lines[1:] if line)
    headers = {name.strip().lower(): value.strip() for name, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Heard(method=method, path=path, headers=headers, body=json.loads(body) if body else None)


def head(code: int, headers: Mapping[str, str]) -> bytes:
    """The head of an answer in chunks."""
    told = {**headers, "transfer-encoding": "chunked", "connection": "close"}
    lines = [f"HTTP/1.1 {code} {_phrase(code)}", *(f"{name}: {told[name]}" for name in told)]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def chunk(sent: bytes) -> bytes:
    """One chunk; of nothing, nothing."""
    return b"%x\r\n%b\r\n" % (len(sent), sent) if sent else b""


def whole_answer(code: int, body: bytes, headers: Mapping[str, str]) -> bytes:
    """An answer that is all there at once."""
    return head(code, headers) + chunk(body) + LAST_CHUNK


def _phrase(code: int) -> str:
    return HTTPStatus(code).phrase if code in set(HTTPStatus) else "Unknown"
