"""One session's permission requests: each passes the gate once and is answered once.

While the person's stop is under way, and once the agent is gone, nothing is allowed any more; a
request that is then on its way through the gate is turned back. What an agent says anew of a call
while its card is open comes on the card; a call that would do something else by the time it is
allowed is turned back.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

import pydantic

from assent.gate.admit import Gate
from assent.gate.approvals import endings
from assent.gate.approvals.tickets import OptionKind, Settlement
from assent.gate.call.calls import Call, ChatId, Described, Offer
from assent.gate.call.lifecycle import State
from assent.gate.call.verdicts import Actor
from assent.gate.passage import Ended
from assent.gate.values import define, evolve, field
from assent.hosting.connection.peer import INVALID_PARAMS, Asked
from assent.hosting.connection.shapes import PermissionAsked
from assent.hosting.connection.wording import label_of
from assent.hosting.hooks.hook_words import Hooked
from assent.hosting.permission import permission
from assent.hosting.permission.call_drift import contradicts
from assent.hosting.permission.calls import FOLDER_UNTOLD, Reader
from assent.hosting.permission.coverage import Coverage
from assent.hosting.permission.hearsay import told_in_words
from assent.hosting.permission.in_flight import (
    CallInFlight,
    calls_on_cards,
    came_of,
    is_answered_for,
    is_same_call,
    kept_from_running,
    reuse_verdict,
    words_of,
)
from assent.hosting.permission.mcp_tool_names import ServerTool, name_of
from assent.hosting.permission.repliers import ByHook, ByRequest, Replier
from assent.hosting.permission.still_running import moment
from assent.hosting.permission.toolcall import Asking, End, Request, ToolCall
from assent.hosting.permission.toolcalls import ToolCalls
from assent.hosting.recipes.recipe import Recipe

__all__ = ["MAX_OPEN_REQUESTS", "STOPPED", "Questions"]

MAX_OPEN_REQUESTS: Final = 200
"""How many permissions one session may ask for at once."""
STOPPED: Final = "The chat has been stopped."

_LEFT: Final = "{0} was stopped, but still runs {1}, which ends when {0} does."
_MAX_REWORDINGS: Final = 20
_RESTLESS: Final = "Its agent changed it again and again while you were asked."
_ANOTHER: Final = "Its agent asked for another call by the same id, so that one was not run."
_CHANGED: Final = "What it would do has changed since it was asked, so it was not run."


@define(eq=False)
class Questions:
    """The requests of one session."""

    _chat: ChatId
    _name: str
    _gate: Gate
    _calls: ToolCalls
    _recipe: Recipe
    _coverage: Coverage
    _reader: Callable[[ToolCall], Reader]
    _flush: Callable[[], None]
    """Tells what was said so far, so that it stands before what happens next."""
    _warn: Callable[[str], None]
    _left_since: Callable[[float], Awaitable[list[str]]]
    """What the agent began since a moment and that still runs."""
    _look: Callable[[dict[str, Any]], Awaitable[None]]
    """Sees what a server's tool is by now."""
    _wanders: bool = False
    """Whether only a hook tells in which folder a call would run."""
    stopping: bool = False
    gone: bool = False
    """Whether the agent will hear nothing more of this session."""
    feedback: list[str] = field(factory=list)
    """What the person said with refusals and the agent has not been told."""
    _in_flight: set[CallInFlight] = field(factory=set)
    _hooked: dict[str, CallInFlight] = field(factory=dict)
    """By the agent's own ids: what hooks were handed and no request was made for."""
    _requested: dict[str, CallInFlight] = field(factory=dict)
    """By the agent's own ids: what was requested and no hook was handed yet."""
    _asked_first: OrderedDict[str, CallInFlight] = field(factory=OrderedDict)
    """By the names of these: what sub-agents asked for before their hook is handed the call."""

    @property
    def is_over(self) -> bool:
        """Whether nothing is allowed any more."""
        return self.stopping or self.gone

    def asked_for(self, served: ServerTool, said: Described, call: str) -> CallInFlight | None:
        """The question about that very call, which no call has come for yet.

        An agent that tells a call's own id means no other.
        """
        for flight in sorted(
            self._in_flight, key=lambda flight: flight.request.asking is not Asking.ALLOWED
        ):
            is_open = flight.request.asking in {Asking.OPEN, Asking.ALLOWED} and not flight.is_used
            if is_open and flight.call is not None and call in {"", flight.request.tool.id}:
                is_same = (
                    flight.call.described is not None
                    and flight.call.described.digest == said.digest
                )
                if is_same and served.is_asked_by(flight.call):
                    return flight
        return None

    async def permit(self, asked: Asked) -> None:
        """Answer a `session/request_permission` through the gate."""
        try:
            wanted = PermissionAsked.model_validate(asked.params)
        except pydantic.ValidationError:
            asked.refuse(INVALID_PARAMS, "a request for permission names a tool call and options")
            return
        if self.stopping or self.gone:
            asked.answer(permission.cancelled(STOPPED))
            return
        if len(self._in_flight) >= MAX_OPEN_REQUESTS:
            asked.refuse(
                INVALID_PARAMS, f"no more than {MAX_OPEN_REQUESTS} requests may be open at once"
            )
            return
        request = self._calls.asked(self._in_its_words(wanted.tool_call))
        if request is None:
            asked.refuse(INVALID_PARAMS, "a tool call has a `toolCallId`")
            return
        if not permission.are_distinct(wanted.options):
            request.asking = Asking.REFUSED
            asked.answer(permission.cancelled("Two of the options have the same id."))
            self._warn(f"{self._name} asked with two answers that look the same, so it got none.")
            return
        asker = ByRequest(asked=asked, options=wanted.options)
        hooked = self._hooked.pop(request.tool.id, None)
        if hooked is not None:
            if await is_answered_for(hooked, lambda call: not self._strays(call, request.tool)):
                reuse_verdict(hooked, request, asker)
                return
            if self._recipe.is_terse or hooked.request.asking is Asking.OPEN:
                # What is judged must not become another call while its card is open.
                request.asking = Asking.REFUSED
                asker.cancel(_ANOTHER)
                self._warn(_ANOTHER)
                return
            # It asks for something else than its hook was allowed, which is judged by that.
            request.tool.hooked = {}
        in_flight = CallInFlight(asker=asker, request=request, task=asyncio.current_task())
        await self._pass_known(self._requested, in_flight)

    async def permit_hooked(self, hooked: Hooked, asker: Replier) -> None:
        """Answer a call that the agent's hook was handed, through the gate."""
        is_over = self.stopping or self.gone
        if is_over or len(self._in_flight) >= MAX_OPEN_REQUESTS:
            asker.cancel(STOPPED if is_over else "Too many calls are being asked about already.")
            return
        request = self._calls.hooked(hooked, self._recipe)
        if request is None:
            asker.cancel(_ANOTHER)
            self._warn(_ANOTHER)
            return
        requested = self._requested.pop(request.tool.id, None)
        if requested is not None and await self._was_requested(requested, request.tool):
            reuse_verdict(requested, request, asker)
            return
        if self._was_asked_first(hooked, request, asker):
            return
        in_flight = CallInFlight(asker=asker, request=request, task=asyncio.current_task())
        if hooked.asks_first:
            self._asked_first[hooked.asked_first] = in_flight
            if len(self._asked_first) > MAX_OPEN_REQUESTS:
                self._asked_first.popitem(last=False)
        await self._pass_known(self._hooked, in_flight)

    def _was_asked_first(self, hooked: Hooked, request: Request, asker: Replier) -> bool:
        """Whether a sub-agent was answered about this call already, which counts once."""
        name = hooked.asked_first if hooked.agent else ""
        before = self._asked_first.get(name)
        if hooked.asks_first or before is None or not before.settled.done():
            return False
        del self._asked_first[name]
        if before.call is None or not self._is_still(before.call, request.tool):
            return False
        reuse_verdict(before, request, asker)
        return True

    def settle(self, by: Actor, because: str) -> None:
        """Refuse whatever waits, or is just about to."""
        asked = calls_on_cards(self._gate)
        self._gate.stop(self._chat, by, because)
        for in_flight in self._in_flight:
            # What has no card may be with a hook that takes its time; it is answered now.
            known = in_flight.call is not None and in_flight.call.id in asked
            undecided = in_flight.request.asking is Asking.OPEN and not known
            if undecided and in_flight.task is not None:
                in_flight.task.cancel()

    def reworded(self, tool_id: object) -> None:
        """The agent told of a call again: where that makes another of it, ask about that."""
        for in_flight in tuple(self._in_flight):
            tool = in_flight.request.tool
            is_frozen = isinstance(in_flight.asker, ByHook)  # It prints what it was handed.
            if tool.id == tool_id and in_flight.call is not None and not is_frozen:
                self._reword(in_flight, in_flight.call, words_of(tool.judged))

    def _reword(self, in_flight: CallInFlight, before: Call, words: str) -> None:
        if in_flight.request.asking is not Asking.OPEN or words == in_flight.words:
            return
        in_flight.words, in_flight.rewordings = words, in_flight.rewordings + 1
        now = self._read(in_flight.request.tool, in_flight.asker.offers)
        call = evolve(now, id=before.id)
        if (call.likeness, call.unreadable) == (before.likeness, before.unreadable):
            return
        if in_flight.rewordings > _MAX_REWORDINGS:
            self._gate.refuse(call, endings.refused(Actor.ERROR, _RESTLESS))
        elif self._gate.reword(self._gate.with_file_digests(call)):
            in_flight.call = call

    async def turn_over(self) -> None:
        """The agent ended its turn: see all its calls to their end, but for open questions."""
        self._calls.end_all(End.TURN_OVER)
        waiting = [
            in_flight.over
            for in_flight in self._in_flight
            if self.stopping or in_flight.request.asking is not Asking.OPEN
        ]
        if waiting:
            await asyncio.wait(waiting)

    async def _pass_known(self, known: dict[str, CallInFlight], in_flight: CallInFlight) -> None:
        """Have it ruled on, so that the other way of asking about the same call finds it."""
        name = in_flight.request.tool.id
        known[name] = in_flight
        try:
            await self._pass(in_flight)
        finally:
            if known.get(name) is in_flight:
                del known[name]

    async def _pass(self, in_flight: CallInFlight) -> None:
        self._in_flight.add(in_flight)
        try:
            await self._admit(in_flight)
        except BaseException as error:
            in_flight.request.asking = Asking.REFUSED
            if isinstance(error, asyncio.CancelledError) and self.stopping:
                in_flight.asker.cancel(STOPPED)
            raise
        finally:
            self._in_flight.discard(in_flight)
            in_flight.over.set_result(None)
            if not in_flight.settled.done():
                in_flight.settled.set_result(None)

    async def _admit(self, in_flight: CallInFlight) -> None:
        await self._look(in_flight.request.tool.judged)
        call = self._read(in_flight.request.tool, in_flight.asker.offers)
        in_flight.call, in_flight.words = call, words_of(in_flight.request.tool.judged)
        self._flush()
        self._coverage.ruled(name_of(in_flight.request.tool.judged))
        passage = await self._gate.admit(call, partial(self._run, in_flight))
        if passage.ended is None:
            self._refuse(in_flight, passage.settlement)
        elif passage.remark:
            label = label_of(in_flight.request.tool.whole)
            self.feedback.append(f"Of `{label}` the person's hook says: {passage.remark}")

    async def _run(self, in_flight: CallInFlight, call: Call, settlement: Settlement) -> Ended:
        """Let the agent run the call, and wait until it has."""
        asker, request = in_flight.asker, in_flight.request
        tool = request.tool
        if self.stopping or self.gone:
            asker.cancel(STOPPED)
            return kept_from_running(request, "The chat was stopped before it could begin.")
        if not self._is_still(call, tool):
            asker.refuse(endings.refused(Actor.ERROR, _CHANGED))
            self._warn(_CHANGED)
            return kept_from_running(request, _CHANGED, State.FAILED)
        if not asker.can_allow(settlement):
            asker.cancel("This agent cannot be allowed anything just once.")
            because = f"{self._name} offers no way to allow this just once, so it did not run."
            self._warn(because)
            return kept_from_running(request, because)
        tool.begin(call.id, partial(self._strays, call, tool))
        in_flight.call = call
        request.asking = Asking.ALLOWED
        # The agent may start it before the next line here is reached.
        since = moment()
        if not asker.allow(settlement):
            return kept_from_running(request, f"{self._name} no longer waits for it.")
        in_flight.settled.set_result(settlement)
        return await self._ended(tool, await tool.ended, since)

    def _in_its_words(self, asked: dict[str, Any]) -> dict[str, Any]:
        """What a request says of its call, but for an input that is not the one of its hook."""
        is_known = any(asked.get("toolCallId") == known for known in self._hooked)
        left_out = {"rawInput"} if self._recipe.is_terse and is_known else set()
        return {name: asked[name] for name in asked if name not in left_out}

    async def _was_requested(self, before: CallInFlight, tool: ToolCall) -> bool:
        """Whether a hook was handed what was requested before it was run.

        To the call of a tool that nobody knows its name is added where a hook is handed it, so
        that one is the same where its name and its input are, letter by letter.
        """
        whole, read = tool.whole, partial(self._read, tool)
        is_repeated = (whole.get("rawInput"), name_of(whole)) == (tool.given, tool.hooked["name"])
        if tool.hooked["kind"] is None and is_repeated:
            read = partial(self._reader(tool).read, whole)
        return await is_answered_for(before, lambda call: is_same_call(read(), call))

    def _read(self, tool: ToolCall, offers: tuple[Offer, ...] = ()) -> Call:
        patch = tool.patch if tool.hooked else None
        words = self._recipe.in_words(tool.judged)
        whole, reader = words or tool.judged, self._reader(tool)
        is_note = tool.is_note and bool(tool.hooked)
        call = reader.read(whole, offers, notes=is_note, patch=patch)
        is_lost = self._wanders and tool.folder is None
        call = evolve(call, caution=FOLDER_UNTOLD) if is_lost else call
        return call if words is None else told_in_words(call)

    def _is_still(self, call: Call, tool: ToolCall) -> bool:
        """Whether the call, read again with the disk as it is now, is what was judged."""
        now = self._gate.with_file_digests(self._read(tool))
        return (now.likeness, now.unreadable) == (call.likeness, call.unreadable)

    def _strays(self, call: Call, tool: ToolCall) -> bool:
        """Whether what its agent tells of a call by now contradicts what the person was shown."""
        telling = self._recipe.in_words(tool.whole) or tool.whole
        return contradicts(telling, call, self._reader(tool))

    async def _ended(self, tool: ToolCall, end: End, since: float) -> Ended:
        self._flush()
        if not self.stopping or end is End.COMPLETED:
            return came_of(end, tool.output)
        # Whoever is gone is ended with all that it started.
        left = [] if self.gone else await self._left_since(since)
        if not left:
            return Ended(state=State.KILLED, output=tool.output)
        warning = _LEFT.format(self._name, ", ".join(left))
        self._warn(warning)
        return Ended(state=State.FAILED, output=f"{tool.output}\n[{warning}]\n".lstrip("\n"))

    def _refuse(self, in_flight: CallInFlight, settlement: Settlement) -> None:
        in_flight.request.asking = Asking.REFUSED
        in_flight.asker.refuse(settlement)
        chosen = settlement.option.kind if settlement.option else None
        is_told = in_flight.asker.hears_reasons
        if chosen is OptionKind.DENY_TELL and settlement.feedback and not is_told:
            label = label_of(in_flight.request.tool.whole)
            self.feedback.append(f"The person denied `{label}` and says: {settlement.feedback}")
