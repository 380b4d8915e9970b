"""The server's requests to the editor, and their answers.

Our keys live apart from the editor's: an answer is looked up here and nowhere else. An entry is
gone as soon as its question is settled, given up or cancelled; an answer nobody waits for is a
line in the log.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, Final

from assent.editor.lsp.refusals import UNKNOWN
from assent.gate.call.errors import EditorRefused
from assent.gate.values import frozen

__all__ = ["Asks", "EditorSilent", "NotOffered", "in_time"]

_ANSWER_TIMEOUT_S: Final = 15.0
"""Seconds in which an editor answers what it answers without a person."""
_GONE: Final = "The editor is gone."
_log = logging.getLogger(__name__)

Waiting = asyncio.Future[Any]
Read = Callable[[Any], Any]


class NotOffered(EditorRefused):
    """The editor does not know this question at all."""


class EditorSilent(EditorRefused):
    """The editor has not answered in time; it may yet."""


@asynccontextmanager
async def in_time(method: str) -> AsyncIterator[None]:
    """Wait so long for what takes no person: whoever waited for ever would say nothing."""
    try:
        async with asyncio.timeout(_ANSWER_TIMEOUT_S):
            yield
    except TimeoutError:
        silent = f"The editor has not answered {method} for {_ANSWER_TIMEOUT_S:g} seconds."
        raise EditorSilent(silent) from None


@frozen(kw_only=True)
class _Ask:
    method: str
    read: Read
    """Makes a value of what came, or raises `EditorRefused`."""
    waiting: Waiting


class Asks:
    """The open questions to the editor."""

    def __init__(self) -> None:
        self._keys = count(1)
        self._open: dict[int, _Ask] = {}
        self._gone = False

    def __len__(self) -> int:
        return len(self._open)

    def open(self, method: str, waiting: Waiting, read: Read) -> int:
        """Enter a question; the key is what its answer will carry."""
        if self._gone:
            raise EditorRefused(_GONE)
        key = next(self._keys)
        self._open[key] = _Ask(method=method, read=read, waiting=waiting)
        return key

    def give_up(self, key: int) -> bool:
        """Nobody waits for it any more; whether it was still open."""
        return self._open.pop(key, None) is not None

    def settle(self, message: dict[str, Any]) -> None:
        """Hand an answer to whoever waits for it."""
        key = message.get("id")
        ask = self._open.pop(key, None) if type(key) is int else None
        if ask is None:
            _log.warning("An answer came that nobody waits for.")
            return
        try:
            value = _read(ask, message)
        except EditorRefused as error:
            _fail(ask.waiting, error)
            return
        if not ask.waiting.done():
            ask.waiting.set_result(value)

    def abandon(self) -> None:
        """The editor is gone: nothing that was asked will be answered."""
        self._gone = True
        asks, self._open = self._open, {}
        for ask in asks.values():
            _fail(ask.waiting, EditorRefused(_GONE))


def _fail(waiting: Waiting, error: EditorRefused) -> None:
    if not waiting.done():
        waiting.set_exception(error)


def _read(ask: _Ask, message: dict[str, Any]) -> Any:
    if "error" in message:
        raise _refused(ask.method, message["error"])
    if "result" not in message:
        raise EditorRefused(f"The editor's answer to {ask.method} carries no result.")
    return ask.read(message["result"])


def _refused(method: str, error: object) -> EditorRefused:
    details = error if isinstance(error, dict) else {}
    if details.get("code") == UNKNOWN:
        return NotOffered(f"The editor does not know {method}.")
    return EditorRefused(f"The editor did not do {method}: {details.get('message', 'no reason')}")
