"""Shows the person a long call while the model still writes it: its kind and its length.

It is the agent's proposal and no more: nothing of it is judged, drawn as a card or run before it
is whole. Short calls are never seen here. It is gone with the call, however that ends.
"""

import re
from collections.abc import Callable, Mapping
from json.decoder import scanstring  # type: ignore[attr-defined]  # public, and in no stub
from typing import Final

from assent.gate.values import define, field

__all__ = ["CallDrafts", "member_of"]

_MIN_SHOWN_BYTES: Final = 2_000
"""In bytes: what is shorter is there in a moment."""
_SHOWN_STEP_BYTES: Final = 1_000
"""Told again whenever it has grown by so many."""
_HEAD_LETTERS: Final = 4_000
"""So many characters of its beginning are read for what it is about."""

_WORDS: Final[Mapping[str, str]] = {
    "write_file": "a file",
    "edit_file": "a change",
    "run_command": "a command",
    "present_plan": "a plan",
    "run_subtask": "a part of the work",
}
"""What is proposed."""
_OTHER: Final = "a call"
_OF_A_PATH: Final[Mapping[str, str]] = {"write_file": "to write", "edit_file": "to change"}
"""The same before the path of a file; of no other tool a word of the model is told."""

Tell = Callable[[str, str, int], None]
"""Takes what is proposed, in our words; the path that it is about, in the model's; how many bytes
of it there are. Nothing is proposed any more where the first is empty."""

_HALF: Final = re.compile(r"[\ud800-\udfff]")
_BLANK: Final = re.compile(r"[ \t\r\n]*")
_PLAIN: Final = re.compile(r"(?:true|false|null|-?[0-9.eE+-]+)(?=[ \t\r\n]*,)")


@define
class _Draft:
    name: str
    head: str = ""
    size: int = 0
    shown_size: int = 0


@define
class CallDrafts:
    """The calls of one reply that are still being written."""

    _tell: Tell
    _drafts: dict[int, _Draft] = field(factory=dict)
    _shown: int | None = None

    def begin(self, key: int, name: str) -> None:
        """The model began a call."""
        self._drafts[key] = _Draft(name)

    def more(self, key: int, piece: str) -> None:
        """The model wrote more of its arguments."""
        draft = self._drafts.get(key)
        if draft is None:
            return
        draft.size += len(piece.encode("utf-8", "surrogatepass"))
        draft.head += piece[: _HEAD_LETTERS - len(draft.head)]
        if draft.size >= _MIN_SHOWN_BYTES and draft.size - draft.shown_size >= _SHOWN_STEP_BYTES:
            draft.shown_size, self._shown = draft.size, key
            self._tell(*_proposed(draft), draft.size)

    def end(self, key: int) -> None:
        """It is whole."""
        self._drafts.pop(key, None)
        if self._shown == key:
            self._hide()

    def stop(self) -> None:
        """None of them is written any more."""
        self._drafts.clear()
        if self._shown is not None:
            self._hide()

    def _hide(self) -> None:
        self._shown = None
        self._tell("", "", 0)


def _proposed(draft: _Draft) -> tuple[str, str]:
    """What is proposed, and the path that it is about, where that is known."""
    before = _OF_A_PATH.get(draft.name)
    path = (member_of(draft.head, "path") or "") if before else ""
    # One with half a character in it is no path, and the call will be refused.
    if before and path.strip() and not _HALF.search(path):
        return before, path
    return _WORDS.get(draft.name, _OTHER), ""


def member_of(text: str, name: str) -> str | None:
    r"""A text that is a member of an object, as far as the object is written.

    >>> member_of('{"path": "src/x.py", "content": "\\"path\\": 1', "path")
    'src/x.py'
    >>> member_of('{"content": "the path is not there y', "path")
    """
    at = _BLANK.match(text).end()  # type: ignore[union-attr]  # nothing at all is a match
    if text[at : at + 1] != "{":
        return None
    try:
        while True:
            at = _after(text, at + 1, '"')
            key, at = scanstring(text, at, True)
            at = _after(text, at, ":")
            at = _BLANK.match(text, at).end()  # type: ignore[union-attr]
            if text[at] == '"':
                value, at = scanstring(text, at + 1, True)
            elif key != name and (match := _PLAIN.match(text, at)):
                value, at = None, match.end()
            else:
                return None
            if key == name:
                return str(value)
            at = _after(text, at, ",") - 1
    except (ValueError, IndexError):
        return None


def _after(text: str, at: int, letter: str) -> int:
    """Behind a letter that comes next; `ValueError` where another comes, or none does yet."""
    at = _BLANK.match(text, at).end()  # type: ignore[union-attr]
    if text[at] != letter:
        raise ValueError(letter)
    return at + 1
