"""Takes the files of an index away, without a database: the gate itself loads none."""

from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Final

__all__ = ["END", "clear", "throw_away"]

END: Final = ".db"
_LOGS: Final = ("-wal", "-shm", "-journal", "")


def throw_away(path: Path) -> None:
    """Keep nothing of an index."""
    for end in _LOGS:
        Path(f"{path}{end}").unlink(missing_ok=True)


def clear(folder: Path, names: AbstractSet[str]) -> None:
    """Keep nothing of the indexes in a folder that have none of these names."""
    for end in _LOGS:
        for path in folder.glob(f"*{END}{end}"):
            name = path.name.removesuffix(f"{END}{end}")
            if name not in names:
                throw_away(folder / f"{name}{END}")
