"""To which hosts the texts of which collections may be sent: what the person agreed to, kept."""

import asyncio
import json
from pathlib import Path
from typing import Final

from attrs import define

from assent.settings.private_files import UnfitFile, alone_in, read_private, write_private

__all__ = ["AgreedHosts"]

_MOST: Final = 2_000

Agreed = tuple[str, str]
"""A collection of one workspace, and an address."""


@define
class AgreedHosts:
    """One private file for all windows; where it cannot be read, nobody has agreed."""

    _file: Path
    _known: frozenset[Agreed] | None = None

    def has(self, collection: str, address: str) -> bool:
        """Whether the person let the texts of a collection be sent there."""
        if self._known is None:
            self._known = frozenset(self._read())
        return (collection, address) in self._known

    async def agree(self, collection: str, address: str) -> None:
        """Keep that they did; raises `UnfitFile`."""
        await asyncio.to_thread(self._keep, (collection, address))

    def _keep(self, agreed: Agreed) -> None:
        with alone_in(self._file.parent):
            all_ = [*dict.fromkeys([*self._read(), agreed])][-_MOST:]
            write_private(self._file, json.dumps({"agreed": all_}).encode())
        self._known = frozenset(all_)

    def _read(self) -> list[Agreed]:
        try:
            told = json.loads(read_private(self._file) or b'{"agreed": []}')
            return [(str(collection), str(address)) for collection, address in told["agreed"]]
        except (UnfitFile, ValueError, TypeError, LookupError, RecursionError):
            return []
