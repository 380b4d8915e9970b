"""One collection, and how its index follows its files.

What is told of it is asked in small portions of a process of its own, and which files it may read
is ruled on here, by the rules that hold now: whoever waits for the gate waits for neither. Nothing
watches the disk: a question that comes a moment after the last look has the files looked at again.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, Final, Literal

from assent.agent.models.embedding import TEXTS_A_REQUEST
from assent.agent.models.provider import ModelFailed
from assent.agent.tools.tool import ToolFailed
from assent.catalogue.nodes.source import NodeFailed
from assent.editor.window.collections.collection_files import files_of, spellings_in
from assent.editor.window.spawn import Spawn
from assent.gate.call.errors import AssentError
from assent.gate.disk.places import Places
from assent.gate.ruling.secret_words import keeps_secret
from assent.gate.settings.collections import CollectionEntry
from assent.gate.values import define, field, frozen

__all__ = ["Collecting", "Doing", "Ground"]

Doing = Literal["idle", "reading", "embedding", "ready", "stopped", "failed"]

FRESH_S: Final = 0.25
"""In seconds: who asks so long after the last look has the files looked at again."""
_FILES_A_TURN: Final = 32
"""So many files are read before others have their turn."""
_JUDGED_AT_ONCE: Final = 25
_MAX_ATTEMPTS: Final = 2
"""So often an index is made, where it breaks while it is."""

Vectors = Callable[[Sequence[str], bool], Awaitable[list[bytes]]]
"""What a model makes of texts, and whether they are questions; raises `ModelFailed`."""


@frozen(kw_only=True)
class Ground:
    """What a collection stands on."""

    ask: Callable[..., Awaitable[dict[str, Any]]]
    """Asks the process that keeps its index; raises `NodeFailed`."""
    places: Callable[[], Places]
    may_read: Callable[[str, Places], bool]
    """Whether no rule is against our agent reading the file at a resolved path."""
    rules: Callable[[], object]
    """Stands for the rules: another one stands for others."""
    vectors: Vectors
    may_compare: Callable[[], bool]
    """Whether its model is on this machine and no rule is against asking it now."""
    on_change: Callable[[], None]
    """Something is otherwise."""
    spawn: Spawn
    kept_at: str = ""
    """The host that has its texts; none where they stay on this machine."""


@define(eq=False)
class Collecting:
    """One collection."""

    entry: CollectionEntry
    place: str
    """Where its index is."""
    _ground: Ground
    doing: Doing = "idle"
    done: int = 0
    total: int = 0
    says: str = ""
    """What went wrong, in a sentence."""
    is_remade: bool = False
    """Whether its index was broken, and nobody was told yet."""
    _is_broken: bool = False
    _is_asked: bool = False
    """Whether the process that keeps indexes has it open."""
    left_out: int = 0
    """How many files are not in it, by a rule or for their names."""
    _task: asyncio.Future[None] | None = None
    _looked: float = float("-inf")
    _judged: dict[str, bool] = field(factory=dict)
    _judged_by: object = None

    @property
    def kept_at(self) -> str:
        """The host that has its texts; none where they stay on this machine."""
        return self._ground.kept_at

    @property
    def is_at_work(self) -> bool:
        """Whether its index is being made."""
        return self._task is not None

    async def up_to_date(self, patience: float) -> None:
        """Have its index as its files are, or as far as that comes within so many seconds."""
        is_late = asyncio.get_running_loop().time() - self._looked >= FRESH_S
        if is_late and self._task is None and self.doing != "stopped":
            self.begin()
        if self._task is not None:
            await asyncio.wait([self._task], timeout=patience)

    def begin(self) -> None:
        """Look at its files, and read those that changed."""
        if self._task is None:
            self.says = ""
            self._task = self._ground.spawn(self._work())

    async def stop(self) -> None:
        """Read nothing more until somebody says so; what was read stays."""
        task = self._task
        if task is not None:
            task.cancel()
            await asyncio.wait([task])
        self._become("stopped")

    async def leave(self) -> None:
        """Its index is of no use to this window any more."""
        if self._task is not None:
            await self.stop()
        if self._is_asked:
            with suppress(NodeFailed):
                await self._ground.ask("close", file=self.place)

    async def ask(self, do: str, **more: Any) -> dict[str, Any]:
        """Ask for something of its index; one that was broken is begun anew."""
        self._is_asked = True
        answer = await self._ground.ask(do, file=self.place, **more)
        if answer.get("broken"):
            self.is_remade = self._is_broken = True
            self._looked = float("-inf")
        return answer

    async def find(self, patience: float, **asked: Any) -> list[dict[str, Any]]:
        """What its index finds, once it is as its files are; raises `NodeFailed`."""
        await self.up_to_date(patience)
        answer = await self.ask("find", **asked)
        if answer.get("broken") or answer.get("changed"):
            # A file that changed is ruled on before it is read, in a look like any other.
            self._looked = float("-inf")
            await self.up_to_date(patience)
            answer = await self.ask("find", **asked)
        passages: list[dict[str, Any]] = answer.get("found", [])
        return passages

    async def _work(self) -> None:
        try:
            began = asyncio.get_running_loop().time()
            for _ in range(_MAX_ATTEMPTS):
                self._is_broken = False
                await self._read()
                if not self._is_broken:
                    break
            if self._ground.may_compare():
                await self._embed()
            self._looked = began
            self._become("ready")
        except (NodeFailed, ToolFailed, ModelFailed, AssentError) as error:
            self.says = str(error)
            # Whoever asks next has it tried again: a disk may have room by then, a host be there.
            self._looked = float("-inf")
            self._become("failed")
        finally:
            self._task = None

    def _become(self, doing: Doing, done: int = 0, total: int = 0) -> None:
        if (doing, done, total) != (self.doing, self.done, self.total):
            self.doing, self.done, self.total = doing, done, total
            self._ground.on_change()

    async def _read(self) -> None:
        """Look at all files, and read those that are other than they were."""
        places = self._ground.places()
        files = await asyncio.to_thread(lambda: dict(files_of(self.entry.areas, places)))
        stamps = await self._permitted(files, places)
        changed = await self._changed(stamps)
        for at in range(0, len(changed), _FILES_A_TURN):
            self._become("reading", len(stamps) - len(changed) + at, len(stamps))
            await self.ask("take", paths=changed[at : at + _FILES_A_TURN])

    async def _changed(self, stamps: dict[str, str]) -> list[str]:
        answer = await self.ask("compare", stamps=stamps)
        changed: list[str] = answer.get("changed", [])
        return changed

    async def _permitted(self, files: dict[str, str], places: Places) -> dict[str, str]:
        """The files that may be read by the rules as they are, each of which is asked once."""
        rules = self._ground.rules()
        if rules is not self._judged_by:
            self._judged, self._judged_by = {}, rules
        spellings = spellings_in(self.entry.areas, places)
        unknown = [path for path in files if path not in self._judged]
        for at, path in enumerate(unknown):
            if at % _JUDGED_AT_ONCE == 0:
                await asyncio.sleep(0)
            self._judged[path] = self._may_read(spellings(path), places)
        self._judged = {path: self._judged[path] for path in files}
        stamps = {path: stamp for path, stamp in files.items() if self._judged[path]}
        self.left_out = len(files) - len(stamps)
        return stamps

    def _may_read(self, spellings: Sequence[str], places: Places) -> bool:
        """Whether nothing is against reading a file, by any path by which it lies here."""
        return bool(spellings) and all(
            not keeps_secret(spelling) and self._ground.may_read(spelling, places)
            for spelling in spellings
        )

    async def _embed(self) -> None:
        """Have vectors made of what has none, as long as no rule is against it."""
        assert self.entry.embed is not None  # noqa: S101 -- it was looked at before
        counts = await self.ask("counts")
        model = f"{self.entry.embed.url} {self.entry.embed.id}"
        done, last, total = counts.get("vectors", 0), 0, counts.get("passages", 0)
        while self._ground.may_compare():
            asked = {"model": model, "after": last, "limit": TEXTS_A_REQUEST}
            lacking = (await self.ask("lacking", **asked)).get("passages", [])
            if not lacking:
                return
            self._become("embedding", min(done, total), total)
            vectors = await self._ground.vectors([text for _, text in lacking], False)
            learnt = [
                (number, vector) for (number, _), vector in zip(lacking, vectors, strict=True)
            ]
            await self.ask("learn", vectors=_packed(learnt))
            done, last = done + len(lacking), lacking[-1][0]


def _packed(learnt: Sequence[tuple[int, bytes]]) -> list[tuple[int, str]]:
    from base64 import b64encode  # noqa: PLC0415 -- only where meaning is compared

    return [(number, b64encode(vector).decode()) for number, vector in learnt]
