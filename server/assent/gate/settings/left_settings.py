"""The person's settings as a server left them, for rulings while no server runs.

One private file under a seal, whose key lies where the hooks of agents find the gate: what was
damaged, or was not written here, is nothing that is known, and then every call is asked about.
"""

import hmac
import json
import os
import pathlib
from typing import Any, Final

import orjson

from assent.gate.call.calls import Premise
from assent.gate.settings.paths import connected_folder, sockets_folder
from assent.gate.settings.private_files import UnfitFile, alone_in, read_private, write_private
from assent.gate.settings.without_window import NOTHING_OWN, OwnSettings
from assent.gate.values import asdict

__all__ = ["leave_settings", "left_settings"]

_FILE: Final = "settings.json"
_KEY: Final = "settings.key"
_KEY_BYTES: Final = 32
_DIGEST: Final = "sha256"


def leave_settings(own: OwnSettings, state: pathlib.Path) -> None:
    """Put them where hooks look; raise `UnfitFile` where that cannot be done."""
    # Settings may hold half of a surrogate pair, which orjson refuses.
    text = json.dumps(
        {
            "keys": own.keys,
            "known": own.is_known,
            "premises": [asdict(premise) for premise in own.premises],
        }
    )
    with alone_in(connected_folder(state)):
        seal = _seal(_key(state), text)
        write_private(connected_folder(state) / _FILE, orjson.dumps([text, seal]))


def left_settings(state: pathlib.Path) -> OwnSettings:
    """What the last server left; nothing that is known where there is none, or it is damaged."""
    try:
        return _read(state) or NOTHING_OWN
    except (UnfitFile, ValueError, KeyError, TypeError):
        return NOTHING_OWN


def _read(state: pathlib.Path) -> OwnSettings | None:
    key = read_private(sockets_folder(state) / _KEY)
    data = read_private(connected_folder(state) / _FILE)
    if not key or not data:
        return None
    text, seal = orjson.loads(data)
    if not hmac.compare_digest(_seal(key, text), seal):
        return None
    settings: dict[str, Any] = json.loads(text)
    premises = tuple(Premise(**members) for members in settings["premises"])
    return OwnSettings(keys=settings["keys"], is_known=settings["known"], premises=premises)


def _key(state: pathlib.Path) -> bytes:
    path = sockets_folder(state) / _KEY
    with alone_in(path.parent):
        key = read_private(path)
        if not key:
            key = os.urandom(_KEY_BYTES)
            write_private(path, key)
    return key


def _seal(key: bytes, text: str) -> str:
    return hmac.digest(key, text.encode(), _DIGEST).hex()
