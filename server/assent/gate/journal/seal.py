"""Seals the journal's head in a file beside it: which row was written last.

The journal may be ahead of its seal, never behind: a row is on the disk before it is sealed, so a
crash in between is no tampering. Without the key nobody can make a seal; an older one that is put
back shows by the mark that is kept elsewhere, with the key.

The file has two places that are written in turns, so that one that is torn leaves the other.
"""

import hashlib
import hmac
import json
import os
import pathlib
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from assent.gate.call.calls import canonical
from assent.gate.settings.ordinary_files import read_ordinary
from assent.gate.settings.private_files import OPEN_SAFELY, lock, make_private
from assent.gate.values import asdict, define, field, frozen

__all__ = ["FOLDER", "Head", "Seal", "Sealed", "covers", "heads_beside", "places_of"]

FOLDER: Final = "seals"
"""Where they lie, beside the journal; one for each key."""
_SECTOR_BYTES: Final = 512
"""In bytes: what a disk writes at once."""


@frozen(kw_only=True)
class Head:
    """How far a journal had come."""

    journal: str = ""
    """The hash of its first row, by which it is known; empty where it is yet to begin."""
    seq: int = 0
    hash: str = ""
    before: str = ""
    """The journal that a person set aside for this one, and the number of its last sealed row."""


@frozen(order=True)
class Sealed:
    """One place of the file."""

    turn: int
    """Grows with every writing."""
    head: Head = field(order=False)
    seal: str = field(order=False)


@define
class Seal:
    """The sealed head of a journal, under one key."""

    _folder: pathlib.Path
    _key: bytes = field(repr=False)
    _known: tuple[bytes, Sealed | None] = (b"", None)
    """What the file held when it was looked at last, and the newest in it."""

    @property
    def path(self) -> pathlib.Path:
        """The file. Another key's has another name."""
        name = hmac.new(self._key, b"the head of the journal", hashlib.sha256).hexdigest()[:32]
        return self._folder / name

    def read(self) -> Head | None:
        """The newest head that was sealed with this key; None where there is none."""
        try:
            file = os.open(self.path, os.O_RDONLY | OPEN_SAFELY)
        except FileNotFoundError:
            return None
        try:
            newest = self._newest(file)
        finally:
            os.close(file)
        return newest.head if newest else None

    def put(self, head: Head) -> None:
        """Seal a head, which never goes back.

        Another journal's takes its place only where a person had that set aside.
        """
        with self._writing() as file:
            newest = self._newest(file)
            if newest is None or _follows(newest.head, head):
                self._write(file, newest, head)

    def retire(self, mark: Head | None) -> Head:
        """Let the next journal begin: a person wants the one that is there set aside."""
        if os.path.lexists(self.path) and not stat.S_ISREG(self.path.lstat().st_mode):
            # What is no file would be in the way for ever.
            self.path.rename(self.path.with_name(f"{self.path.name}-{os.urandom(4).hex()}"))
        with self._writing() as file:
            newest = self._newest(file)
            kept = newest.head if newest else None
            if mark is not None and (kept is None or not covers(kept, mark)):
                kept = mark
            if kept is None or kept.journal:
                kept = Head(before=_name(kept) if kept else "")
                self._write(file, newest, kept)
            return kept

    def _write(self, file: int, newest: Sealed | None, head: Head) -> None:
        turn = newest.turn + 1 if newest else 1
        sealed = Sealed(turn, head, self._sealed(turn, head))
        os.pwrite(file, _spelled(sealed), _SECTOR_BYTES * (turn % 2))
        if newest is None or newest.head.journal != head.journal:
            os.fsync(file)

    @contextmanager
    def _writing(self) -> Iterator[int]:
        flags = os.O_RDWR | OPEN_SAFELY
        try:
            file = os.open(self.path, flags)
        except FileNotFoundError:
            make_private(self._folder)
            file = os.open(self.path, flags | os.O_CREAT, 0o600)
            # Its whole length, so that later writings need no more room and no more metadata.
            os.pwrite(file, b" " * 2 * _SECTOR_BYTES, 0)
            os.fsync(file)
        try:
            # Closing the file gives the lock back.
            lock(file)
            yield file
        finally:
            os.close(file)

    def _newest(self, file: int) -> Sealed | None:
        data = os.pread(file, 2 * _SECTOR_BYTES, 0)
        if data != self._known[0]:
            fit = [place for place in places_of(data) if self._is_ours(place)]
            self._known = data, max(fit, default=None)
        return self._known[1]

    def _is_ours(self, place: Sealed) -> bool:
        return hmac.compare_digest(place.seal.encode(), self._sealed(*_split_place(place)).encode())

    def _sealed(self, turn: int, head: Head) -> str:
        text = canonical({"turn": turn, **asdict(head)}).encode()
        return hmac.new(self._key, text, hashlib.sha256).hexdigest()


def places_of(data: bytes) -> list[Sealed]:
    """What stands in a file of this kind, whoever wrote it; what is torn is left out."""
    places = []
    for start in range(0, 2 * _SECTOR_BYTES, _SECTOR_BYTES):
        with suppress(ValueError, TypeError, KeyError, AttributeError, RecursionError):
            place = json.loads(data[start : start + _SECTOR_BYTES])
            turn, seal = place.pop("turn"), place.pop("seal")
            head = Head(**place)
            texts = (seal, head.journal, head.hash, head.before)
            is_sound = type(turn) is type(head.seq) is int and all(
                type(text) is str for text in texts
            )
            if is_sound and (not head.before or head.before.partition(" ")[2].isdecimal()):
                places.append(Sealed(turn, head, seal))
    return places


def heads_beside(path: pathlib.Path) -> list[Head]:
    """What the seals beside a journal say, each by its newer place; not whether it is so."""
    heads = []
    for file in sorted(path.parent.joinpath(FOLDER).glob("*")):
        with suppress(OSError):
            places = places_of(read_ordinary(file, 4_096))
            if places and (newest := max(places).head).journal:
                heads.append(newest)
    return heads


def _split_place(place: Sealed) -> tuple[int, Head]:
    return place.turn, place.head


def covers(head: Head, mark: Head) -> bool:
    """Whether a journal that had come as far as `head` had come as far as `mark`."""
    if head.journal == mark.journal:
        return head.seq >= mark.seq
    journal, _, seq = head.before.partition(" ")
    return journal == mark.journal and int(seq) >= mark.seq


def _follows(kept: Head, head: Head) -> bool:
    if kept.journal == head.journal:
        return kept.seq < head.seq
    return not kept.journal and kept.before == head.before


def _name(head: Head) -> str:
    return f"{head.journal} {head.seq}"


def _spelled(place: Sealed) -> bytes:
    members = {"turn": place.turn, **asdict(place.head), "seal": place.seal}
    return json.dumps(members, separators=(",", ":")).encode().ljust(_SECTOR_BYTES)
