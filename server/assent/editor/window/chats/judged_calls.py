"""Keeps each call as it was judged beside its record, so that it can be read whole later.

It is kept once it is decided, in a file of the chat, and with its record in the file of the chats.
What takes more than its bound is kept as a picture of it, in which is said what was left out.
"""

import json
from pathlib import PurePath
from typing import Any, Final

from pydantic import TypeAdapter

from assent.editor.cards.finished_cards import body_afterwards, made_by, members_afterwards
from assent.editor.cards.hunks import Room
from assent.editor.lsp.wire import unwritten, written
from assent.editor.protocol.records import RecordKept
from assent.editor.protocol.shapes import Shape
from assent.gate.call.calls import (
    AgentId,
    Call,
    CallId,
    ChatId,
    Edit,
    Effect,
    Stretch,
    Target,
    texts_in,
)
from assent.gate.text.prefixes import shared
from assent.gate.text.shortening import shortened
from assent.gate.values import evolve

__all__ = ["MAX_CALL_BYTES", "NO_MORE", "call_in", "judged_of", "kept_as", "picture_of", "texts_of"]

MAX_CALL_BYTES: Final = 256 * 1024
"""In bytes, of each call."""

NO_MORE: Final = "No more than this was kept of it."
_CUT: Final = "It was too long to be kept whole: what is left out is said where it is missing."
_MORE: Final = "It changes more than is shown here; open the diff to see all of it."
_NO_TEXTS: Final = (
    " What stood in its files before is not kept either, so there is no diff to open."
)

_ROOM_FACTOR: Final = 4
_ROOMS_LETTERS: Final = tuple(4 * 1024 * _ROOM_FACTOR**power for power in range(3))
"""In characters: how much of a call that is too long is tried to be kept, as long as that fits.
What hides letters takes many times the bytes, and its time."""
_LETTERS_A_LINE: Final = 80
"""About so much room a line of a change is given."""


class _Target(Shape):
    """What it touched."""

    spelled: str
    resolved: str
    inside: bool
    shown: str


class _Edit(Shape):
    """What it changed: the text before, and what came in the place of its middle."""

    path: str
    old: str | None
    head: int
    middle: str
    tail: int
    lines: int | None = None
    """How many lines of a large file stand before these texts."""


class _Judged(Shape):
    """A call, as far as its picture is made of it."""

    tool: str
    effect: str
    action: str
    input: dict[str, Any]
    cwd: str
    folder: str
    unreadable: str | None
    targets: list[_Target]
    edits: list[_Edit]


class _Kept(Shape):
    """A call, or the picture of one that was too long."""

    call: _Judged | None = None
    picture: RecordKept | None = None
    left: int = 0
    """So many of its last members are not in that."""


_KEPT: Final[TypeAdapter[_Kept]] = TypeAdapter(_Kept)


def judged_of(body: bytes) -> bytes:
    """What is kept beside an entry; nothing where that is more than was ever written."""
    kept = body.partition(b"\n")[2]
    return kept if len(kept) <= MAX_CALL_BYTES else b""


def picture_of(kept: bytes) -> RecordKept:
    """What is shown of it; whoever wrote it, it is drawn and never run."""
    try:
        record = unwritten(_KEPT, kept)
        if record.call is not None:
            picture = _picture(_call_of(record.call), Room())
            written(picture)
            return picture
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return RecordKept(note=NO_MORE)
    if record.picture is None or record.picture.body is None:
        return RecordKept(note=NO_MORE)
    note = _CUT + (_NO_TEXTS if record.picture.body.kind == "edit" else "") + _left(record.left)
    return record.picture.model_copy(update={"texts": False, "note": note})


def _left(members: int) -> str:
    return f" Its last {members:,} members are left out." if members > 0 else ""


def texts_of(kept: bytes) -> tuple[Edit, ...]:
    """What stood in its files and what came, where both are still known."""
    call = call_in(kept)
    edits = call.edits if call else ()
    return edits if all(PurePath(edit.path).is_absolute() for edit in edits) else ()


