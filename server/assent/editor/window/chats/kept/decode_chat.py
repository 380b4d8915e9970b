"""Decodes a kept chat: strictly by its shapes, and so that nothing is allowed more for it.

Whatever stands there may have been written by somebody else. It makes no grant, no looser mode and
no command: a call that is read here is drawn, and there is nothing about it that can be done.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Final

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from assent.agent.chats.stored_turns import turns_of
from assent.agent.chats.values import Head, Listed, Loaded
from assent.agent.loop.conversation import Approved, Conversation
from assent.agent.models.conversation import Answered, Replied, Said, Turn
from assent.editor.lsp.wire import unwritten, written
from assent.editor.protocol import agents, chats, earlier, records
from assent.editor.protocol.shapes import Shape
from assent.editor.window.chats.cut_to_size import cut_line
from assent.editor.window.chats.entries import Item, entry_of
from assent.editor.window.chats.last_words import LastWords
from assent.gate.call.lifecycle import State, is_end
from assent.gate.call.modes import NAMES, Mode, stricter
from assent.gate.journal.agent_events import Image
from assent.gate.text.shortening import bytes_of
from assent.gate.values import evolve
from assent.hosting.connection.shown_contents import text_of_block

__all__ = [
    "UNKNOWN",
    "WITHDRAWN",
    "More",
    "Plan",
    "conversation_of",
    "item_of",
    "items_of",
    "mode_notice",
    "mode_of",
    "more_of",
    "named",
    "told_in_list",
    "withdrawn_notice",
]

MAX_ENTRY_BYTES: Final = 4 * 1024 * 1024
"""In bytes: no entry that was written here takes more."""

_ITEM: Final[TypeAdapter[Item]] = TypeAdapter(Item, config=ConfigDict(defer_build=True))

WITHDRAWN: Final = "Withdrawn: Assent ended before you had answered, so nothing of it ran."
UNKNOWN: Final = "Assent ended while it ran; how it ended is not known."
_LIVING: Final = {
    State.PROPOSED: "It waits where the chat is open.",
    State.WAITING: "It waits for an answer where the chat is open.",
    State.RUNNING: "It runs where the chat is open.",
}
_ASKED: Final = "A question was open when Assent ended. It is withdrawn, and nothing of it ran."
_AGAIN: Final = "Asking again says your last words to the agent once more; that allows nothing."
_MAX_OFFERED_BYTES: Final = 256 * 1024
"""In bytes on the wire: longer words are not offered beside a notice."""
_UNREAD: Final = "What stood here cannot be read any more."
_WAS: Final = (
    "This chat was in {}. It comes back in {}: nothing that was allowed for it comes back."
)


_NONE: Any = Field(default_factory=dict, max_length=2_000)


class Plan(Shape):
    """A plan that the person had approved."""

    call: str
    plan: str
    mode: chats.ModeName


class More(Shape):
    """What comes back with a chat beside what was said in it."""

    named: bool = False
    agent_title: Annotated[str, Field(max_length=2_000)] = ""
    plan: Annotated[str, Field(max_length=100_000)] = ""
    """Our own agent's, as it wrote it down last."""
    approved: Plan | None = None
    tools: Annotated[list[str], Field(max_length=2_000)] = Field(default_factory=list)
    """The calls that an agent of other people told of, by digests of its own ids."""
    places: dict[str, Annotated[tuple[int, int, int], Field(strict=False)]] = _NONE
    """Where the messages of the person begin in our own agent's conversation."""
    running: bool = False
    """Whether its agent was at work when something was last kept of it."""


def more_of(text: str) -> More:
    """What is kept beside the entries; nothing where that cannot be read."""
    try:
        return More.model_validate_json(text, by_alias=True, by_name=False)
    except ValidationError:
        return More()


def named(head: Head, title: str) -> Head:
    """A chat with the title that the person gave it."""
    more = more_of(head.more).model_copy(update={"named": True, "agent_title": ""})
    return evolve(head, title=title, more=written(more).decode())


def mode_of(kept: str, now: Mode) -> Mode:
    """The mode in which a chat comes back: none looser than it was, than Default, than is usual."""
    try:
        was = Mode(kept)
    except ValueError:
        was = Mode.ASK
    return stricter(was, stricter(Mode.DEFAULT, now))


def items_of(loaded: Loaded, *, lives: bool = False) -> tuple[list[Item], list[int], bool]:
    """The last entries as they are shown, which calls were not over, whether one was asked about.

    Of a chat that lives in another window none is brought to its end.
    """
    read = [_read(body) for body in loaded.items]
    going = {
        number: item.state
        for number, item in enumerate(read, loaded.first)
        if isinstance(item, records.CallRecord) and not is_end(State(item.state))
    }
    is_asked = any(state != State.RUNNING.value for state in going.values())
    return [_shown(item, lives=lives) for item in read], list(going), is_asked


