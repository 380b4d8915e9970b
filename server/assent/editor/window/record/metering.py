"""Whether to count for a collector; without one nothing is counted, and nothing is loaded.

What happens is told on first, and whatever goes wrong here stays here: no ruling waits for it.
"""

import asyncio
import importlib
import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Self
from uuid import uuid4

from assent.editor.window.chats.board import Board
from assent.editor.window.settings.workspace import Workspace
from assent.editor.window.spawn import Spawn
from assent.gate.approvals.waiting_room import WaitingRoom
from assent.gate.journal.events import CallMoved, Happening, Tell
from assent.gate.settings.reading import BUILT_IN
from assent.gate.settings.telemetry import TELLS_NOTHING, TelemetrySetting
from assent.gate.values import define

if TYPE_CHECKING:
    from assent.editor.telemetry.collector import Collector

__all__ = ["Metering"]

_log = logging.getLogger(__name__)
_OURS: Final = frozenset(str(agent_entry.id) for agent_entry in BUILT_IN)


@define
class Metering:
    """Stands between the ledger and the board."""

    _tell: Tell
    _settings: Callable[[], TelemetrySetting]
    _tickets: Callable[[], int]
    _spawn: Spawn
    _troubled: Callable[[], None]
    _holds: TelemetrySetting = TELLS_NOTHING
    _collector: "Collector | None" = None

    @classmethod
    def beside(cls, board: Board, workspace: Workspace, room: WaitingRoom, spawn: Spawn) -> Self:
        """Count what the board is told, as the settings say."""
        wanted = lambda: workspace.reading.own.telemetry  # noqa: E731
        return cls(board.tell, wanted, lambda: len(room.tickets), spawn, workspace.tell)

    @property
    def banners(self) -> tuple[str, ...]:
        """What a person is to know of it."""
        trouble = self._collector.trouble if self._collector else ""
        return (trouble,) if trouble else ()

    def pass_on(self, happening: Happening) -> None:
        """Tell it, and count it where somebody wants to know."""
        self._tell(happening)
        if isinstance(happening, CallMoved):
            try:
                self._count(happening)
            except Exception:  # noqa: BLE001 -- what is counted is never worth a call
                _log.exception("A call could not be counted.")

    def take_settings(self) -> None:
        """Settings were read: what counts is loaded beside the work, before the first call."""
        if self._settings() != self._holds:
            self._spawn(self._load())

    async def _load(self) -> None:
        if self._settings().endpoint:
            await asyncio.to_thread(importlib.import_module, "assent.editor.telemetry.collector")
        self._follow()

    def _follow(self) -> None:
        wanted = self._settings()
        if wanted != self._holds:
            self._change(wanted)

    def _count(self, moved: CallMoved) -> None:
        self._follow()
        if self._collector is not None and self._collector.meter.hear(moved):
            self._collector.note()

    def _change(self, wanted: TelemetrySetting) -> None:
        """Another endpoint is told nothing of what was counted for the one before."""
        before, self._holds, self._collector = self._collector, wanted, None
        if before is not None:
            self._spawn(before.finish())
        if wanted.endpoint:
            self._collector = self._made(wanted)

    def _made(self, wanted: TelemetrySetting) -> "Collector":
        # Without a collector none of it is loaded.
        from assent.editor.telemetry.collector import Collector  # noqa: PLC0415
        from assent.editor.telemetry.meter import Meter  # noqa: PLC0415
        from assent.editor.telemetry.otlp import Run  # noqa: PLC0415

        return Collector(
            endpoint=wanted.endpoint,
            meter=Meter(_OURS, wanted.details),
            run=Run(id=str(uuid4()), began=time.time_ns()),
            tickets=self._tickets,
            spawn=self._spawn,
            tell=self._troubled,
        )

    async def finish(self) -> None:
        """The run is about to end: what was counted is sent, if that is quickly done."""
        if self._collector is not None:
            await self._collector.finish()
