"""The file of an index: private to this user, and checked for writes by others."""

import contextlib
import os
from pathlib import Path
from typing import Final

from assent.gate.journal.quarantine import LOGS, odd_one
from assent.gate.settings.private_files import OPEN_SAFELY, make_private
from assent.gate.values import frozen

__all__ = ["IndexFile"]

_TURN: Final = (4, 24)
"""How long, and where in its file, SQLite counts what was written."""
_MAX_HELD: Final = 8
_HELD: Final[dict[Path, int]] = {}
"""The files that are open to be counted. They stay so: a process that closes a file takes the
locks from it that SQLite holds for other threads."""


@frozen
class IndexFile:
    """The file by its path."""

    _path: Path

    @property
    def uri(self) -> str:
        """By what SQLite opens it."""
        return self._path.resolve().as_uri()

    def hold(self) -> None:
        """Have it there and open, and its folder for nobody else; raise `OSError` if not."""
        if self._path.parent.is_symlink():
            raise NotADirectoryError(0, "It is a link")
        make_private(self._path.parent)
        self.refuse_odd()
        held = _HELD.get(self._path)
        if held is not None and not _is_at(held, self._path):
            self._let_go()
        if self._path not in _HELD:
            flags = os.O_RDWR | os.O_CREAT | OPEN_SAFELY
            _HELD[self._path] = os.open(self._path, flags, 0o600)
        if len(_HELD) > _MAX_HELD:
            IndexFile(next(iter(_HELD)))._let_go()  # noqa: SLF001 -- another of its kind

    def refuse_odd(self) -> None:
        """Raise `OSError` where SQLite would wait for what is no file."""
        odd = odd_one(self._path)
        if odd is not None:
            raise OSError(0, f"{odd} is no ordinary file")

    def turn(self) -> int:
        """How often it was written; each transaction counts once."""
        try:
            return int.from_bytes(os.pread(_HELD[self._path], *_TURN), "big")
        except (KeyError, OSError):
            # Thrown away meanwhile.
            return -1

    def throw_away(self) -> None:
        """Have it made anew."""
        self._let_go()
        for end in (*LOGS, ""):
            Path(f"{self._path}{end}").unlink(missing_ok=True)

    def _let_go(self) -> None:
        with contextlib.suppress(KeyError, OSError):
            os.close(_HELD.pop(self._path))


def _is_at(held: int, path: Path) -> bool:
    with contextlib.suppress(OSError):
        return os.path.samestat(os.fstat(held), path.lstat())
    return False
