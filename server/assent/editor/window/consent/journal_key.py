"""Waits for the key at the start of a run, and lets it vouch for what was kept."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from assent.editor.lsp.editor_requests import EditorSilent
from assent.editor.lsp.wire import Wire
from assent.editor.window.consent.attestations import open_attestations
from assent.editor.window.consent.state import Vault, open_vault
from assent.editor.window.record.record import Record
from assent.editor.window.settings.workspace import Workspace
from assent.editor.window.spawn import Spawn
from assent.gate.values import frozen

__all__ = ["JournalKey"]


@frozen
class JournalKey:
    """What a run begins with."""

    _wire: Wire
    _state: Path
    _roots: Sequence[str]
    _spawn: Spawn
    _record: Record
    _workspace: Workspace
    _warnings: Callable[[], tuple[str, ...]]
    """What else a person should know."""
    _lasting: Callable[[Vault | None], Awaitable[None]]
    """Brings the chats of before back."""

    async def begin(self) -> None:
        """Look at what was kept, close what killed runs left, and read the settings."""
        self._record.listen()
        is_known = await self._open_vault()
        await self._record.begin()
        await self._workspace.begin(lambda: (*self._record.banners, *self._warnings()))
        await self._lasting(self._record.vault)
        if not is_known:
            self._spawn(self._wait_for_key())

    async def _open_vault(self) -> bool:
        """Have the key and all that it vouches for; False where the editor may yet answer."""
        try:
            vault = await open_vault(self._wire, self._state)
            await self._record.vouch(vault)
            self._workspace.agreed = await open_attestations(
                vault, self._state, self._roots, self._spawn
            )
        except EditorSilent as error:
            self._record.unvouched = str(error)
            return False
        except Exception as error:  # noqa: BLE001 -- whatever goes wrong, nothing is granted
            self._record.unvouched = str(error) or f"There is no key ({type(error).__name__})."
        return True

    async def _wait_for_key(self) -> None:
        """It is asked for again, for as long as it takes; meanwhile nothing is granted."""
        while not await self._open_vault():
            pass
        await self._workspace.reload()
        await self._lasting(self._record.vault)
