"""Keeps the indexes of one window, in a process of its own that answers frame by frame.

Reading and cutting thousands of files would hold up the loop that rules on calls, from a thread as
well. What is asked of it is small: a portion of files, a question, so nobody waits for long.
"""

import contextlib
import os
import sqlite3
import sys
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Final

import orjson

from assent.catalogue.documents.index import Index
from assent.catalogue.documents.index_file import is_broken, opened
from assent.catalogue.documents.port import Store
from assent.catalogue.documents.stored_indexes import throw_away
from assent.catalogue.mcp.frames import frame
from assent.gate.call.errors import AssentError
from assent.gate.values import define, field

__all__ = ["Worker", "main"]

_MAX_MEMORY_BYTES: Final = 2 * 1024**3
"""In bytes of address space."""
_NICENESS: Final = 10
"""How much it lets others go first, as `nice` counts."""


@define
class Worker:
    """The indexes that were asked for."""

    _open: dict[str, tuple[Store, int]] = field(factory=dict)
    """Each with the number of its file, since another one may take its place."""

    def answer(self, message: dict[str, Any]) -> dict[str, Any]:
        """What comes of one question; an index that is broken is made anew, and says so."""
        try:
            if message["do"] in _ABOUT_ALL:
                _ABOUT_ALL[message["do"]](self, message)
                return {"id": message["id"], "is": {}}
            is_made_anew = self._see_open(message["file"], message.get("team"))
            reply = _DOES[message["do"]](self._open[message["file"]][0], message)
        except sqlite3.Error as error:
            return {"id": message["id"], **self._without(message["file"], error)}
        except AssentError as error:
            # A team's database is spoken to anew when it is asked next.
            self.let_go(message["file"])
            return {"id": message["id"], "failed": str(error)}
        except Exception as error:  # noqa: BLE001 -- one document must not end the process of all
            return {"id": message["id"], "failed": f"{type(error).__name__}: {error}"}
        return {"id": message["id"], "is": {**reply, "broken": is_made_anew}}

    def _without(self, file: str, error: sqlite3.Error) -> dict[str, Any]:
        """What is said where SQLite failed: only what is broken is thrown away."""
        if "locked" in str(error):
            return {"failed": "Another window writes the index just now."}
        # It is opened anew, and its shape looked at, before it is asked again.
        self.let_go(file)
        if not is_broken(error):
            return {"failed": f"Its index could not be used: {error}."}
        throw_away(Path(file))
        return {"is": {"broken": True}}

    def _see_open(self, file: str, team: dict[str, Any] | None) -> bool:
        """Open an index; whether it was broken."""
        for gone in [path for path, (_, number) in self._open.items() if _number(path) != number]:
            self.let_go(gone)
        if file in self._open:
            return False
        if team is not None:
            from assent.catalogue.documents.team_server import team_index  # noqa: PLC0415 -- few have one

            self._open[file] = team_index(team), _number(file)
            return False
        database, is_made_anew = opened(Path(file))
        self._open[file] = Index(database), _number(file)
        return is_made_anew

    def let_go(self, file: str) -> None:
        """Have an index open no longer."""
        if file in self._open:
            with contextlib.suppress(sqlite3.Error):
                self._open.pop(file)[0].close()


def _number(file: str) -> int:
    try:
        return os.lstat(file).st_ino
    except OSError:
        return 0


def _compare(index: Store, asked: dict[str, Any]) -> dict[str, Any]:
    return {"changed": index.compare(asked["stamps"])}


def _take(index: Store, asked: dict[str, Any]) -> dict[str, Any]:
    index.take(asked["paths"])
    return {}


def _drop(index: Store, asked: dict[str, Any]) -> dict[str, Any]:
    index.drop(asked["paths"])
    return {}


def _find(index: Store, asked: dict[str, Any]) -> dict[str, Any]:
    passages, changed = index.find(asked["question"], b64decode(asked["vector"]), asked["limit"])
    members = ("path", "first", "last", "heading", "text")
    members_of_each = [{name: getattr(passage, name) for name in members} for passage in passages]
    return {"found": members_of_each, "changed": changed}


def _lacking(index: Store, asked: dict[str, Any]) -> dict[str, Any]:
    return {"passages": index.lacking(asked["model"], asked["after"], asked["limit"])}


def _learn(index: Store, asked: dict[str, Any]) -> dict[str, Any]:
    index.learn((passage, b64decode(vector)) for passage, vector in asked["vectors"])
    return {}


def _counts(index: Store, _: dict[str, Any]) -> dict[str, Any]:
    files, passages, vectors = index.counts()
    return {"files": files, "passages": passages, "vectors": vectors}


_DOES: Final[dict[str, Callable[[Store, dict[str, Any]], dict[str, Any]]]] = {
    "compare": _compare,
    "take": _take,
    "drop": _drop,
    "find": _find,
    "lacking": _lacking,
    "learn": _learn,
    "counts": _counts,
}


def _close(worker: Worker, asked: dict[str, Any]) -> None:
    worker.let_go(asked["file"])


def _forget(_: Worker, asked: dict[str, Any]) -> None:
    from assent.catalogue.documents.team_server import forget  # noqa: PLC0415 -- few have one

    forget(asked["team"], asked["keep"])


_ABOUT_ALL: Final[dict[str, Callable[[Worker, dict[str, Any]], None]]] = {
    "close": _close,
    "forget": _forget,
}


def main() -> None:
    """Answer until the standard input ends."""
    with contextlib.suppress(OSError, ValueError, ImportError, AttributeError):
        os.nice(_NICENESS)
        import resource  # noqa: PLC0415 -- there is none on other systems

        resource.setrlimit(
            resource.RLIMIT_AS, (_MAX_MEMORY_BYTES, resource.getrlimit(resource.RLIMIT_AS)[1])
        )
    worker = Worker()
    while (message := _next(sys.stdin.buffer)) is not None:
        if message.get("do") in _DOES.keys() | _ABOUT_ALL.keys():
            sys.stdout.buffer.write(frame(worker.answer(message)))
            sys.stdout.buffer.flush()


def _next(stream: BinaryIO) -> dict[str, Any] | None:
    head = stream.read(4)
    body = stream.read(int.from_bytes(head, "big"))
    message: dict[str, Any] | None = orjson.loads(body) if body else None
    return message
