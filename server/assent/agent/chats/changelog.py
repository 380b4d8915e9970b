"""Writes down what each chat changed: one append-only file of lines per chat.

A line is in the file before what it tells of is done, so a server that is killed loses none. Each
is sealed with the one before it: what was written by somebody else, and all behind it, counts as
not there. An older copy that is put back is whole; nothing is done by these lines alone, since
whoever goes by them compares the file that they are about.
"""

import hashlib
import hmac
import os
import pathlib
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

from assent.gate.settings.private_files import OPEN_SAFELY, make_private
from assent.gate.values import define, field

__all__ = ["Changelog"]

_RECENT_S: Final = 60 * 60
"""Seconds."""
_MAX_FILE_BYTES: Final = 256 * 1024 * 1024
"""In bytes: far more than is ever written for one chat."""


@define(eq=False)
class Changelog:
    """One for each window; each chat is written by the window that has it."""

    folder: pathlib.Path
    _key: Callable[[], bytes | None]
    """Without one nothing is written: nobody could vouch for it afterwards."""
    _ends: dict[str, tuple[str, int]] = field(factory=dict)
    """The last seal of each file, and where it ends."""
    _waiting: dict[str, list[bytes]] = field(factory=dict)
    """What could not be written yet."""

    def read(self, chat: str) -> list[bytes]:
        """The lines of a chat, as far as they are whole."""
        lines, seal, end = list[bytes](), "", 0
        for line in self._bytes(chat).splitlines(keepends=True):
            seal_read, _, body = line[:-1].partition(b" ")
            after = self._sealed(chat, seal, body)
            if not line.endswith(b"\n") or not hmac.compare_digest(seal_read, after.encode()):
                break
            lines.append(body)
            seal, end = after, end + len(line)
        self._ends[chat] = seal, end
        return lines

    def add(self, chat: str, line: bytes) -> None:
        """Put a line behind the others; one that cannot be written now goes with the next."""
        waiting = self._waiting.setdefault(chat, [])
        waiting.append(line)
        if self._key() is None:
            return
        seal, end = self._ends.get(chat, ("", 0))
        written = b""
        for body in waiting:
            seal = self._sealed(chat, seal, body)
            written += b"%b %b\n" % (seal.encode(), body)
        self._write(chat, end, written)
        self._ends[chat] = seal, end + len(written)
        waiting.clear()

    def put(self, chat: str, lines: list[bytes]) -> None:
        """Have these lines and no others."""
        *others, last = lines or [b"{}"]
        self._ends[chat], self._waiting[chat] = ("", 0), others
        self.add(chat, last)

    def leave(self, chat: str) -> None:
        """Nothing more of a chat is written here."""
        self._ends.pop(chat, None)
        self._waiting.pop(chat, None)

    def delete(self, chat: str) -> None:
        """Keep nothing of a chat."""
        self.leave(chat)
        with suppress(FileNotFoundError):
            self._path(chat).unlink()

    def keep_only(self, chats: Iterable[str]) -> None:
        """Keep nothing of any other chat; one that has just begun may not be known yet."""
        known = {self._path(chat).name for chat in chats} | {
            self._path(end).name for end in self._ends
        }
        before = time.time() - _RECENT_S
        with suppress(FileNotFoundError):
            for path in self.folder.iterdir():
                if path.name not in known and path.lstat().st_mtime < before:
                    path.unlink(missing_ok=True)

    def _path(self, chat: str) -> pathlib.Path:
        # An id may be anything; the name of a file may not.
        return self.folder / f"{hashlib.sha256(chat.encode()).hexdigest()[:32]}.log"

    def _sealed(self, chat: str, before: str, line: bytes) -> str:
        sealed_text = f"changes {before} {chat}\n".encode() + line
        return hmac.new(self._key() or b"", sealed_text, hashlib.sha256).hexdigest()

    def _bytes(self, chat: str) -> bytes:
        """All that stands in its file; nothing where there is none, or no key to go by."""
        if self._key() is None:
            return b""
        try:
            file = os.open(self._path(chat), os.O_RDONLY | OPEN_SAFELY)
        except OSError:
            return b""
        with os.fdopen(file, "rb") as opened:
            return opened.read(_MAX_FILE_BYTES)

    def _write(self, chat: str, end: int, data: bytes) -> None:
        make_private(self.folder)
        flags = os.O_WRONLY | os.O_CREAT | OPEN_SAFELY
        file = os.open(self._path(chat), flags, 0o600)
        with os.fdopen(file, "wb") as opened:
            # Behind what is whole may stand what a killed server had begun.
            opened.truncate(end)
            opened.seek(end)
            opened.write(data)
