"""Tells our own agent that its work was interrupted, and which calls may have run.

What came of the calls of a reply is in the conversation only once that reply is over; until then
the records alone know of them.
"""

import json
from collections.abc import Sequence
from typing import Final

from assent.agent.loop.conversation import Conversation
from assent.agent.models.conversation import Answered
from assent.editor.cards.spans import shown
from assent.editor.protocol import chats, records
from assent.editor.window.chats.entries import Item
from assent.editor.window.chats.kept.decode_chat import UNKNOWN, WITHDRAWN, More
from assent.gate.call.lifecycle import State
from assent.gate.text.shortening import shortened

__all__ = ["tell_broken_off"]

_MAX_CALLS_NAMED: Final = 20
"""So many calls are named, the last of them."""
_MAX_TITLE_LETTERS: Final = 300
_NOTE: Final = (
    "[Assent ended while you worked on this. Calls that you had begun may have run; look before"
    " you make them again.{}]"
)
_BEGUN: Final = " Of these you were told nothing:\n"
_HOW: Final = {
    UNKNOWN: "it ran when Assent ended, and may have done all that it does",
    WITHDRAWN: "it was asked about; as far as is known nothing of it ran",
}
_ENDED: Final = "it had begun and is over ({})"


def tell_broken_off(conversation: Conversation, more: More, items: Sequence[Item]) -> None:
    """Note it where the agent was at work when the chat was last kept."""
    if not more.running:
        return
    answered = {
        result.call
        for turn in conversation.turns
        if isinstance(turn, Answered)
        for result in turn.results
    }
    lines = [_line(call_record) for call_record in _untold(items, answered)]
    conversation.note(_NOTE.format(_BEGUN + "\n".join(lines) if lines else ""))


def _untold(items: Sequence[Item], answered: set[str]) -> list[records.CallRecord]:
    """The last calls that began and of which the conversation holds no result."""
    call_records: list[records.CallRecord] = []
    # Words that were said into the turn stand between its calls; those of a part before them
    # belong to a call that is over, or are named by it.
    is_past_words = False
    for item in reversed(items):
        if isinstance(item, chats.Said):
            is_past_words = is_past_words or item.kind == "user"
        if not isinstance(item, records.CallRecord):
            continue
        if item.call_id in answered or len(call_records) == _MAX_CALLS_NAMED:
            break
        if _has_begun(item) and not (item.part and is_past_words):
            call_records.append(item)
    return call_records[::-1]


def _has_begun(record: records.CallRecord) -> bool:
    return record.state != State.REFUSED.value or record.because == WITHDRAWN


def _line(record: records.CallRecord) -> str:
    """The call's own words are quoted: nothing of them is ours."""
    title = " ".join(shown("".join(span.text for span in record.title)).split())
    how = _HOW.get(record.because) or _ENDED.format(record.state)
    return f"- {json.dumps(shortened(title, _MAX_TITLE_LETTERS), ensure_ascii=False)}: {how}."
