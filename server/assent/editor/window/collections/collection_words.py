"""Describes a collection's state, for a model and for a person."""

import hashlib
from typing import Any

from assent.editor.window.collections.collecting import Collecting
from assent.gate.call.calls import canonical
from assent.gate.settings.collections import CollectionEntry

__all__ = ["index_name", "notes_of", "state_of"]


def index_name(entry: CollectionEntry) -> str:
    """What its index is called: another one where a collection of that name is set up otherwise."""
    embed = f"{entry.embed.url} {entry.embed.id}" if entry.embed else ""
    digest = hashlib.sha256(canonical([*entry.paths, embed]).encode())
    return f"{entry.name}-{digest.hexdigest()[:16]}"


def state_of(collection: Collecting, counts: dict[str, Any]) -> str:
    """What is in its index, and how far that is."""
    files, passages, vectors = (
        counts.get(count_name, 0) for count_name in ("files", "passages", "vectors")
    )
    meant = " by words and by meaning" if vectors else " by words"
    says = f"{files:,} files, {passages:,} passages, searched{meant}"
    return ". ".join([says if files else "not read yet", *notes_of(collection)])


def notes_of(collection: Collecting) -> list[str]:
    """What is to be said of how far its index is."""
    far = f"{collection.done:,} of {collection.total:,}"
    states = {
        "reading": f"(its index is being made: {far} files are read)",
        "embedding": f"(by words mostly: of {far} passages the meaning is known)",
        "stopped": "(the person stopped reading it, so what changed since is not found)",
        "failed": "",
    }
    says = f"({collection.says})" if collection.says else ""
    kept = f"(its index is kept at {collection.kept_at})" if collection.kept_at else ""
    anew = "(Its index was broken, so it is made anew.)" if collection.is_remade else ""
    collection.is_remade = False
    out = (
        f"({collection.left_out:,} left out, by a rule or as secrets)"
        if collection.left_out
        else ""
    )
    return [note for note in (states.get(collection.doing, ""), says, anew, out, kept) if note]
