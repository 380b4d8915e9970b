"""Tells whether a person's own settings name tool servers, for an agent that starts none."""

from pathlib import Path
from typing import Final

from assent.gate.settings.ordinary_files import read_ordinary
from assent.gate.text.lazy_patterns import late

__all__ = ["names_servers"]

_NAMES: Final = late(r"\"mcpServers\"\s*+:\s*+\{\s*+[^}\s]", needs="mcpServers")
_MAX_FILE_BYTES: Final = 8 * 1024 * 1024


def names_servers(settings: Path) -> bool:
    """Whether they do, as far as that can be seen: nothing depends on it but what is said."""
    try:
        text = read_ordinary(settings, _MAX_FILE_BYTES).decode("utf-8", "replace")
    except (OSError, ValueError):
        return False
    return _NAMES.search(text) is not None
