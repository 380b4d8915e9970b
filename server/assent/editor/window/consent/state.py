"""Where Assent keeps what it must remember, and the key and the marks that vouch for it.

The folder is the person's, outside every workspace. The key is in the editor's secret store, and
with it how far each sealed file had come, so that an older copy of one that is put back shows.
Where an editor keeps no secrets, both are files of the person's.
"""

import asyncio
import hashlib
import hmac
import os
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Final

from assent.editor.lsp.editor_requests import NotOffered, in_time
from assent.editor.lsp.wire import Wire
from assent.editor.protocol import chats, editor
from assent.gate.call.calls import canonical
from assent.gate.settings.keys import fresh_secret, key_from_file, key_from_secret
from assent.gate.settings.paths import key_file
from assent.gate.settings.private_files import read_private, write_private
from assent.gate.values import define, field

__all__ = ["Vault", "here", "open_vault"]

_KEY: Final = "attestationKey"
_MACHINE: Final = "/etc/machine-id"


@define
class Vault:
    """The key, and the marks that are kept with it."""

    key: bytes = field(repr=False)
    _wire: Wire
    _folder: Path | None
    """Where marks are, for an editor that keeps no secrets."""
    _turn: asyncio.Lock = field(factory=asyncio.Lock)

    def subkey(self, purpose: str) -> bytes:
        """A key for one purpose alone."""
        return hmac.new(self.key, purpose.encode(), hashlib.sha256).digest()

    async def mark(self, name: str) -> str | None:
        """What was kept under a name."""
        if self._folder is not None:
            data = await asyncio.to_thread(read_private, self._folder / name)
            return None if data is None else data.decode("ascii", "replace")
        wanted = editor.SecretName(name=name)
        async with in_time("secret/get"):
            return (await self._wire.request("secret/get", wanted, editor.SecretValue)).value

    async def raise_mark(self, name: str, mark: str, above: Callable[[str], bool]) -> None:
        """Keep it, unless what is kept is as high; `above` tells whether it is above that."""
        async with self._turn:
            kept = await self.mark(name)
            if kept is not None and not above(kept):
                return
            if self._folder is not None:
                await asyncio.to_thread(write_private, self._folder / name, mark.encode())
            else:
                wanted = editor.SetSecret(name=name, value=mark)
                async with in_time("secret/set"):
                    await self._wire.request("secret/set", wanted, chats.Nothing)


async def open_vault(wire: Wire, state: Path) -> Vault:
    """The key, which is made where there is none; raise where there is none to be had."""
    try:
        wanted = editor.SecretName(name=_KEY)
        async with in_time("secret/get"):
            kept = await wire.request("secret/get", wanted, editor.SecretValue)
        if kept.value is not None:
            return Vault(key_from_secret(kept.value), wire, None)
        made = fresh_secret()
        new = editor.SetSecret(name=_KEY, value=made)
        async with in_time("secret/set"):
            await wire.request("secret/set", new, chats.Nothing)
    except NotOffered:
        key = await asyncio.to_thread(key_from_file, key_file(state))
        return Vault(key, wire, state / "marks")
    return Vault(key_from_secret(made), wire, None)


def here(state: Path) -> str:
    """Which machine's folder this is: one editor keeps the secrets of several machines."""
    try:
        machine = Path(_MACHINE).read_text("ascii").strip()
    except (OSError, ValueError):
        machine = ""
    identity = canonical([platform.node(), machine, os.path.abspath(state)])  # noqa: PTH100 -- no links
    return hashlib.sha256(identity.encode("utf-8", "backslashreplace")).hexdigest()[:32]
