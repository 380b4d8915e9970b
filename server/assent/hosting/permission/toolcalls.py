"""An agent's reports of its tool calls, by id, and the alarm for those it did not ask about.

A later message about a call is laid over the earlier ones. A call that has ended passes nothing
on to another that comes under the same id. The rule of the alarm: any call but mere note-taking
that was completed, or has been going on for a moment, without having been let; and an allowed one
of which the agent later says that it is another. What an agent said of a call before it was
decided is no sign that it ran after it was refused, and no kind that it gives a call silences it.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final
from uuid import uuid4

from assent.gate.journal.agent_events import Shown
from assent.gate.text.redactor import Redactor
from assent.gate.values import define, field
from assent.hosting.hooks.hook_words import Hooked
from assent.hosting.permission.mcp_tool_names import ServerTool, ToolArguments
from assent.hosting.permission.parts import takes_notes
from assent.hosting.permission.toolcall import Asking, End, Request, ToolCall
from assent.hosting.recipes.recipe import GENERAL, Recipe

__all__ = ["HOOK_GRACE_S", "MAX_KEPT_LETTERS", "UNASKED_GRACE_S", "ToolCalls"]

MAX_KEPT_LETTERS: Final = 16 * 1024 * 1024
"""How many characters the tool calls of a session may hold before the oldest lose theirs."""

_MAX_CALLS: Final = 1_000
_CALLS_A_CLEANUP: Final = 100
"""So many more are let go together: to look for those that are over takes as long for one."""
UNASKED_GRACE_S: Final = 0.8
"""Seconds for which a call may go on unasked: some agents say that it goes on, and then ask."""
HOOK_GRACE_S: Final = 2.0
"""The same where the agent starts a hook first, which takes its time."""


@define
class ToolCalls:
    """The tool calls of one session."""

    _alarm: Callable[[ToolCall], None]
    _printed: Callable[[ToolCall, str, bool], None]
    """Takes more of its output, and whether that came on standard error."""
    _pictured: Callable[[ToolCall, Shown], None]
    _comes_here: Callable[[dict[str, Any]], bool] = lambda _: False
    """Whether it says that it is a tool of a server that its agent has through us."""
    _recipe: Recipe = GENERAL
    _moment: float = HOOK_GRACE_S
    _clean: Redactor = Redactor()
    _most_kept: int = MAX_KEPT_LETTERS
    _calls: OrderedDict[str, ToolCall] = field(factory=OrderedDict)
    _nameless: dict[str, ToolCall] = field(factory=dict)
    """Those of them that a hook alone told of until now."""
    _held: int = 0
    """What they weigh together."""
    _served: ToolArguments = field(factory=ToolArguments)

    def serve(self, served: ServerTool) -> None:
        """A call came that is ruled on here, by whatever id its agent tells of it."""
        self._served.add(served)

    def take_update(self, patch: dict[str, Any], *, new: bool) -> None:
        """The agent told of a call, for the first time or again."""
        tool = self._take(patch, again=new or _begins(patch))
        if tool is None:
            return
        if new:
            tool.whole = {}
            tool.lay_over(patch)
        if tool.has_strayed(patch):
            self._raise(tool)
        status = tool.whole.get("status") if "status" in patch else None
        if tool.call is not None:
            for more in (tool.more_of_terminal(patch), tool.more_output()):
                if more:
                    self._printed(tool, more, False)
            for image in tool.more_shown() if "content" in patch else ():
                self._pictured(tool, image)
        if status == "in_progress":
            self._going(tool)
        elif status in {End.COMPLETED, End.FAILED}:
            self._over(tool, End(status))
        self._forget(tool)

    def asked(self, patch: dict[str, Any]) -> Request | None:
        """The agent asks for a call; None where it does not say for which."""
        tool = self._take(patch, again=True)
        if tool is None:
            return None
        request = Request(tool=tool)
        tool.requests.append(request)
        self._forget(tool)
        return request

    def hooked(self, hooked: Hooked, recipe: Recipe) -> Request | None:
        """A hook was handed a call; None where another one is on its way by the same id.

        Where it tells no id, it is the call of that input that was told and not asked for yet, or
        the next to be told.
        """
        whole = recipe.whole(hooked)
        tool = self._calls.get(hooked.call) if hooked.call else self._told_with(hooked.input)
        if tool is None or tool.ended.done():
            tool = self._new(hooked.call or str(uuid4()))
            if not hooked.call:
                self._nameless[tool.id] = tool
        under_way = tool.asking in {Asking.OPEN, Asking.ALLOWED}
        now = (whole, hooked.cwd)
        if tool.hooked and (tool.hooked, tool.folder) != now and under_way:
            return None
        (tool.hooked, tool.folder), tool.given = now, hooked.input
        tool.patch = recipe.patched(hooked)
        tool.is_note = hooked.tool in recipe.notes
        tool.weigh()
        request = Request(tool=tool)
        tool.requests.append(request)
        self._forget(tool)
        return request

    def has_ended(self, agent: str) -> bool:
        """Whether the call has ended that started a sub-agent, whose name ends with its id."""
        return any(
            tool.ended.done() and agent.endswith(f"-{tool_id}")
            for tool_id, tool in self._calls.items()
        )

    def end_all(self, how: End, *, wanted: bool = False) -> None:
        """Nothing more comes of any of them; `wanted` says that we broke them off ourselves."""
        for tool in self._calls.values():
            if not wanted:
                self._suspect_going(tool)
                if not tool.ended.done() and tool.has_strayed({"status": End.COMPLETED}):
                    self._raise(tool)
            tool.end(how)

    def _take(self, patch: dict[str, Any], *, again: bool) -> ToolCall | None:
        """The call that a message is about; after its end, `again` makes it another one."""
        tool_id = patch.get("toolCallId")
        if not isinstance(tool_id, str):
            return None
        tool = self._calls.get(tool_id) or self._named(tool_id, patch)
        if tool is None or (again and tool.ended.done()):
            tool = self._new(tool_id)
        tool.lay_over(patch)
        return tool

    def _told_with(self, given: object) -> ToolCall | None:
        """The first call with an input that nobody has asked for."""
        return next(
            (
                tool
                for tool in self._calls.values()
                if not (tool.requests or tool.ended.done()) and tool.whole.get("rawInput") == given
            ),
            None,
        )

    def _named(self, tool_id: str, patch: dict[str, Any]) -> ToolCall | None:
        """The call that only a hook was handed until now, with the id that it has after all."""
        given = patch.get("rawInput")
        if given is None:
            return None
        for name, tool in self._nameless.items():
            if tool.given == given and not tool.ended.done():
                tool.id = tool_id
                self._calls[tool_id] = self._calls.pop(name)
                del self._nameless[name]
                return tool
        return None

    def _new(self, tool_id: str) -> ToolCall:
        self._leave(tool_id)
        tool = ToolCall(id=tool_id, clean=self._clean, idle=self._recipe.idle)
        self._calls[tool_id] = tool
        self._shrink()
        return tool

    def _leave(self, tool_id: str) -> ToolCall | None:
        tool = self._calls.pop(tool_id, None)
        self._nameless.pop(tool_id, None)
        self._held -= 0 if tool is None else tool.counted
        return tool

    def _going(self, tool: ToolCall) -> None:
        tool.going = tool.asking
        if tool.is_said_to_run and tool.asking is Asking.NOT_YET and not tool.alarmed:
            asyncio.get_running_loop().call_later(self._moment, self._still_going, tool)

    def _still_going(self, tool: ToolCall) -> None:
        # What is to come to us may still be on its way; what did not come is known at its end.
        is_on_its_way = self._comes_here(tool.whole)
        if not tool.ended.done() and tool.asking is Asking.NOT_YET and not is_on_its_way:
            self._suspect(tool)

    def _over(self, tool: ToolCall, how: End) -> None:
        undecided = tool.asking is Asking.OPEN
        # A call that failed before it began, such as one with wrong arguments, did nothing.
        if how is End.COMPLETED or (tool.is_said_to_run and not undecided):
            self._suspect(tool)
        for text, is_error in tool.rest_of_output() if tool.call is not None else ():
            self._printed(tool, text, is_error)
        tool.end(how)

    def _suspect(self, tool: ToolCall) -> None:
        is_harmless = takes_notes(tool.whole) or self._follows_up(tool)
        if not (tool.is_let or is_harmless or self._is_served(tool)):
            self._raise(tool)

    def _follows_up(self, tool: ToolCall) -> bool:
        """Whether its agent only looks at what became of a call that was allowed."""
        running = self._recipe.looks_at(tool.whole)
        return running is not None and any(call.names(*running) for call in self._calls.values())

    def _is_served(self, tool: ToolCall) -> bool:
        """Whether it is one that came to us, each of which is one call of its agent."""
        tool.is_served = tool.is_served or self._served.claims(tool.whole)
        return tool.is_served

    def _suspect_going(self, tool: ToolCall) -> None:
        """Nothing more will be heard of it, and it may be going on."""
        has_result = tool.asking is Asking.NOT_YET and tool.whole.get("rawOutput") is not None
        if not tool.ended.done() and (tool.is_said_to_run or has_result):
            self._suspect(tool)

    def _raise(self, tool: ToolCall) -> None:
        if not tool.alarmed:
            tool.alarmed = True
            self._alarm(tool)

    def _forget(self, latest: ToolCall) -> None:
        """Let go of what the oldest calls hold where it is too much and nobody needs it."""
        self._count(latest)
        for tool in self._calls.values() if self._held > self._most_kept else ():
            if tool.ended.done() or not tool.requests:
                tool.slim()
                self._count(tool)
            if self._held <= self._most_kept:
                return

    def _count(self, tool: ToolCall) -> None:
        self._held += tool.weight - tool.counted
        tool.counted = tool.weight

    def _shrink(self) -> None:
        if len(self._calls) <= _MAX_CALLS + _CALLS_A_CLEANUP:
            return
        # A call may go on for longer than it takes to make a thousand others.
        over_first = sorted(self._calls.values(), key=lambda call: not call.ended.done())
        for tool in over_first[: len(self._calls) - _MAX_CALLS]:
            self._leave(tool.id)
            self._suspect_going(tool)
            tool.end(End.TURN_OVER)


def _begins(patch: dict[str, Any]) -> bool:
    return patch.get("status") in {"pending", "in_progress"}
