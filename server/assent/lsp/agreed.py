"""Opens what a person has agreed to in a workspace, with the mark that tells how old it may be."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from assent.lsp.spawn import Spawn
from assent.lsp.state import Vault
from assent.settings.attestation import Attestations, identity_of_all

__all__ = ["open_attestations"]


async def open_attestations(
    vault: Vault, state: Path, roots: Sequence[str], spawn: Spawn
) -> Attestations:
    """The answers for these folders; each of their generations is kept where the key is."""
    kept = Attestations(state / "attestations", identity_of_all(roots), vault.key)
    name = f"attestationMark.{kept.path.stem}"
    mark = await vault.mark(name)
    kept.remember(int(mark) if mark and mark.isdecimal() else 0)
    loop = asyncio.get_running_loop()

    async def keep(generation: int) -> None:
        await vault.raise_mark(
            name, str(generation), lambda it: not it.isdecimal() or generation > int(it)
        )

    def raised(generation: int) -> None:
        loop.call_soon_threadsafe(lambda: spawn(keep(generation)))

    kept.raised = raised
    return kept
