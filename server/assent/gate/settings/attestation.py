"""A person's answers to a workspace's wishes, sealed and kept outside the workspace.

Only a person's gesture is recorded here, for one workspace and one exact wish. A record counts
while the seal fits this workspace and this machine's key, and its wish is in the settings.
Everything that is doubtful is no record. Each writing has a higher generation than the one before;
the highest is kept where the key is, so that a store that was put back to an older state shows.
"""

import contextlib
import hashlib
import hmac
import itertools
import pathlib
import threading
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from typing import Final

from assent.gate.call.errors import AssentError
from assent.gate.settings.private_files import UnfitFile, alone_in, read_private, write_private
from assent.gate.settings.sealed_answers import Contents, Record, opened, sealed, unchecked
from assent.gate.settings.wishes import Standing, Wish
from assent.gate.values import define, field

__all__ = ["AttestationUnwritable", "Attestations"]


class AttestationUnwritable(AssentError):
    """An answer to a wish could not be kept, so it does not hold."""


_NO_WORKSPACE: Final = "There is no folder to grant anything in."
_MAX_FILES_READ: Final = 1000


def _milliseconds() -> int:
    return time.time_ns() // 1_000_000


async def _nobody_to_tell(_: int) -> None:
    """There is no other place."""


@define
class Attestations:
    """The answers for one workspace, in a file of its own below `folder`.

    The file is read anew for every question, since another window may have written it.
    """

    _folder: pathlib.Path
    _workspace: str
    """From `identity_of`; nothing can be granted where it is empty."""
    _key: bytes = field(repr=False)
    _now: Callable[[], int] = _milliseconds
    _problem: str | None = None
    _newest: int = 0
    """The highest generation seen."""
    raised: Callable[[int], None] = field(default=lambda _: None, eq=False)
    """Told of each higher one, in whichever thread: it is to be kept where the key is."""
    foretell: Callable[[int], Awaitable[None]] = field(default=_nobody_to_tell, eq=False)
    """Keeps a generation where the key is, before there is a store of it. Never raises."""
    _present: frozenset[str] = frozenset()
    """What the settings asked for when they were last read."""
    _ahead: set[str] = field(factory=set)
    """Granted here before the setting was written, and not seen in the settings yet."""
    _refused: set[str] = field(factory=set)
    """Revoked here, where the disk would not take it."""
    _declined: set[str] = field(factory=set)
    """Those of these that were declined, so that nobody is asked meanwhile."""
    _alone: threading.RLock = field(factory=threading.RLock, repr=False, eq=False)
    """Settings are read beside the thread on which people answer."""

    @property
    def path(self) -> pathlib.Path:
        """The file. Another workspace's has another name, and so has one under another key."""
        name = hmac.new(self._key, self._workspace.encode(), hashlib.sha256).hexdigest()
        return self._folder / f"{name[:32]}.json"

    def remember(self, generation: int) -> None:
        """An older file than of this generation is none: it was put back."""
        with self._alone:
            self._newest = max(self._newest, generation)

    @property
    def problems(self) -> tuple[str, ...]:
        """What was wrong with the file when it was last read, as sentences for a banner."""
        return () if self._problem is None else (self._problem,)

    def standing(self, wish: Wish) -> Standing | None:
        """How this exact wish was answered in this workspace, if it was."""
        digest = wish.digest
        with self._alone:
            if digest in self._refused:
                return Standing.DECLINED if digest in self._declined else None
            verdicts = [record.verdict for record in self._load() if record.wish.digest == digest]
        return Standing(verdicts[-1]) if verdicts else None

    @property
    def can_keep(self) -> bool:
        """Whether there is a workspace that anything can be granted to."""
        return bool(self._workspace)

    def grant(self, wish: Wish) -> None:
        """Record that a person granted this wish.

        It may be granted before it is in the settings: `revoke_others` spares it until it has
        been there once. If it never gets there, say `revoke`.
        """
        self._put(wish, Standing.GRANTED)
        self._ahead |= {part.digest for part in wish.each} - self._present

    async def make_old(
        self, present: Collection[str], declined: frozenset[str] = frozenset()
    ) -> None:
        """Let nothing but these count; a store that grants more is too old after a crash."""
        with self._alone:
            spared = {*present, *self._ahead} - declined
            gone = {record.wish.digest for record in self._load()} - spared
            self._refused.update(gone)
            self._declined.update(declined)
            following = self._newest + 1
        if gone:
            await self.foretell(following)

    def decline(self, wish: Wish) -> None:
        """Record that a person does not want this; where that cannot be kept it is not granted."""
        self._refused.update(part.digest for part in wish.each)
        self._put(wish, Standing.DECLINED)

    def records_of(self, key: str) -> tuple[Record, ...]:
        """The answers to the wishes of one key, as they were written down."""
        with self._alone:
            return tuple(record for record in self._load() if record.key == key)

    def granted_under_other_keys(self) -> tuple[Wish, ...]:
        """What was granted in this workspace by files that another browser or profile sealed.

        Nobody can check them here, so this is for words alone and never allows anything.
        """
        files = itertools.islice(self._folder.glob("*.json"), _MAX_FILES_READ)
        granted: list[Wish] = []
        for path in files if self._workspace else ():
            with contextlib.suppress(UnfitFile):
                data = None if path == self.path else read_private(path)
                contents = unchecked(data) if data else None
                if contents is not None and contents.workspace == self._workspace:
                    granted += _granted(contents.records)
        return tuple(granted)

    def granted_of(self, key: str) -> tuple[Wish, ...]:
        """The wishes of one key that were granted."""
        return _granted(self.records_of(key))

    async def make_one_old(self, wish: Wish) -> None:
        """Let the answer to this wish count no more; a store that has it is too old after a crash.

        It goes whether its setting was seen yet or not; every other answer stays.
        """
        with self._alone:
            self._ahead.discard(wish.digest)
            answered = {record.wish.digest for record in self._load()}
        await self.make_old(answered - {wish.digest})

    def revoke(self, wish: Wish) -> None:
        """Forget how this wish was answered."""
        self._drop(lambda digest: digest == wish.digest)

    def revoke_others(self, present: Collection[str]) -> tuple[Wish, ...]:
        """Forget every answer whose wish is not in the settings any more; give those wishes.

        `present` are the digests of a reading's claims. What comes back later is asked anew.
        """
        self._present = frozenset(present)
        self._ahead -= self._present
        spared = self._present | self._ahead
        return self._drop(lambda digest: digest not in spared)

    def _put(self, wish: Wish, standing: Standing) -> None:
        records = [
            Record(
                key=part.key,
                name=part.name,
                value=part.value,
                fingerprint=part.fingerprint,
                verdict=standing.value,
                time=self._now(),
            )
            for part in wish.each
        ]
        subjects = {part.subject for part in wish.each}
        with self._alone, self._writing():
            kept = [record for record in self._load() if record.wish.subject not in subjects]
            self._store([*kept, *records])
        self._refused.difference_update(part.digest for part in wish.each)

    def _drop(self, unwanted: Callable[[str], bool]) -> tuple[Wish, ...]:
        """Take out the records whose digests are unwanted."""
        with self._alone:
            return self._drop_alone(unwanted)

    def _drop_alone(self, unwanted: Callable[[str], bool]) -> tuple[Wish, ...]:
        dropped_wishes = {
            record.wish.digest: record.wish
            for record in self._load()
            if unwanted(record.wish.digest)
        }
        if not dropped_wishes:
            return ()
        # From here on they count as dropped, even if the disk does not take it.
        self._refused.update(dropped_wishes)
        self._ahead.difference_update(dropped_wishes)
        with self._writing():
            self._store(
                [record for record in self._load() if record.wish.digest not in dropped_wishes]
            )
        self._refused.difference_update(dropped_wishes)
        return tuple(dropped_wishes.values())

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        if not self._workspace:
            raise AttestationUnwritable(_NO_WORKSPACE)
        try:
            with alone_in(self._folder):
                yield
        except UnfitFile as error:
            raise AttestationUnwritable(
                f"Your answer could not be kept, so it does not hold: {error}."
            ) from error

    def _store(self, records: list[Record]) -> None:
        contents = Contents(workspace=self._workspace, generation=self._newest + 1, records=records)
        write_private(self.path, sealed(contents, self._key))
        self._know(contents.generation)
        self._problem = None

    def _load(self) -> list[Record]:
        """The records that count; none, and a problem, where anything is doubtful."""
        self._problem = None
        if not self._workspace:
            return []
        try:
            return self._opened()
        except Exception as error:  # noqa: BLE001 -- whatever is doubtful is no record
            why = error if isinstance(error, UnfitFile) else type(error).__name__
            cannot = "What you agreed to in this workspace cannot be used, so you are asked again"
            self._problem = f"{cannot}: {why}."
        return []

    def _opened(self) -> list[Record]:
        data = read_private(self.path)
        if data is None:
            if self._newest:
                raise UnfitFile("its file is gone")
            return []
        contents = opened(data, self._key)
        if contents.workspace != self._workspace:
            raise UnfitFile("its file is of another workspace")
        if contents.generation < self._newest:
            raise UnfitFile("its file was put back to an older state")
        self._know(contents.generation)
        return contents.records

    def _know(self, generation: int) -> None:
        if generation > self._newest:
            self._newest = generation
            self.raised(generation)


def _granted(records: Iterable[Record]) -> tuple[Wish, ...]:
    granted = Standing.GRANTED.value
    return tuple(record.wish for record in records if record.verdict == granted)
