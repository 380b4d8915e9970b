"""Finds the id of a message that was too large to be held, so that it can be answered.

Its beginning is read member by member as far as it goes. Where the key stands behind what was
large, the end is looked at: what stands before the last brace belongs to the message itself.
"""

import json
import re
from typing import Any, Final

from assent.editor.lsp.frames import TooLarge

__all__ = ["envelope_of"]

_MEMBER: Final = re.compile(r'\s*[{,]\s*"(\w+)"\s*:\s*')
_LAST: Final = re.compile(rb',\s*"id"\s*:\s*(-?\d+|"[^"\\]*")\s*}\s*$')
_READER: Final = json.JSONDecoder()


def envelope_of(body: TooLarge) -> dict[str, Any]:
    """The members of the message that can be read, without what was large."""
    members = _beginning(body.begin.decode("utf-8", "replace"))
    last = _LAST.search(body.end)
    if "id" not in members and last is not None:
        members["id"] = json.loads(last.group(1))
    return members


def _beginning(text: str) -> dict[str, Any]:
    members: dict[str, Any] = {}
    at = 0
    while (member := _MEMBER.match(text, at)) is not None:
        try:
            value, at = _READER.raw_decode(text, member.end())
        except ValueError:
            # Here begins what was large. A number may have been cut, and is none then.
            break
        if at < len(text):
            members[member.group(1)] = value
    return members
