"""What the editor said when it started, and the time."""

import time
from typing import Any

from assent.editor.lsp.shapes import path_of

__all__ = ["now", "roots_of"]


def now() -> int:
    """The wall clock in milliseconds: for people to read, never to decide by."""
    return time.time_ns() // 1_000_000


def roots_of(opening: dict[str, Any]) -> tuple[str, ...]:
    """The workspace's folders; none where no folder is open."""
    uris = [folder["uri"] for folder in opening.get("workspaceFolders") or []]
    paths = [path_of(uri) for uri in uris or [opening.get("rootUri")] if uri]
    return tuple(path for path in paths if path)
