"""What the card of a trial's changes shows: texts by their lines, and all else in rows."""

import os
import stat
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from assent.gate.call.calls import Edit, Target
from assent.gate.call.errors import AssentError
from assent.gate.disk.files import text_of
from assent.gate.sandbox.changes import Change, Kind
from assent.gate.sandbox.terms import is_loss
from assent.gate.sandbox.trials import Trial

__all__ = ["MAX_ROWS", "counted", "edits_for", "folded_in", "is_plain", "rows_for"]

MAX_ROWS: Final = 2_000
_MAX_TOPS: Final = 100
_MAX_SHOWN_FILE_BYTES: Final = 200_000
"""In bytes: a file up to this size is shown by its lines."""
_MAX_LETTERS: Final = 1_000_000
_MAX_EDITS: Final = 200
_EXECUTABLE_BITS: Final = 0o111
_ANYBODY_WRITES: Final = 0o002
_MAX_UNFOLDED_FILES: Final = 20
"""A new folder with more than so many files is one row."""


def folded_in(wanted: Sequence[Change], protected: frozenset[str]) -> dict[str, int]:
    """The new folders that are shown as one row, with how many plain files lie in each."""
    counts: dict[str, int] = {}
    tops: list[str] = []
    for change in wanted:
        top = next((top for top in reversed(tops) if change.path.startswith(f"{top}/")), None)
        if top is None and change.kind is Kind.FOLDER:
            tops.append(change.path)
        elif top is not None and is_plain(change) and change.path not in protected:
            counts[top] = counts.get(top, 0) + 1
    return {top: count for top, count in counts.items() if count > _MAX_UNFOLDED_FILES}


def is_plain(change: Change) -> bool:
    """Whether it is a new file with the rights that most have, and no link."""
    return change.kind is Kind.MADE and not change.mode & _unusual_bits(change)


def rows_for(
    root: str, changes: Sequence[Change], folded: dict[str, int], drawn: set[str]
) -> dict[str, list[str]]:
    """What becomes of the paths that are not drawn by their lines, by kind; see the card's rows."""
    rows = defaultdict[str, list[str]](list)
    above = {os.path.dirname(change.path) for change in changes}  # noqa: PTH120 -- strings
    for change in changes:
        path = change.path
        match change.kind:
            case Kind.DELETED if change.before is not None and change.before.is_folder:
                rows["deleted"] += _all_below(root, path)
            case Kind.DELETED:
                rows["deleted"].append(path)
            case Kind.LINK:
                rows["deleted"] += [path] if is_loss(change) else []
                rows["links"].append(f"{path} → {change.target}")
            case Kind.FOLDER if path in folded:
                rows["folders"].append(f"{path}/ ({folded[path]:,} files)")
            case Kind.FOLDER:
                rows["folders"] += [] if path in above else [f"{path}/"]
            case Kind.MADE | Kind.CHANGED if f"{root}/{path}" not in drawn:
                rows["made" if change.kind is Kind.MADE else "changed"].append(path)
            case _:
                pass
        if has_rights := _rights(change):
            rows["rights"].append(f"{path} ({has_rights})")
    return rows


def counted(rows: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Rows that are too many to be read, as their numbers in each folder at the top."""
    return {
        kind: [
            f"{top}{'/' if count > 1 else ''} ({count:,})"
            for top, count in Counter(path.split("/")[0] for path in paths).items()
        ][:_MAX_TOPS]
        for kind, paths in rows.items()
    }


def _all_below(root: str, path: str) -> Iterator[str]:
    """A path that is deleted, and all that is deleted with it, as much as there is room for."""
    yield path
    count = 0
    for folder, folders, names in os.walk(f"{root}/{path}"):
        links = [name for name in folders if os.path.islink(f"{folder}/{name}")]  # noqa: PTH114
        if not (folders or names) and count:
            yield f"{_below(root, folder)}/"
        count += 1
        for name in sorted([*links, *names]):
            count += 1
            if count > MAX_ROWS:
                return
            yield f"{_below(root, folder)}/{name}"


def _rights(change: Change) -> str:
    """The rights of a path, if they change, or if it is new and most do not have them."""
    if change.kind not in {Kind.MADE, Kind.CHANGED, Kind.MODE, Kind.FOLDER}:
        return ""
    if change.before is None or stat.S_ISLNK(change.before.mode):
        return f"{change.mode:o}" if change.mode & _unusual_bits(change) else ""
    before = stat.S_IMODE(change.before.mode)
    return f"{before:o} → {change.mode:o}" if before != change.mode else ""


def _unusual_bits(change: Change) -> int:
    runs = 0 if change.kind is Kind.FOLDER else _EXECUTABLE_BITS
    # Where the umask takes nothing from anybody, each new file is so.
    return runs | (_ANYBODY_WRITES & _umask())


@cache
def _umask() -> int:
    status = Path("/proc/self/status").read_text("ascii", "replace")
    # To ask `os.umask` is to set it, for all threads.
    return int(status.partition("\nUmask:")[2].split()[0], 8)


def edits_for(
    trial: Trial, changes: Sequence[Change], targets: Mapping[str, Target]
) -> Iterator[Edit]:
    """The texts that are made or changed, as far as a card has room for them."""
    count, left = 0, _MAX_LETTERS
    # What replaces a folder is no change of a text.
    gone = {change.path for change in changes if change.kind is Kind.DELETED}
    for change in changes:
        path = f"{trial.profile.workspace}/{change.path}"
        is_link = change.before is not None and stat.S_ISLNK(change.before.mode)
        if change.kind not in {Kind.MADE, Kind.CHANGED} or is_link:
            continue
        if targets[change.path].resolved != path or change.path in gone:
            continue
        old = None if change.before is None else _text(Path(path))
        new = _text(trial.lies(change))
        if new is None or (old is None and change.before is not None) or count == _MAX_EDITS:
            continue
        left -= len(new) + len(old or "")
        if left < 0:
            return
        count += 1
        yield Edit(path=path, old=old, new=new)


def _text(path: Path) -> str | None:
    """A small text; None for anything else."""
    try:
        if path.lstat().st_size > _MAX_SHOWN_FILE_BYTES:
            return None
        return text_of(str(path), path.name)
    except (OSError, AssentError):
        return None


def _below(root: str, path: str) -> str:
    return path.removeprefix(f"{root}/")
