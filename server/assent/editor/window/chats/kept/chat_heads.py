"""The head of a kept chat: its facts beside the conversation, and its searchable words."""

from typing import Final

from assent.agent.chats.values import Head
from assent.agent.loop.conversation import Approved, Conversation
from assent.editor.lsp.wire import written
from assent.editor.protocol import chats, records
from assent.editor.window.chats.entries import Item
from assent.editor.window.chats.kept.decode_chat import More, Plan, more_of
from assent.editor.window.chats.transcript import Transcript
from assent.gate.values import frozen

__all__ = ["Hosted", "head_of", "words_of"]

_MAX_SEARCHED_LETTERS: Final = 64 * 1024
"""In letters, of each entry."""
_MAX_PLAN_LETTERS: Final = 100_000
_MAX_PLACES: Final = 200
"""So many messages of the person can be gone back to."""


@frozen(kw_only=True)
class Hosted:
    """What is known of a chat's agent while it has one; it is gone before the chat is."""

    conversation: Conversation | None
    model: str
    session: str
    tools: tuple[str, ...] = ()
    """The calls that an agent of other people told of, by digests of its own ids."""


def head_of(chat: Transcript, asleep: Head | None, hosted: Hosted | None) -> Head:
    """What is kept of a chat; while nobody spoke with its agent, what was kept of that before."""
    agent = asleep or hosted
    return Head(
        id=chat.chat,
        workspace="",
        agent=chat.agent,
        title=chat.title,
        mode=chat.mode.value,
        model=agent.model if agent else "",
        effort=chat.effort or "",
        session=agent.session if agent else "",
        more=written(_more(chat, asleep, hosted)).decode(),
        touched=asleep.touched if asleep else 0,
    )


def _more(chat: Transcript, asleep: Head | None, hosted: Hosted | None) -> More:
    title_fields = {"named": chat.is_named, "agent_title": chat.agent_title}
    if asleep is not None:
        return more_of(asleep.more).model_copy(update=title_fields)
    own = hosted.conversation if hosted is not None else None
    approved = own.approved if own is not None else None
    return More(
        named=chat.is_named,
        agent_title=chat.agent_title,
        tools=list(hosted.tools) if hosted is not None else [],
        plan=own.plan[:_MAX_PLAN_LETTERS] if own is not None else "",
        approved=None if approved is None else _plan(approved),
        places=dict(list(own.places.items())[-_MAX_PLACES:]) if own is not None else {},
        running=chat.running,
    )


def _plan(approved: Approved) -> Plan:
    return Plan(call=approved.call, plan=approved.plan, mode=approved.mode.value)


def words_of(item: Item) -> str:
    """What an entry is found by."""
    match item:
        case chats.Said():
            return item.text[:_MAX_SEARCHED_LETTERS]
        case records.CallRecord():
            return "".join(span.text for span in item.title)[:_MAX_SEARCHED_LETTERS]
        case _:
            return ""