def kept_as(call: Call) -> bytes:
    """A call as it is kept: whole, or the picture of one that is too long; nothing of none."""
    whole = b"" if _letters_of(call) > MAX_CALL_BYTES else written(_Kept(call=_judged(call)))
    if 0 < len(whole) <= MAX_CALL_BYTES:
        return whole
    kept = b""
    for room in _ROOMS_LETTERS:
        picture = written(_cut(call, room))
        if len(picture) > MAX_CALL_BYTES:
            break
        kept = picture
        if _ROOM_FACTOR * len(picture) > MAX_CALL_BYTES:
            # The next would take so many times as much.
            break
    return kept


def _letters_of(call: Call) -> int:
    """At least so many bytes it takes."""
    return sum(map(len, texts_in(call.input))) + sum(len(edit.old or "") for edit in call.edits)


def _cut(call: Call, room: int) -> _Kept:
    """The picture of a call without the middle of what is long in it, and its first members."""
    few = dict[str, Any]()
    most, left = room // 16, room
    for name, value in call.input.items():
        short = _short(value, most)
        left -= len(name) + len(str(short))
        if left < 0:
            break
        few[name] = short
    lines = Room(lines=room // _LETTERS_A_LINE, size=room)
    picture = _picture(evolve(call, input=few), lines)
    return _Kept(picture=picture, left=len(call.input) - len(few))


def _short(value: Any, most: int) -> Any:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return value if len(text) <= most else shortened(text, most)


def _picture(call: Call, room: Room) -> RecordKept:
    body = body_afterwards(call, room)
    has_texts = body.kind == "edit" and bool(call.edits)
    return RecordKept(
        body=body,
        members=members_afterwards(call),
        texts=has_texts,
        note="" if room.whole else _MORE,
        uri=made_by(call),
    )


def _judged(call: Call) -> _Judged:
    return _Judged(
        tool=call.tool,
        effect=call.effect.value,
        action=call.action,
        input=call.input,
        cwd=call.cwd,
        folder=call.folder,
        unreadable=call.unreadable,
        targets=[
            _Target(
                spelled=target.spelled,
                resolved=target.resolved,
                inside=target.inside,
                shown=target.shown,
            )
            for target in call.targets
        ],
        edits=[_edit(edit) for edit in call.edits],
    )


def _edit(edit: Edit) -> _Edit:
    old, new = edit.old or "", edit.new
    head = shared(old, new)
    tail = shared(old[head:][::-1], new[head:][::-1])
    middle = new[head : len(new) - tail]
    lines = edit.stretch.lines if edit.stretch is not None else None
    return _Edit(path=edit.path, old=edit.old, head=head, middle=middle, tail=tail, lines=lines)


def call_in(kept: bytes) -> Call | None:
    """The call as far as it is known; None where a picture of it is kept, or nothing."""
    try:
        record = unwritten(_KEPT, kept)
        return None if record.call is None else _call_of(record.call)
    except (ValueError, RecursionError):
        return None


def _call_of(kept: _Judged) -> Call:
    """The call, of which nothing is known that its picture does not tell."""
    return Call(
        id=CallId(""),
        chat=ChatId(""),
        agent=AgentId(""),
        tool=kept.tool,
        effect=Effect(kept.effect),
        action=kept.action,
        input=kept.input,
        cwd=kept.cwd,
        folder=kept.folder,
        unreadable=kept.unreadable,
        targets=tuple(
            Target(
                spelled=target.spelled,
                resolved=target.resolved,
                inside=target.inside,
                shown=target.shown,
            )
            for target in kept.targets
        ),
        edits=tuple(
            Edit(path=edit.path, old=edit.old, new=_new(edit), stretch=_stretch(edit))
            for edit in kept.edits
        ),
    )


def _stretch(edit: _Edit) -> Stretch | None:
    """Where its lines stood in a large file, of which nothing else is known any more."""
    if edit.lines is None:
        return None
    return Stretch(start=0, lines=edit.lines, old_file="", new_file="")


def _new(edit: _Edit) -> str:
    old = edit.old or ""
    return old[: edit.head] + edit.middle + old[max(0, len(old) - edit.tail) :]
