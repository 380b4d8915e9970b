"""Lists and deletes kept indexes without a database, which the gate itself never loads.

Several windows may have the same folder open and not the same collections: another profile of the
editor has settings of its own. So each writes down which indexes it has set up, and one is taken
away only when no window that is open has it.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from assent.gate.settings.private_files import UnfitFile, make_private, write_private
from assent.gate.values import frozen

__all__ = ["END", "StoredIndexes", "throw_away"]

END: Final = ".db"
_LOGS: Final = ("-wal", "-shm", "-journal", "")
_WINDOW: Final = ".window"


def throw_away(path: Path) -> None:
    """Keep nothing of an index."""
    for end in _LOGS:
        Path(f"{path}{end}").unlink(missing_ok=True)


@frozen
class StoredIndexes:
    """The indexes of one workspace."""

    folder: Path
    _epoch: str
    """This run of the server, which is one window."""
    _lives: Callable[[str], bool]
    """Whether another one has not ended."""

    def keep(self, names: Iterable[str]) -> None:
        """Have indexes of these names, and take away what no window has set up any more.

        What was indexed under another description of the same collection is the beginning of the
        new index: only what differs is read again.
        """
        mine = frozenset(names)
        if not mine and not self.folder.exists():
            return
        make_private(self.folder)
        with suppress(UnfitFile):
            write_private(self._mark(self._epoch), json.dumps(sorted(mine)).encode())
        others = frozenset(wanted for window in self._others() for wanted in window)
        for name in self._there() - mine - others:
            self._hand_on(name, mine)

    def wanted(self) -> frozenset[str]:
        """What all windows have set up that are open."""
        mine = self._mark(self._epoch)
        own = json.loads(mine.read_bytes()) if mine.exists() else ()
        return frozenset(str(name) for window in (own, *self._others()) for name in window)

    def leave(self) -> None:
        """This window has nothing set up any more; what it indexed stays for the next."""
        # What cannot be taken away is passed over by others, since this window has ended.
        with suppress(OSError):
            self._mark(self._epoch).unlink(missing_ok=True)

    def _mark(self, epoch: str) -> Path:
        return self.folder / f"{epoch}{_WINDOW}"

    def _others(self) -> Iterator[list[str]]:
        for path in self.folder.glob(f"*{_WINDOW}"):
            epoch = path.name.removesuffix(_WINDOW)
            if epoch == self._epoch:
                continue
            with suppress(OSError, ValueError):
                if self._lives(epoch):
                    yield [str(load) for load in json.loads(path.read_bytes())]
                else:
                    path.unlink(missing_ok=True)

    def _there(self) -> frozenset[str]:
        """The names of the indexes that have a file, or what was left of one."""
        files = (path.name for end in _LOGS for path in self.folder.glob(f"*{END}{end}"))
        return frozenset(file[: file.rindex(END)] for file in files)

    def _hand_on(self, name: str, mine: frozenset[str]) -> None:
        """Make an index that nobody has the beginning of one of ours, or nothing."""
        path = self.folder / f"{name}{END}"
        heir = next((candidate for candidate in mine if _called(candidate) == _called(name)), None)
        to = self.folder / f"{heir}{END}"
        logs = any(Path(f"{path}{end}").exists() for end in _LOGS if end)
        # With a log beside it somebody has it open, or was killed: such a file is not moved.
        if heir is not None and path.exists() and not to.exists() and not logs:
            path.rename(to)
        throw_away(path)


def _called(name: str) -> str:
    """The collection of an index."""
    return name.rpartition("-")[0]
