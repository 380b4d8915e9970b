"""Tells an agent of other people what a person names beside a prompt.

Where the agent takes contents it gets them, as they stood when the person said it; else the
address of a file, which it then reads by itself as any other. What has no address, or is cut, is
words.
"""

from collections.abc import Iterable
from typing import Any

from assent.gate.journal.agent_events import Reference

__all__ = ["blocks_of", "is_linked"]


def blocks_of(references: Iterable[Reference], *, embeds: bool) -> list[dict[str, Any]]:
    """The blocks of a prompt for these."""
    return [_block(reference, embeds=embeds) for reference in references]


def is_linked(reference: Reference, *, embeds: bool) -> bool:
    """Whether an agent is given an address alone."""
    return bool(reference.uri) and not reference.is_part and not (embeds and reference.is_whole)


def _block(reference: Reference, *, embeds: bool) -> dict[str, Any]:
    if is_linked(reference, embeds=embeds):
        return {"type": "resource_link", "uri": reference.uri, "name": reference.name}
    # A content cannot say that it is cut.
    if embeds and reference.uri and reference.is_whole:
        content = {"uri": reference.uri, "mimeType": "text/plain", "text": reference.text}
        return {"type": "resource", "resource": content}
    return {"type": "text", "text": f"The person refers to {reference.quoted}"}
