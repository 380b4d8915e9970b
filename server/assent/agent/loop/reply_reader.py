"""Reads a reply piece by piece: shows words at once, and starts each call when it is complete."""

import asyncio
from typing import Final
from uuid import uuid4

from assent.agent.loop.chat import Flight
from assent.agent.loop.incoming_reply import IncomingReply
from assent.agent.loop.model_call import see_through
from assent.agent.loop.model_in_use import Mind
from assent.agent.loop.ports import Work
from assent.agent.loop.wording import TOO_MANY
from assent.agent.models.conversation import Wanted
from assent.agent.models.events import (
    Argued,
    CallReady,
    CallSigned,
    CallStarted,
    Closed,
    Event,
    Kept,
    Stopped,
    Text,
    Thinking,
    Used,
)
from assent.agent.models.known_models import read_on
from assent.gate.journal import events as happenings

__all__ = ["read_reply", "tell_use"]

_MAX_CALLS: Final = 200
"""So many calls of one reply are made."""


def read_reply(
    work: Work, mind: Mind, incoming: IncomingReply, event: Event, group: asyncio.TaskGroup
) -> None:
    """Take in more of a reply."""
    match event:
        case Text() | Thinking() | Closed() | Kept():
            _take_speech(work, incoming, event)
        case CallStarted():
            incoming.begin(event.key)
            incoming.drafting.begin(event.key, event.name)
        case Argued():
            incoming.drafting.more(event.key, event.piece)
        case CallReady():
            incoming.drafting.end(event.key)
            incoming.complete(event.key)
            _begin(work, mind, incoming, event, group)
        case CallSigned():
            incoming.sign(event.key, event.given)
        case Used():
            incoming.use(event)
            _tell_use(work, mind, incoming)
        case Stopped():
            incoming.reason = event.reason


def _take_speech(
    work: Work, incoming: IncomingReply, event: Text | Thinking | Closed | Kept
) -> None:
    """Take in what is no call."""
    match event:
        case Text():
            incoming.say(event.text)
            work.turn.voice.say("agent", event.text)
        case Thinking():
            incoming.think(event.text)
            work.turn.voice.say("thought", event.text)
        case Closed():
            incoming.close(event.given)
        case Kept():
            incoming.keep(event.given)


def _begin(
    work: Work, mind: Mind, incoming: IncomingReply, ready: CallReady, group: asyncio.TaskGroup
) -> None:
    """Begin with a call that is whole, unless the turn has been stopped."""
    turn = work.turn
    if turn.cancellation.is_cut:
        return
    turn.voice.pause()
    # Whatever the model called it: that may be empty, or the same as another's.
    wanted = Wanted(id=str(uuid4()), name=ready.name, arguments=ready.arguments, given=ready.given)
    incoming.call(wanted, ready.key)
    flight = Flight(wanted=wanted, most=mind.result, tool_call_id=ready.id)
    turn.flights.append(flight)
    if len(turn.flights) > _MAX_CALLS:
        flight.come_to(TOO_MANY)
        return
    flight.begin(group.create_task(see_through(work, flight)))


def _tell_use(work: Work, mind: Mind, incoming: IncomingReply) -> None:
    used, price = incoming.used, mind.provider.price
    if used is not None and not work.turn.part:  # that of a part is not the chat's
        chat, turn = work.chat.spent, work.turn.budget.whole.spent
        tell_use(work, mind, used, chat.after(used, price).words, turn.after(used, price).words)


def tell_use(work: Work, mind: Mind, used: Used, cost: str, turn_cost: str) -> None:
    """Tell how full the conversation is, and what it came to."""
    work.ports.speech.tell(
        happenings.Used(
            chat=work.chat.id,
            read=used.read,
            wrote=used.wrote,
            window=mind.window,
            cached=used.cached,
            cost=cost,
            turn_cost=turn_cost,
            prices_of=read_on() if cost else "",
        )
    )
