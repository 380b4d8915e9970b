"""The key that seals a person's grants: from the editor's secrets, or from a file.

The key is never in a workspace, and a file that others may read is no key.
"""

import pathlib
import re
import secrets

from assent.gate.call.errors import AssentError
from assent.gate.settings.private_files import UnfitFile, alone_in, read_private, write_private

__all__ = ["UnfitKey", "fresh_secret", "key_from_file", "key_from_secret"]


class UnfitKey(AssentError):
    """There is no key that could be trusted, so nothing can be granted; the message says why."""


def fresh_secret() -> str:
    """A new secret for the editor to keep."""
    return secrets.token_hex(32)


def key_from_secret(secret: str) -> bytes:
    """The key in a secret that the editor has kept."""
    if re.fullmatch(r"[0-9a-f]{64}", secret) is None:
        raise UnfitKey("What the editor has kept as Assent's key is not one.")
    return bytes.fromhex(secret)


def key_from_file(path: pathlib.Path) -> bytes:
    """The key in this file, which is made where there is none, for editors without secrets."""
    try:
        with alone_in(path.parent):
            secret = read_private(path)
            if secret is None:
                secret = fresh_secret().encode()
                write_private(path, secret)
    except UnfitFile as error:
        raise UnfitKey(f"Assent's key file {path.name} cannot be used: {error}.") from error
    try:
        return key_from_secret(secret.decode("ascii", "replace").removesuffix("\n"))
    except UnfitKey as error:
        raise UnfitKey(f"Assent's key file {path.name} holds no key.") from error
