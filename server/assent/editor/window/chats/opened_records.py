"""Shows a record in full when it is opened: what ran, what changed, what sound was made."""

import asyncio
import base64
import os
from pathlib import PurePath
from typing import Final

from assent.editor.cards.finished_cards import sound_made_by
from assent.editor.lsp.wire import Wire
from assent.editor.protocol import agents, chats, records
from assent.editor.window.chats import diffs
from assent.editor.window.chats.board import Board
from assent.editor.window.chats.call_shapes import UNDECIDED
from assent.editor.window.chats.entries import Item
from assent.editor.window.chats.judged_calls import (
    NO_MORE,
    call_in,
    judged_of,
    picture_of,
    texts_of,
)
from assent.editor.window.chats.kept import decode_chat
from assent.editor.window.chats.kept.chat_saver import ChatSaver
from assent.editor.window.chats.transcript import Transcript
from assent.gate.call.errors import AssentError
from assent.gate.call.lifecycle import State
from assent.gate.settings.ordinary_files import read_ordinary
from assent.gate.settings.private_files import reason
from assent.gate.text.sounds import sound_in
from assent.gate.values import define

__all__ = ["OpenedRecords"]

_GONE: Final = "There is no such record any more."
_OPEN: Final = "It is not decided yet: its card shows all of it."
_NO_TEXTS: Final = "What stood in the file before is not known any more, so there is no diff."
_MAX_SOUND_BYTES: Final = 16 * 1024 * 1024
"""In bytes: many minutes of speech, however it is written."""
_SILENT: Final = "Nothing is known of a sound that this call made."
_UNREAD: Final = "It cannot be played: {}."
_ELSEWHERE: Final = "It cannot be played: its file leads to another one now."
_OTHER: Final = "It cannot be played: its file is no WAV, MP3, Ogg or FLAC any more."


@define(eq=False)
class OpenedRecords:
    """Serves `tool/record`, `tool/openRecordDiff` and `tool/sound`."""

    _wire: Wire
    _board: Board
    _keeping: ChatSaver

    async def show(self, params: records.WantRecord) -> records.RecordKept:
        """`tool/record`."""
        record, kept = await self._find_record(params)
        if State(record.state) in UNDECIDED:
            return records.RecordKept(note=_OPEN)
        return picture_of(kept) if kept else records.RecordKept(note=NO_MORE)

    async def open_diff(self, params: records.RecordFile) -> chats.Nothing:
        """`tool/openRecordDiff`."""
        _, kept = await self._find_record(params)
        edits = texts_of(kept)
        if params.file >= len(edits):
            raise AssentError(_NO_TEXTS)
        await diffs.show(self._wire, edits[params.file], "as it was changed")
        return chats.Nothing()

    async def sound(self, params: records.WantRecord) -> agents.SoundKept:
        """`tool/sound`."""
        record, kept = await self._find_record(params)
        call = call_in(kept) if record.sound else None
        path = call.targets[0].resolved if call and sound_made_by(call) else ""
        if not PurePath(path).is_absolute():
            raise AssentError(_SILENT)
        # It may be long, and others are waiting.
        return await asyncio.to_thread(_heard, path)

    async def _find_record(self, params: records.WantRecord) -> tuple[records.CallRecord, bytes]:
        """The record and what is kept of its call, from this run or from those before."""
        chat = self._board.known(params.chat_id)
        item, kept = chat.entry(params.entry), chat.judged(params.entry)
        if item is None or not kept:
            before, also_kept = await self._before(chat, params.entry)
            item, kept = item or before, kept or also_kept
        if not isinstance(item, records.CallRecord) or item.call_id != params.call_id:
            raise AssentError(_GONE)
        return item, kept

    async def _before(self, chat: Transcript, number: int) -> tuple[Item | None, bytes]:
        """What the file of the chats has of an entry."""
        if not self._keeping.is_on:
            return None, b""
        store = self._keeping.store
        bodies = await self._keeping.asked(lambda: store.page(chat.chat, number + 1, 1))
        if not bodies:
            return None, b""
        return decode_chat.item_of(bodies[0], lives=chat.is_elsewhere), judged_of(bodies[0])


def _heard(path: str) -> agents.SoundKept:
    if os.path.realpath(path) != path:
        raise AssentError(_ELSEWHERE)
    try:
        raw = read_ordinary(path, _MAX_SOUND_BYTES)
    except (OSError, ValueError) as error:
        said = reason(error) if isinstance(error, OSError) else "its path is none"
        raise AssentError(_UNREAD.format(said)) from error
    mime = sound_in(raw)
    if mime is None:
        raise AssentError(_OTHER)
    data = base64.b64encode(raw).decode()
    return agents.SoundKept(mime=mime, data=data)  # type: ignore[arg-type]  # one of the four
