"""The identity of a workspace, to which a person's answers belong: its folders on disk."""

import os
import pathlib
from collections.abc import Sequence

from assent.gate.call.calls import digest_of

__all__ = ["identity_of", "identity_of_all"]


def identity_of(root: str | os.PathLike[str] | None) -> str:
    """Which workspace this is: its first folder's place and the folder itself; empty for none."""
    if root is None:
        return ""
    try:
        place = pathlib.Path(root).resolve(strict=True)
        facts = place.stat()
    except Exception:  # noqa: BLE001 -- whatever goes wrong, it is no workspace to grant in
        return ""
    return digest_of([str(place), facts.st_dev, facts.st_ino])


def identity_of_all(roots: Sequence[str | os.PathLike[str]]) -> str:
    """Which workspace this is, by all its folders: one that gained a folder is another."""
    identities = [identity_of(root) for root in roots]
    if len(identities) < 2 or not all(identities):  # noqa: PLR2004 -- one folder is itself
        return identities[0] if len(identities) == 1 else ""
    return digest_of(identities)
