"""Shows a model pictures and documents, if it accepts them."""

import base64
import binascii
import os
from typing import BinaryIO, Final

from assent.agent.models.attachments import Attachment, document, picture
from assent.agent.tools.file_access import sized
from assent.agent.tools.tool import Done, ToolFailed
from assent.gate.call.calls import Target
from assent.gate.text.pictures import picture_in
from assent.gate.values import frozen

__all__ = ["Eyes", "exhibited", "pictured", "why_unseen"]

_MAX_BYTES_BY_IS_PDF: Final = {True: 8_000_000, False: 3_500_000}
"""In bytes, of a document and of a picture: hosts take no larger ones."""
_PDF: Final = b"%PDF-"
_TOO_MUCH: Final = (
    "it would take about {:,} of your tokens, where one file may take {:,}: the rest of the"
    " conversation would be lost for it. Look at it in parts, or as text, by a command."
)


@frozen
class Eyes:
    """What a model can be shown."""

    takes: frozenset[str]
    """The kinds of pictures and documents."""
    most: int | None
    """In tokens, of one; None where that is not known."""


def exhibited(target: Target, file: BinaryIO, kind: str, eyes: Eyes) -> Done:
    """What comes of reading a file of some kind that is no text; raises `ToolFailed`."""
    size = file.seek(0, os.SEEK_END)
    subject = f"{target.shown} is {kind} ({sized(size)}), which cannot be shown as text"
    file.seek(0)
    raw = file.read(max(_MAX_BYTES_BY_IS_PDF.values()) + 1)
    most = _MAX_BYTES_BY_IS_PDF[raw.startswith(_PDF)]
    if len(raw) > most:
        what = f", and is larger than the {sized(most)} that are shown otherwise"
        raise ToolFailed(f"{subject}{what if _may_be_shown(raw) else ''}.")
    shown = _attachment(raw, target.shown)
    if shown is None:
        raise ToolFailed(f"{subject}.")
    if shown.mime not in eyes.takes:
        raise ToolFailed(f"{subject}, and you take nothing of that kind.")
    if eyes.most is not None and shown.tokens > eyes.most:
        raise ToolFailed(f"{subject}, and {_TOO_MUCH.format(shown.tokens, eyes.most)}")
    what = f"{shown.says} ({sized(size)})"
    return Done(
        text=f"{target.shown} is {what}. It is shown to you.", shown=what, attached=(shown,)
    )


def pictured(data: str) -> Attachment | str:
    """A picture in base64; why it is shown to nobody, where that cannot be."""
    try:
        raw = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return "[A picture that could not be read.]"
    shown = picture(raw)
    if shown is None or len(raw) > _MAX_BYTES_BY_IS_PDF[False]:
        return "[A picture that cannot be shown.]"
    return shown


def why_unseen(shown: Attachment, eyes: Eyes) -> str:
    """Why a model is not shown a picture that the person sees; nothing where it is."""
    if shown.mime not in eyes.takes:
        return f"[{shown.says}, of which you take none.]"
    if eyes.most is not None and shown.tokens > eyes.most:
        return f"[{shown.says}, which would take about {shown.tokens:,} of your tokens.]"
    return ""


def _may_be_shown(raw: bytes) -> bool:
    return raw.startswith(_PDF) or picture_in(raw) is not None


def _attachment(raw: bytes, name: str) -> Attachment | None:
    return document(raw, name) if raw.startswith(_PDF) else picture(raw, name)
