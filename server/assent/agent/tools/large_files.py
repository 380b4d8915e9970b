"""Changes a file that is too large to be shown; the edit holds only the changed lines.

The edit is of the lines that change, with a few around them, and is bound to all of the file by
its digest. What is replaced is looked for in the bytes, which in UTF-8 is the same as in letters.
"""

import codecs
from collections.abc import Iterator, Sequence
from typing import Final

from assent.agent.tools.replacements import Replaced, Replacement, Unfit, replaced
from assent.gate.call.calls import Edit, Stretch, Target
from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.files import MAX_FILE_BYTES
from assent.gate.disk.large_files import MAX_LARGE_FILE_BYTES, bytes_of, digest_of
from assent.gate.text.prefixes import shared
from assent.gate.values import evolve, frozen

__all__ = ["back", "large_change", "whole_after"]

_CONTEXT_LINES: Final = 3
"""Lines before and after a change, for who looks at it."""
_PIECE_BYTES: Final = 1024 * 1024
_BYTES: Final = "latin-1"
"""Each byte as one letter."""
_OTHER: Final = "{} is larger than 4 MB and not in UTF-8, so its change cannot be shown."
_FAR: Final = (
    "What would change in {} lies too far apart to be shown at once, or in a line of more than 4"
    " MB: make the changes in several calls."
)
_STALE: Final = "{} has changed since this was judged."


@frozen(kw_only=True)
class _InBytes:
    """A replacement, each of its bytes as one letter."""

    old: str
    new: str
    everywhere: bool


def large_change(target: Target, replacements: Sequence[Replacement]) -> tuple[Edit, Replaced]:
    """The change of a large file; raises `Unfit` and `CallUnreadable`."""
    data = bytes_of(target.resolved, target.shown)
    if not _is_utf_8(data):
        raise CallUnreadable(_OTHER.format(target.shown))
    before = data.decode(_BYTES)
    made = replaced(
        before,
        [_in_bytes(replacement) for replacement in replacements],
        MAX_LARGE_FILE_BYTES,
        loosely=False,
    )
    start, end = _apart(before, made.text)
    old, new = (_letters(whole[start : len(whole) - end]) for whole in (before, made.text))
    if max(len(old), len(new)) > MAX_FILE_BYTES:
        raise CallUnreadable(_FAR.format(target.shown))
    stretch = Stretch(
        start=start,
        lines=before.count("\n", 0, start),
        old_file=digest_of(data),
        new_file=digest_of(made.text.encode(_BYTES)),
    )
    return Edit(path=target.resolved, old=old, new=new, stretch=stretch), made


def whole_after(edit: Edit, stretch: Stretch, shown: str) -> tuple[bytes, bytes]:
    """All of the file as it stands, if that is what was judged, and as the edit leaves it."""
    data = bytes_of(edit.path, shown)
    if digest_of(data) != stretch.old_file:
        raise CallUnreadable(_STALE.format(shown))
    end = stretch.start + len((edit.old or "").encode())
    return data, data[: stretch.start] + edit.new.encode() + data[end:]


def back(edit: Edit, stretch: Stretch) -> Edit:
    """The change that takes this one back."""
    turned = evolve(stretch, old_file=stretch.new_file, new_file=stretch.old_file)
    return evolve(edit, old=edit.new, new=edit.old or "", stretch=turned)


def _in_bytes(replacement: Replacement) -> _InBytes:
    try:
        old, new = (text.encode().decode(_BYTES) for text in (replacement.old, replacement.new))
    except UnicodeEncodeError as error:
        raise Unfit(None, "Half a letter stands in what is to be replaced, or put in.") from error
    return _InBytes(old=old, new=new, everywhere=replacement.everywhere)


def _letters(text: str) -> str:
    return text.encode(_BYTES).decode("utf-8")


def _is_utf_8(data: bytes) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for piece in _pieces(data):
            decoder.decode(piece)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _pieces(data: bytes) -> Iterator[memoryview]:
    view = memoryview(data)
    yield from (view[at : at + _PIECE_BYTES] for at in range(0, len(data), _PIECE_BYTES))


def _apart(old: str, new: str) -> tuple[int, int]:
    """How much of both is equal at the beginning and at the end, in whole lines, less a few."""
    start = shared(old, new)
    end = shared(old[start:][::-1], new[start:][::-1])
    # From here on both ends are looked for in the old text, which is the same there.
    start, stop = old.rfind("\n", 0, start) + 1, len(old) - end
    for _ in range(_CONTEXT_LINES):
        start = old.rfind("\n", 0, max(start - 1, 0)) + 1
    for _ in range(_CONTEXT_LINES + (stop > 0 and old[stop - 1] != "\n")):
        broken = old.find("\n", stop)
        stop = len(old) if broken < 0 else broken + 1
    return start, len(old) - stop
