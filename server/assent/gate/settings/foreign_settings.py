"""Other programs' settings files: read as they are, and replaced as a whole.

A link is followed to the file that it leads to, whose mode stays; a file of somebody else's is
left alone.
"""

import os
import stat
import sys
import tempfile
from pathlib import Path
from typing import Final

from assent.gate.settings.ordinary_files import read_ordinary
from assent.gate.settings.private_files import UnfitFile, reason

__all__ = ["put_back", "put_text", "text_of"]

_MAX_FILE_BYTES: Final = 4_000_000
_OWNER_ONLY_MODE: Final = 0o600


def text_of(path: Path) -> str | None:
    """What stands in a file; None where there is none."""
    try:
        return read_ordinary(path, _MAX_FILE_BYTES).decode("utf-8")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnfitFile(reason(error)) from error
    except UnicodeDecodeError as error:
        raise UnfitFile("it is no text") from error


def put_text(path: Path, before: str | None, text: str) -> None:
    """Let a file say this, if it still says what it said before."""
    try:
        real = Path(os.path.realpath(path))
        real.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        mode = _mode_of(real)
        _refuse_changed(real, before)
        _replace(real, text.encode(), mode)
    except OSError as error:
        raise UnfitFile(reason(error)) from error


def put_back(path: Path, before: str | None, text: str | None) -> None:
    """Write the text, where nothing may have been there, or is to be there any more."""
    if text == before:
        return
    if text is not None:
        put_text(path, before, text)
        return
    try:
        _refuse_changed(path, before)
        # A link of the person's stays, as it was before something lay where it leads.
        Path(os.path.realpath(path)).unlink()
    except OSError as error:
        raise UnfitFile(reason(error)) from error


def _refuse_changed(path: Path, before: str | None) -> None:
    if text_of(path) != before:
        raise UnfitFile("it was changed meanwhile")


def _mode_of(path: Path) -> int:
    try:
        facts = path.stat()
    except FileNotFoundError:
        return _OWNER_ONLY_MODE
    if sys.platform != "win32" and facts.st_uid != os.geteuid():
        raise UnfitFile("it belongs to somebody else")
    return stat.S_IMODE(facts.st_mode)


def _replace(path: Path, data: bytes, mode: int) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    new = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.chmod(mode)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
