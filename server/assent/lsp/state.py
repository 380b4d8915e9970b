"""Where Assent keeps what it must remember: one folder of the person's, outside every workspace."""

import os
from collections.abc import Mapping
from pathlib import Path

from assent.lsp.asks import NotOffered
from assent.lsp.wire import Wire
from assent.protocol import chats, editor
from assent.settings.keys import fresh_secret, key_from_file, key_from_secret
from assent.settings.paths import key_file, state_path

__all__ = ["attestation_key", "own_folder", "state_folder"]


def state_folder(environ: Mapping[str, str]) -> Path:
    """The state folder; only its owner may look into it."""
    folder = state_path(environ)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.name == "posix":
        folder.chmod(0o700)
    return folder


def own_folder(state: Path, name: str) -> str | None:
    """A folder there for what memory has no room for; None leaves that to the system."""
    folder = state / name
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError:
        return None
    return str(folder)


async def attestation_key(wire: Wire, state: Path) -> bytes:
    """The key of the attestations: in the editor's secret store, else in a file of the person's."""
    name = editor.SecretName(name="attestationKey")
    try:
        kept = await wire.request("secret/get", name, editor.SecretValue)
        if kept.value is not None:
            return key_from_secret(kept.value)
        made = fresh_secret()
        await wire.request(
            "secret/set", editor.SetSecret(name="attestationKey", value=made), chats.Nothing
        )
    except NotOffered:
        return key_from_file(key_file(state))
    return key_from_secret(made)