def item_of(body: bytes, *, lives: bool = False) -> Item:
    """One entry, with whatever was going on brought to its end, unless its chat still lives."""
    return _shown(_read(body), lives=lives)


def _read(body: bytes) -> Item:
    try:
        item = unwritten(_ITEM, entry_of(body)[:MAX_ENTRY_BYTES])
        written(item)
    except (ValueError, RecursionError):
        return chats.Notice(level="warning", text=_UNREAD, at=0)
    return item


def _shown(item: Item, *, lives: bool) -> Item:
    match item:
        case records.CallRecord() if lives and State(item.state) in _LIVING:
            because = _LIVING[State(item.state)]
            return item.model_copy(update={"may": [], "approval_id": None, "because": because})
        case records.CallRecord():
            return _over(item)
        case chats.Notice():
            return item.model_copy(update={"offer": None})
        case agents.Picture():
            return _looked_at(item)
        case _:
            return item


def _looked_at(picture: agents.Picture) -> Item:
    """A picture as its bytes say; a file that is opened from there is one of this machine."""
    image = text_of_block({"type": "image", "data": picture.data})
    if not isinstance(image, Image):
        return chats.Notice(level="warning", text=_UNREAD, at=0)
    facts = {name: getattr(image, name) for name in ("mime", "width", "height", "moves")}
    uri = picture.uri if picture.uri.startswith("file:///") else ""
    return picture.model_copy(update={**facts, "uri": uri})


def withdrawn_notice(said: LastWords | None, now: int) -> chats.Notice:
    """What is told of a question that was open, and how it can be asked anew."""
    if said is None or bytes_of(said.text) > _MAX_OFFERED_BYTES:
        return chats.Notice(level="info", text=_ASKED, at=now)
    text = " ".join(filter(None, (_ASKED, _AGAIN, said.left_out)))
    return chats.Notice(level="info", text=text, at=now, offer=chats.PromptOffer(text=said.text))


def mode_notice(was: Mode, came: Mode, now: int) -> chats.Notice:
    """What is told of a mode that did not come back, and the one way to it."""
    text = _WAS.format(NAMES[was], NAMES[came])
    return chats.Notice(level="info", text=text, at=now, offer=chats.ModeOffer(mode=was.value))


def conversation_of(bodies: Sequence[bytes], more: More) -> Conversation:
    """Our own agent's conversation; raise `ValueError` where it cannot be gone on with."""
    turns = turns_of(bodies)
    approved = more.approved
    said = next((turn for turn in reversed(turns) if isinstance(turn, Said)), Said(text=""))
    return Conversation(
        asked=said.text,
        asked_with=said.attached,
        plan=more.plan,
        approved=None if approved is None else _approved(approved),
        turns=_in_order(turns),
        places=more.places,
    )


def _approved(kept: Plan) -> Approved:
    return Approved(call=kept.call, plan=kept.plan, mode=Mode(kept.mode))


def _in_order(turns: Sequence[Turn]) -> list[Turn]:
    """The turns, where they are ones that a host could be sent."""
    ends = not turns or not (isinstance(turns[-1], Replied) and turns[-1].calls)
    if not ends or not all(map(_follows, turns, (None, *turns))):
        raise ValueError("a conversation that was kept is none")
    return list(turns)


def _follows(turn: Turn, before: Turn | None) -> bool:
    """Whether a turn can stand behind another: each call has its result, in order."""
    if isinstance(turn, Answered):
        calls = before.calls if isinstance(before, Replied) else ()
        return bool(calls) and [call.id for call in calls] == [
            result.call for result in turn.results
        ]
    if isinstance(before, Replied):
        return isinstance(turn, Said) and not before.calls
    return before is not None or isinstance(turn, Said)


def _over(record: records.CallRecord) -> records.CallRecord:
    """A call of before: nothing more comes of it, and nothing can be done about it."""
    kept: dict[str, object] = {"may": [], "approval_id": None}
    state = State(record.state)
    if state is State.RUNNING:
        kept |= {"state": State.FAILED.value, "success": False, "because": UNKNOWN}
    elif not is_end(state):
        refused = {"state": State.REFUSED.value, "success": False}
        kept |= {**refused, "by": "error", "because": WITHDRAWN}
    return record.model_copy(update=kept)


def told_in_list(listed: Listed, agent_name: str, *, is_here: bool) -> earlier.KeptChat:
    """A chat as the list of earlier ones tells it."""
    head = listed.head
    return earlier.KeptChat(
        chat_id=head.id,
        agent_id=head.agent,
        agent_name=agent_name,
        title=cut_line(more_of(head.more).agent_title or head.title) or "New chat",
        begun=head.begun,
        touched=head.touched,
        entries=listed.entries,
        where="here" if is_here else "elsewhere" if listed.owner else "closed",
        found=cut_line(listed.found),
    )
