"""The lines of a chat's changes, as values and as they are stored."""

from typing import Annotated, Final, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from assent.editor.lsp.wire import unwritten, written
from assent.editor.protocol.shapes import Shape
from assent.gate.call.calls import Edit, Stretch
from assent.gate.text.encodings import Encoding
from assent.gate.text.prefixes import shared

__all__ = [
    "BegunLine",
    "EditLine",
    "EndLine",
    "KeptLine",
    "Line",
    "RanLine",
    "SaidLine",
    "edit_in",
    "edit_line",
    "kept_line",
    "line_bytes",
    "line_of",
    "text_in",
]


class BegunLine(Shape):
    """What came before this was more than is kept."""

    kind: Literal["begun"] = "begun"


class SaidLine(Shape):
    """The person said something, by its message."""

    kind: Literal["said"] = "said"
    message: str


class _Text(Shape):
    """A text, told by how it differs from another one."""

    head: int
    """So many letters of the other begin it."""
    middle: str
    tail: int
    """So many end it."""


class EditLine(Shape):
    """A file is about to be another."""

    kind: Literal["edit"] = "edit"
    call: str
    """Nothing where the person does it."""
    path: str
    shown: str
    old: str | None = None
    is_same: bool = False
    """Whether the old text is what our last edit left there."""
    new: _Text | None = None
    """Null where the file is to be gone."""
    encoding: Encoding = Field(default=Encoding.UTF_8, strict=False)
    stretch: tuple[int, int, str, str] | None = Field(default=None, strict=False)


class EndLine(Shape):
    """Whether what a call was about to change was changed."""

    kind: Literal["end"] = "end"
    call: str
    done: bool


class KeptLine(Shape):
    """The person keeps changes of a file: what it is held against is another text from now on."""

    kind: Literal["kept"] = "kept"
    path: str
    base: _Text | None = None
    """Told by how it differs from what stands there; null where there is no file."""


class RanLine(Shape):
    """Something ran of which nobody knows which files it changed."""

    kind: Literal["ran"] = "ran"
    tool: str
    what: str
    cwd: str


Line = Annotated[
    BegunLine | SaidLine | EditLine | EndLine | KeptLine | RanLine, Field(discriminator="kind")
]

_LINE: Final[TypeAdapter[Line]] = TypeAdapter(Line, config=ConfigDict(defer_build=True))


def line_of(body: bytes) -> Line | None:
    """A line as it was kept; None where it is none that this version knows."""
    try:
        return unwritten(_LINE, body)
    except (ValidationError, ValueError, RecursionError):
        return None


def line_bytes(line: Line) -> bytes:
    """A line as it is kept."""
    return written(line)


def edit_line(
    call: str, edit: Edit, shown: str, left: str | None, *, gone: bool = False
) -> EditLine:
    """The line of an edit, in a file in which our last edit left that."""
    is_same = edit.old is not None and edit.old == left
    return EditLine(
        call=call,
        path=edit.path,
        shown=shown,
        old=None if is_same else edit.old,
        is_same=is_same,
        new=None if gone else _apart(edit.old or "", edit.new),
        encoding=edit.encoding,
        stretch=None if edit.stretch is None else _stretch(edit.stretch),
    )


def edit_in(line: EditLine, left: str | None) -> Edit:
    """The edit of a line."""
    old = left if line.is_same else line.old
    return Edit(
        path=line.path,
        old=old,
        new=_put_together(line.new, old) or "",
        encoding=line.encoding,
        stretch=None if line.stretch is None else _stretch_in(line.stretch),
    )


def kept_line(path: str, base: str | None, current: str | None) -> Line:
    """The line that says against what a file is held from now on."""
    return KeptLine(path=path, base=None if base is None else _apart(current or "", base))


def text_in(line: KeptLine, current: str | None) -> str | None:
    """The text of that line."""
    return _put_together(line.base, current)


def _apart(old: str, new: str) -> _Text:
    head = shared(old, new)
    tail = shared(old[head:][::-1], new[head:][::-1])
    return _Text(head=head, middle=new[head : len(new) - tail], tail=tail)


def _put_together(text: _Text | None, other: str | None) -> str | None:
    if text is None:
        return None
    old = other or ""
    return old[: text.head] + text.middle + old[max(0, len(old) - text.tail) :]


def _stretch(stretch: Stretch) -> tuple[int, int, str, str]:
    return stretch.start, stretch.lines, stretch.old_file, stretch.new_file


def _stretch_in(fields: tuple[int, int, str, str]) -> Stretch:
    start, lines, old_file, new_file = fields
    return Stretch(start=start, lines=lines, old_file=old_file, new_file=new_file)
