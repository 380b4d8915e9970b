"""Opens a person's consents for a workspace, with the mark of their minimum age."""

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from assent.editor.window.consent.state import Vault
from assent.editor.window.spawn import Spawn
from assent.gate.settings.attestation import Attestations
from assent.gate.settings.identity import identity_of_all

__all__ = ["open_attestations"]

_REVOKE_TIMEOUT_S: Final = 2.0
"""Seconds for which a revocation waits for the editor."""

_log = logging.getLogger(__name__)


async def open_attestations(
    vault: Vault, state: Path, roots: Sequence[str], spawn: Spawn
) -> Attestations:
    """The answers for these folders; each of their generations is kept where the key is."""
    kept = Attestations(state / "attestations", identity_of_all(roots), vault.key)
    name = f"attestationMark.{kept.path.stem}"
    mark = await vault.mark(name)
    kept.remember(int(mark) if mark and mark.isdecimal() else 0)
    loop = asyncio.get_running_loop()

    async def foretell(generation: int) -> None:
        try:
            async with asyncio.timeout(_REVOKE_TIMEOUT_S):
                await keep(generation)
        except Exception as error:  # noqa: BLE001 -- what is revoked is revoked without it
            _log.warning("How far the answers have come was not kept: %s", error)

    async def keep(generation: int) -> None:
        await vault.raise_mark(
            name,
            str(generation),
            lambda old_mark: not old_mark.isdecimal() or generation > int(old_mark),
        )

    def raised(generation: int) -> None:
        loop.call_soon_threadsafe(lambda: spawn(keep(generation)))

    kept.raised, kept.foretell = raised, foretell
    return kept
