"""One chat's session with an agent: what the agent says in it, and what it asks for.

Each request for permission passes the gate once, and is answered once. While the person's stop
is under way, and once the agent is gone, nothing is allowed any more.
"""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import pydantic
from attrs import define, field

from assent.acp import permission
from assent.acp.calls import Reader, label_of
from assent.acp.modes import is_looser
from assent.acp.peer import INVALID_PARAMS, Asked
from assent.acp.shapes import PermissionAsked, PermissionOption, Updated
from assent.acp.spec import AgentSpec
from assent.acp.speech import Speech
from assent.acp.toolcalls import Asking, End, ToolCall, ToolCalls
from assent.approvals.tickets import OptionKind, Settlement
from assent.calls import AgentId, Call, ChatId
from assent.gate import Ended, Gate
from assent.history.events import CallPrinted, Happening, Noticed, PlanLine, PlanMade, Said
from assent.history.journal import Entry
from assent.lifecycle import State
from assent.places import Places

__all__ = ["MOST_OPEN", "Session"]

_LOG = logging.getLogger(__name__)

MOST_OPEN: Final = 200
"""How many permissions one session may ask for at once."""

_PLAN_STATES: Final = {"in_progress": "inProgress", "completed": "done"}
_STATES: Final = {
    End.COMPLETED: State.SUCCEEDED,
    End.FAILED: State.FAILED,
    End.TURN_OVER: State.FAILED,
    End.AGENT_GONE: State.KILLED,
}
_SPEAKERS: Final = {"agent_message_chunk": "agent", "agent_thought_chunk": "thought"}
_NO_WORD: Final = "The agent's turn ended without a word of how this call ended."


