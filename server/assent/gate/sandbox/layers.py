"""Removes the layer of a trial."""

import os
import shutil
from contextlib import suppress
from pathlib import Path

__all__ = ["remove_layer"]


def remove_layer(folder: str) -> None:
    """Remove a layer, in which there may be folders that nobody may enter."""
    for path, folders, _ in os.walk(folder):
        for inner in (Path(path, name) for name in folders):
            if not inner.is_symlink():
                with suppress(OSError):
                    inner.chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)
