"""The folders in which a trial keeps what it changes."""

import os
import shutil
import stat
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

from assent.gate.sandbox.profile import Layer

__all__ = ["is_private", "new_layer", "remove_layer"]

_OPEN_UP: Final = "-type d ! -perm -700 -exec chmod u+rwx {} ;".split()


def new_layer(folder: str, beginning: str) -> tuple[str, Layer]:
    """An empty layer, and the folder in which it lies, whose name begins so."""
    kept = tempfile.mkdtemp(prefix=beginning, dir=folder)
    layer = Layer(upper=f"{kept}/upper", work=f"{kept}/work")
    for path in (layer.upper, layer.work):
        Path(path).mkdir()
    return kept, layer


def remove_layer(folder: str) -> None:
    """Remove a layer, in which folders may lie that nobody may enter, or too deep for Python."""
    with suppress(OSError, RecursionError):
        shutil.rmtree(folder)
    if os.path.lexists(folder):
        for words in (["find", folder, *_OPEN_UP], ["rm", "-rf", "--", folder]):
            with suppress(OSError):
                subprocess.run(words, stderr=subprocess.DEVNULL, check=False)


def is_private(folder: str) -> bool:
    """Whether it is a folder of this user's in which nobody else may write."""
    facts = os.lstat(folder)
    return stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.getuid() and not facts.st_mode & 0o022
