"""The loop: the model replies, its calls run, their results go back, until it is done.

A call begins the moment it is whole, while the model goes on speaking; the calls of one reply run
side by side. However a reply ends, the conversation then holds what was said and one result for
each call, so that the next prompt can go on from there.
"""

import asyncio
from contextlib import aclosing
from functools import partial
from typing import Final

from assent.agent.loop import compaction
from assent.agent.loop.budget import Budget
from assent.agent.loop.call_drafts import CallDrafts
from assent.agent.loop.cancellation import Cut
from assent.agent.loop.chat import Turn
from assent.agent.loop.incoming_reply import IncomingReply
from assent.agent.loop.model_in_use import Mind
from assent.agent.loop.model_retry import waited
from assent.agent.loop.offered_tools import offered_tools
from assent.agent.loop.ports import Work
from assent.agent.loop.prompt import system_text
from assent.agent.loop.reply_reader import read_reply, tell_use
from assent.agent.loop.situation_notes import inform
from assent.agent.loop.unmade_calls import call_in_text, is_promise
from assent.agent.loop.wording import CALL_AS_TEXT, PROMISED
from assent.agent.models.conversation import Result, Toolcard
from assent.agent.models.events import CallReady, Used
from assent.agent.models.provider import ModelFailed, WindowFull
from assent.gate.call.modes import Mode
from assent.gate.journal.agent_events import Drafted
from assent.gate.journal.events import Noticed
from assent.gate.values import evolve, frozen

__all__ = ["BROKEN", "STOPPED", "Ending", "compact", "work_on"]


@frozen
class Ending:
    """How a turn ended, and why, as `TurnEnded` tells it."""

    reason: str
    because: str = ""
    wants_key: bool = False
    """Whether the model has no key that its host accepts."""
    is_upkeep: bool = False
    """Whether it only shortened the conversation: what could be asked again before still can."""


STOPPED: Final = Ending("stopped", "You stopped it.")
BROKEN: Final = Ending("error", "The agent broke off.")

_TOO_MANY_ROUNDS: Final = "The agent went on for {} requests in one turn, so it was stopped."
_TOO_MANY_TOKENS: Final = "The agent used {:,} tokens in one turn, so it was stopped."
_TOO_MUCH_FOR_A_PART: Final = (
    "The part “{}” of the work used {:,} tokens, which is as much as one part may"
    " (assent.tokensPerPart), so it was stopped."
)
_TOO_MANY_WRITES: Final = (
    "The agent changed files {} times in one turn and went on, so it was stopped."
)
_TOO_LONG: Final = Ending("limit", "The model's reply was cut off, because it was too long.")
_BROKEN_OFF: Final = Ending("error", "The model broke off a call, so it was not run.")
_AS_TEXT: Final = Ending("error", "The model wrote a call as text, so it was not run.")
_MAX_TOLD: Final = 2
"""So often in a turn a model is told that it wrote a call as text."""
_SILENT: Final = "The model ended its reply without a word."


async def work_on(work: Work) -> Ending:
    """Do a turn, and say how it ended; its conversation begins with what is to be done."""
    turn = work.turn
    try:
        while turn.budget.begin_round():
            turn.rounds += 1
            ending = await _round(work)
            if ending is not None and not _goes_on(work, ending):
                return ending
    except Cut:
        return STOPPED
    except ModelFailed as error:
        return Ending("error", str(error), error.wants_key)
    return _at_limit(turn.budget)


async def compact(work: Work, wish: str) -> Ending:
    """Shorten the conversation as the person asked, and go on with what they said meanwhile."""
    ending = Ending("done", is_upkeep=True)
    try:
        async with work.turn.cancellation.held():
            mind = await _mind(work)
            if await compaction.compact(work, mind, wish):
                tokens = work.turn.conversation.tokens(*_around(work))
                tell_use(work, mind, Used(read=tokens, wrote=0), work.chat.spent.words, "")
    except Cut:
        return evolve(STOPPED, is_upkeep=True)
    except ModelFailed as error:
        ending = evolve(ending, reason="error", because=str(error), wants_key=error.wants_key)
    if not work.chat.words:
        return ending
    if ending.because:
        work.ports.speech.tell(Noticed(chat=work.chat.id, level="error", text=ending.because))
    work.chat.let_parts_go_on()
    return await work_on(work)


def _at_limit(budget: Budget) -> Ending:
    """The person is to say whether it goes on."""
    limit = budget.used_up
    if limit is not None and limit.part:
        return Ending("limit", _TOO_MUCH_FOR_A_PART.format(limit.part, limit.spent.tokens))
    if limit is not None:
        return Ending("limit", _TOO_MANY_TOKENS.format(limit.spent.tokens))
    return Ending("limit", _TOO_MANY_ROUNDS.format(budget.limits.rounds))


def _goes_on(work: Work, ending: Ending) -> bool:
    """Whether the person said more than the model was told when it was done."""
    return ending.reason == "done" and not work.turn.part and bool(work.chat.words)


