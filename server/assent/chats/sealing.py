"""Vouches for what is kept of chats: whoever changes, cuts or swaps it has not the key.

A chat's rows come to one number, the sum of their hashes, so that one row can be replaced without
reading the others. That number stands in the chat's seal, and all seals in the seal of the file.
"""

import hashlib
import hmac
import json
from typing import Final

from attrs import astuple

from assent.chats.values import Head

__all__ = ["MODULUS", "head_seal", "name_of", "state_seal", "weight"]

MODULUS: Final = 1 << 256


def weight(chat: str, kind: str, number: int, body: bytes) -> int:
    """What one row adds to the number of its chat."""
    place = json.dumps([chat, kind, number]).encode()
    return int.from_bytes(hashlib.sha256(place + b"\0" + body).digest(), "big")


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


def _sealed(key: bytes | None, told: list[object]) -> str:
    if key is None:
        return ""
    seal = hmac.new(key, json.dumps(told).encode(), hashlib.sha256).hexdigest()
    return f"{name_of(key)} {seal}"
