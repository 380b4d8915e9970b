"""Repeats the person's last words if their chat ended before an answer.

That is what *Ask again* in the chat does. It allows nothing: what the agent then wants to do is
ruled on and asked about as whatever it wants.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from assent.editor.protocol import chats, records
from assent.editor.protocol import history as shapes
from assent.editor.window.chats.board import Board
from assent.editor.window.chats.kept.chat_list import KeptChats
from assent.editor.window.chats.last_words import LastWords, last_words
from assent.editor.window.record.history import History, RecordRows
from assent.gate.approvals.tickets import Outcome
from assent.gate.call.calls import ChatId
from assent.gate.call.errors import AssentError
from assent.gate.call.verdicts import Actor
from assent.gate.journal import events
from assent.gate.journal.row_marks import body_of
from assent.gate.values import define

__all__ = ["Retry", "was_withdrawn"]

_PAGE_TURNS: Final = 100
_MAX_PAGES: Final = 50
_ENDED: Final = frozenset({Actor.STOP.value, Actor.AGENT_GONE.value})
_ANSWERED: Final = "This question did not end with its chat, so it is not asked again."
_NO_CHAT: Final = "Its chat is not kept any more, so nobody is left who could ask it again."
_NO_WORDS: Final = (
    "The words that led to it are not found in its chat any more; open the chat and say them again."
)


def was_withdrawn(record_rows: RecordRows) -> bool:
    """Whether a record is of a question that ended with its chat, its agent or its server."""
    body = body_of(record_rows.row)
    was_asked = bool(body.get("ticket")) or any(
        other["kind"] == "asked" for other in record_rows.others
    )
    if record_rows.row["kind"] != "decided" or not record_rows.row["chat"] or not was_asked:
        return False
    # What a run leaves open that is killed is closed by the next one, which names that run.
    ended = body.get("by") in _ENDED or "epoch" in body
    return ended and body.get("outcome") in {Outcome.REFUSED, Outcome.WITHDRAWN}


@define
class Retry:
    """One for the whole server."""

    _history: History
    _earlier: KeptChats
    _board: Board
    _prompt: Callable[[chats.Prompt], Awaitable[chats.TurnEnd]]

    async def ask(self, params: shapes.RecordRef) -> chats.Nothing:
        """`history/askAgain`: answered when the agent's turn ends."""
        rows = await self._history.find(params)
        if not was_withdrawn(rows):
            raise AssentError(_ANSWERED)
        chat = ChatId(str(rows.row["chat"]))
        try:
            await self._earlier.open(chats.ChatRef(chat_id=chat))
            self._board.known(chat)
        except AssentError as error:
            if self._board.is_full:
                raise
            raise AssentError(f"{_NO_CHAT} ({error})") from error
        words = await self._words_before(chat, rows.row)
        if words.left_out:
            self._board.tell(events.Noticed(chat=chat, level="info", text=words.left_out))
        ended = await self._prompt(chats.Prompt(chat_id=chat, text=words.text))
        if ended.reason == "error":
            raise AssentError(ended.because or "The agent's turn failed.")
        return chats.Nothing()

    async def _words_before(self, chat: ChatId, row: Mapping[str, Any]) -> LastWords:
        """What the person had said last before the call of a record."""
        read, before = list[chats.Item](), self._board.known(chat).length
        for _ in range(_MAX_PAGES):
            if before <= 0:
                break
            wanted = chats.WantTurns(chat_id=chat, before=before, limit=_PAGE_TURNS)
            page = await self._earlier.turns(wanted)
            read = [*page.items, *read]
            at = next((at for at, item in enumerate(read) if _is_of(item, row)), 0)
            if words := last_words(read[:at]):
                return words
            before = page.first if page.first < before else 0
        raise AssentError(_NO_WORDS)


def _is_of(item: chats.Item, row: Mapping[str, Any]) -> bool:
    return isinstance(item, records.CallRecord) and item.call_id == row["call"]