async def _round(work: Work) -> Ending | None:
    """One reply and what comes of its calls; how the turn ended, if it did."""
    turn, incoming = work.turn, IncomingReply(drafting=CallDrafts(partial(_tell_draft, work)))
    if not turn.part:
        work.chat.catch_up()
    async with turn.cancellation.held():
        mind = turn.mind = await _mind(work)
        await compaction.make_room(work, mind, turn.conversation.tokens(*_around(work)))
    inform(work)
    turn.flights = []
    turn.voice.pause()
    try:
        broken = await _hear(work, mind, incoming)
    finally:
        incoming.drafting.stop()
        turn.conversation.reply(incoming.replied(), _results(turn, incoming), incoming.used)
        _spend(work, mind, incoming.used)
    if turn.cancellation.is_cut:
        return STOPPED
    if isinstance(broken, WindowFull) and incoming.is_empty and await _squeezed(work, mind):
        return None
    if broken is None:
        turn.patience.renew()
        return _ending(work, mind, incoming)
    return await _broken(work, broken, incoming)


def _tell_draft(work: Work, what: str, path: str, size: int) -> None:
    """Tell which call is being written; that of a part is not the chat's."""
    if not work.turn.part:
        work.ports.speech.tell(Drafted(chat=work.chat.id, what=what, path=path, size=size))


async def _broken(work: Work, broken: ModelFailed, incoming: IncomingReply) -> Ending | None:
    """Ask again after a pause where that may help; what came of the reply is kept."""
    turn = work.turn
    async with turn.cancellation.held():
        if not await waited(work, broken):
            return Ending("error", str(broken), broken.wants_key)
    turn.budget.uncount_round()
    if incoming.text and not turn.flights:
        turn.conversation.note(incoming.lack)
    return None


def _spend(work: Work, mind: Mind, used: Used | None) -> None:
    """A request came to this; of one that broke off nobody may know."""
    if used is not None:
        work.turn.budget.spend(used, mind.provider.price)
        work.chat.spent.add(used, mind.provider.price)


def _results(turn: Turn, incoming: IncomingReply) -> list[Result]:
    """What came of the calls of a reply; the last says as well if there was to be more."""
    results = [flight.outcome() for flight in turn.flights]
    if results and incoming.lack:
        results[-1] = evolve(results[-1], text=f"{results[-1].text}\n\n{incoming.lack}")
    return results


async def _mind(work: Work) -> Mind:
    """The model that the chat is to go on with at this moment."""
    wanted, before = work.chat.model, work.turn.mind
    if before is not None and before.id == wanted and before.is_window_known:
        return before
    provider = await work.ports.setup.provider(wanted)
    window = await provider.window()
    return Mind(
        id=wanted,
        provider=provider,
        window=window,
        is_window_known=provider.is_window_known,
        takes=await provider.takes(),
    )


async def _squeezed(work: Work, mind: Mind) -> bool:
    """Whether a conversation that turned out too long could be shortened; once in a turn."""
    turn = work.turn
    if turn.is_squeezed:
        return False
    turn.is_squeezed = True
    async with turn.cancellation.held():
        return await compaction.squeeze(work, mind, turn.conversation.tokens(*_around(work)))


async def _hear(work: Work, mind: Mind, incoming: IncomingReply) -> ModelFailed | None:
    """Hear a reply out and see its calls through; what broke it off, if anything did."""
    async with asyncio.TaskGroup() as group:
        try:
            async with work.turn.cancellation.held():
                request = evolve(
                    work.turn.conversation.request(*_around(work), mind.reply),
                    effort=work.chat.effort,
                )
                async with aclosing(mind.provider.stream(request)) as events:
                    async for event in events:
                        if isinstance(event, CallReady):
                            await work.ports.gate.wait_for_turn()
                        read_reply(work, mind, incoming, event, group)
        except ModelFailed as error:
            incoming.is_broken = work.turn.patience.wait(error) is not None
            return error
        except Cut:
            return None
    return None


def _around(work: Work) -> tuple[str, tuple[Toolcard, ...]]:
    """What stands around the conversation: the words before it, and the tools."""
    cards = offered_tools(work)
    return system_text(tools=[card.name for card in cards], part=work.turn.part), cards


def _ending(work: Work, mind: Mind, incoming: IncomingReply) -> Ending | None:
    """How the turn ended with this reply; None where it goes on."""
    turn = work.turn
    if incoming.reason == "refused":
        return Ending("refused", f"{mind.provider.name} would not go on with this.")
    if turn.insists:
        return Ending("limit", _TOO_MANY_WRITES.format(turn.budget.limits.writes))
    if turn.stopped_part:
        return Ending("limit", turn.stopped_part)
    if turn.flights:
        turn.has_faltered = False
        return None
    if incoming.lack:
        return _faltered(turn, incoming)
    return _unmade(work, incoming)


def _unmade(work: Work, incoming: IncomingReply) -> Ending | None:
    """Tell the model what it meant to do and did not; how the turn ended where that is nothing."""
    turn, text = work.turn, incoming.text
    if name := call_in_text(incoming.last_words, [card.name for card in offered_tools(work)]):
        turn.calls_as_text += 1
        if turn.calls_as_text > _MAX_TOLD:
            return _AS_TEXT
        turn.conversation.note(CALL_AS_TEXT.format(name))
        return None
    plans = work.ports.setup.mode(work.chat.id) is Mode.PLAN
    if not turn.has_promised and is_promise(text, turn.conversation.asked, plans=plans):
        turn.has_promised = True
        turn.conversation.note(PROMISED)
        return None
    return Ending("done", "" if text.strip() else _SILENT)


def _faltered(turn: Turn, incoming: IncomingReply) -> Ending | None:
    """Tell the model that its reply was not whole; the second time in a row ends the turn."""
    if turn.has_faltered:
        return _TOO_LONG if incoming.reason == "length" else _BROKEN_OFF
    turn.has_faltered = True
    turn.conversation.note(incoming.lack)
    return None
