"""Seals kept chats, so that nobody without the key can change, cut or swap them unnoticed.

A chat's rows come to one number, the sum of their hashes, so that one row can be replaced without
reading the others. That number is in the chat's seal, and all seals are in the seal of the file.
The hashes are made with the key, and no sum of them stands in the file as it is: of hashes that
anybody can make, or learn from sums, enough could be put together to come to the same number.
"""

import hashlib
import hmac
import json
from typing import Final

from assent.agent.chats.values import Head
from assent.gate.values import astuple

__all__ = ["MODULUS", "head_seal", "hidden", "name_of", "shown", "state_seal", "weight"]

MODULUS: Final = 1 << 256


def weight(key: bytes | None, chat: str, kind: str, number: int, body: bytes) -> int:
    """What one row adds to the number of its chat."""
    place = json.dumps([chat, kind, number]).encode()
    return _number(key, place + b"\0" + body)


def hidden(key: bytes | None, total: int, writes: int) -> str:
    """The number of the file as it stands there: two counts' tell nothing of what they differ by.

    Each count has one that hides it. A file that is put back and written on comes to a count again:
    whoever has both of that count's numbers knows by how much the sums of the seals differ.
    """
    return f"{(total + _pad(key, writes)) % MODULUS:x}"


def shown(key: bytes | None, kept: str, writes: int) -> int:
    """The number of the file, from how it stands there."""
    return (int(kept, 16) - _pad(key, writes)) % MODULUS


def _pad(key: bytes | None, writes: int) -> int:
    return _number(key, json.dumps(["hidden", writes]).encode())


def _number(key: bytes | None, said: bytes) -> int:
    # Without a key nothing is vouched for, whatever it comes to.
    return int.from_bytes(hmac.digest(key or b"none", said, "sha256"), "big")


def name_of(key: bytes | None) -> str:
    """By what a key is known, to whoever has not got it; nothing where there is none.

    Each editor has a key of its own, and all of one person's share the file.
    """
    return "" if key is None else hmac.new(key, b"chats", hashlib.sha256).hexdigest()[:32]


def head_seal(key: bytes | None, head: Head, owner: str, total: str) -> str:
    """The seal of a chat; empty where there is no key."""
    return _sealed(key, [*astuple(head), owner, total])


def state_seal(key: bytes | None, writes: int, total: str) -> str:
    """The seal of the file: how often it was written, and the chats in it."""
    return _sealed(key, ["state", writes, total])


def _sealed(key: bytes | None, values: list[object]) -> str:
    if key is None:
        return ""
    seal = hmac.new(key, json.dumps(values).encode(), hashlib.sha256).hexdigest()
    return f"{name_of(key)} {seal}"
