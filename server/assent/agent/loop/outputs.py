"""Keeps results on disk that were too long for the model.

For the person alone, in a folder of their own; the oldest make room for the newest.
"""

import asyncio
import logging
from pathlib import Path

from assent.gate.call.calls import CallId
from assent.gate.settings.private_files import UnfitFile, write_private
from assent.gate.values import frozen

__all__ = ["Outputs"]

_MAX_FILES, _MAX_BYTES = 200, 256 * 1024 * 1024

_LOG = logging.getLogger(__name__)


@frozen(kw_only=True)
class Outputs:
    """The results that were too long for the model."""

    folder: Path

    async def keep(self, call: CallId, text: str) -> Path | None:
        """Keep a result whole; None where that cannot be done."""
        return await asyncio.to_thread(self._keep, call, text)

    def _keep(self, call: CallId, text: str) -> Path | None:
        path = self.folder / f"{call}.txt"
        try:
            write_private(path, text.encode("utf-8", "surrogatepass"))
            self._make_room()
        except (OSError, UnfitFile) as error:
            _LOG.warning("a long result was not kept: %s", error)
            return None
        return path

    def _make_room(self) -> None:
        """Drop the oldest, so that few enough are left, and small enough together."""
        outputs = sorted(
            (
                (path.stat().st_mtime_ns, path.stat().st_size, path)
                for path in self.folder.glob("*.txt")
            ),
            reverse=True,
        )
        size = 0
        for place, (_, length, path) in enumerate(outputs):
            size += length
            if place and (place >= _MAX_FILES or size > _MAX_BYTES):
                path.unlink(missing_ok=True)