@define(eq=False)
class Session:
    """What goes on between one chat and one agent."""

    chat: ChatId
    spec: AgentSpec
    cwd: str
    _gate: Gate
    _speech: Speech
    _places: Callable[[], Places]
    stopping: bool = False
    gone: bool = False
    """Whether the agent will hear nothing more of this session."""
    feedback: list[str] = field(factory=list)
    """What the person said with refusals and the agent has not been told."""
    mode: str = ""
    calls: ToolCalls = field(init=False)
    _paragraph: int = 0
    _speaker: str = ""
    _passing: dict[asyncio.Future[None], ToolCall] = field(factory=dict)
    """The requests that are on their way through the gate; each is done when it has left it."""

    def __attrs_post_init__(self) -> None:
        self.calls = ToolCalls(alarm=self._alarm, printed=self._print)

    def hear(self, params: dict[str, Any]) -> None:
        """Take in a `session/update`."""
        update = Updated.model_validate(params).update
        kind = update.get("sessionUpdate")
        match kind:
            case "agent_message_chunk" | "agent_thought_chunk":
                self._say(_SPEAKERS[kind], update)
            case "tool_call" | "tool_call_update":
                self._speaker = ""
                self.calls.told(update, new=kind == "tool_call")
            case "plan":
                self._plan(update)
            case "current_mode_update":
                self.mode_is(update.get("currentModeId"))
            case _:
                _LOG.debug("%s sent an update of the kind %r: %r", self.spec.id, kind, update)

    def mode_is(self, mode: object) -> None:
        """The agent is in this mode of its own now."""
        if not isinstance(mode, str):
            return
        before, self.mode = self.mode, mode
        if is_looser(before, mode):
            self.notice(
                "warning",
                f"{self.spec.name} is now in its own mode “{mode}”, in which it may ask less.",
            )

    async def permit(self, asked: Asked) -> None:
        """Answer a `session/request_permission` through the gate."""
        try:
            wanted = PermissionAsked.model_validate(asked.params)
        except pydantic.ValidationError:
            asked.refuse(INVALID_PARAMS, "a request for permission names a tool call and options")
            return
        if self.stopping or self.gone:
            asked.answer(permission.cancelled("The chat has been stopped."))
            return
        tool = self.calls.asked(wanted.tool_call)
        if tool is None or len(self._passing) >= MOST_OPEN:
            asked.refuse(INVALID_PARAMS, "the tool call has no id, or too many are open")
            return
        passed = asyncio.get_running_loop().create_future()
        self._passing[passed] = tool
        try:
            await self._admit(asked, wanted.options, tool)
        finally:
            del self._passing[passed]
            passed.set_result(None)

    async def turn_over(self) -> None:
        """The agent ended its turn: see all its calls to their end, but for open questions."""
        self.calls.end_all(End.TURN_OVER)
        waiting = [
            passed
            for passed, tool in self._passing.items()
            if self.stopping or tool.asking is not Asking.OPEN
        ]
        if waiting:
            await asyncio.wait(waiting)

    def tell(self, happening: Happening) -> None:
        """Tell what happened, after all that was said before it."""
        self._speech.tell(happening)

    def notice(self, level: str, text: str) -> None:
        """Tell the person something that nobody said."""
        self.tell(Noticed(chat=self.chat, level=level, text=text))

    def begin_paragraph(self) -> None:
        """What is said next is a message of its own."""
        self._speaker = ""

    async def _admit(self, asked: Asked, options: list[PermissionOption], tool: ToolCall) -> None:
        reader = Reader(
            chat=self.chat, agent=AgentId(self.spec.id), cwd=self.cwd, places=self._places()
        )
        call = reader.read(tool.whole, permission.offers_in(options))
        # Afterwards, what was said before the question stands before its card.
        self._speech.flush(self.chat)
        self._speaker = ""
        try:
            passage = await self._gate.admit(call, partial(self._run, asked, options, tool, call))
        except BaseException:
            tool.asking = Asking.REFUSED
            raise
        if passage.ended is None:
            self._refuse(asked, options, tool, passage.settlement)

    async def _run(
        self,
        asked: Asked,
        options: list[PermissionOption],
        tool: ToolCall,
        call: Call,
        settlement: Settlement,
    ) -> Ended:
        """Let the agent run the call, and wait until it has."""
        if self.stopping or self.gone:
            asked.answer(permission.cancelled("The chat has been stopped."))
            return self._kept_from_running(tool, "The chat was stopped before it could begin.")
        option = permission.allowing(options, settlement)
        if option is None:
            asked.answer(permission.cancelled("This agent cannot be allowed anything just once."))
            because = f"{self.spec.name} offers no way to allow this just once, so it did not run."
            self.notice("warning", because)
            return self._kept_from_running(tool, because)
        tool.begin(call.id)
        if not asked.answer(permission.selected(option, settlement.because)):
            return self._kept_from_running(tool, f"{self.spec.name} no longer waits for it.")
        end = await tool.ended
        self._speech.flush(self.chat)
        if self.stopping and end is not End.COMPLETED:
            return Ended(state=State.KILLED, output=tool.output)
        if end is End.TURN_OVER and not tool.output:
            return Ended(state=State.FAILED, output=_NO_WORD)
        return Ended(state=_STATES[end], output=tool.output)

    def _kept_from_running(self, tool: ToolCall, because: str) -> Ended:
        tool.asking = Asking.REFUSED
        return Ended(state=State.KILLED, output=because)

    def _refuse(
        self,
        asked: Asked,
        options: list[PermissionOption],
        tool: ToolCall,
        settlement: Settlement,
    ) -> None:
        tool.asking = Asking.REFUSED
        asked.answer(permission.refusing(options, settlement))
        chosen = settlement.option.kind if settlement.option else None
        if chosen is OptionKind.DENY_TELL and settlement.feedback:
            label = label_of(tool.whole)
            self.feedback.append(f"The person denied `{label}` and says: {settlement.feedback}")

    def _say(self, who: str, update: dict[str, Any]) -> None:
        content = update.get("content")
        content = content if isinstance(content, dict) else {}
        text = content.get("text")
        if not isinstance(text, str):
            text = f"[{content.get('type') or 'something that is not text'}]"
        if who != self._speaker:
            self._speaker = who
            self._paragraph += 1
        message = f"{self.chat}:{self._paragraph}"
        self.tell(Said(chat=self.chat, who=who, message=message, text=text))

    def _plan(self, update: dict[str, Any]) -> None:
        entries = update.get("entries")
        lines = [
            PlanLine(
                text=str(entry.get("content") or ""),
                state=_PLAN_STATES.get(str(entry.get("status")), "pending"),
            )
            for entry in (entries if isinstance(entries, list) else [])
            if isinstance(entry, dict)
        ]
        self.tell(PlanMade(chat=self.chat, lines=tuple(lines)))

    def _print(self, tool: ToolCall, text: str) -> None:
        if tool.call is not None:
            self.tell(CallPrinted(chat=self.chat, call=tool.call, text=text))

    def _alarm(self, tool: ToolCall) -> None:
        """A call ran that no ruling let run: nothing can be undone, so it is told and kept."""
        how = {
            Asking.NOT_YET: "without asking",
            Asking.OPEN: "without waiting for the answer",
            Asking.REFUSED: "although it had been refused",
        }.get(tool.asking, "")
        text = f"{self.spec.name} ran “{label_of(tool.whole)}” {how}."
        self.notice("error", text)
        self._gate.journal.note(
            Entry(
                kind="noted",
                chat=self.chat,
                agent=self.spec.id,
                body={
                    "what": "ungated",
                    "because": text,
                    "kind": str(tool.whole.get("kind")),
                    "input": repr(tool.whole.get("rawInput"))[:4_000],
                },
            )
        )
