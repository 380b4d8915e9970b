"""What an agent tells of its tool calls, kept by id; and the alarm for those it did not ask for.

A later message about a call is laid over the earlier ones. A call that has ended passes nothing
on to another that comes under the same id. The rule of the alarm: any call but mere thinking
that was completed, or has been going on for a moment, without ever having been asked for.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final

from attrs import define, field

from assent.calls import CallId, canonical

__all__ = ["LONGEST_OUTPUT", "Asking", "End", "ToolCall", "ToolCalls"]

LONGEST_OUTPUT: Final = 64 * 1024
"""How much of a call's output is kept."""

_REMEMBERED: Final = 1_000
_MOMENT: Final = 2.0
"""Seconds for which a call may go on unasked: some agents say that it goes on, and then ask."""


class Asking(StrEnum):
    """Whether a call was asked for, and what came of that."""

    NOT_YET = "notYet"
    OPEN = "open"
    ALLOWED = "allowed"
    REFUSED = "refused"


class End(StrEnum):
    """How a tool call ended, as far as we were told."""

    COMPLETED = "completed"
    FAILED = "failed"
    TURN_OVER = "turnOver"
    AGENT_GONE = "agentGone"


@define(eq=False)
class ToolCall:
    """One tool call of an agent, as far as it is known."""

    id: str
    whole: dict[str, Any] = field(factory=dict)
    """All that was told of it, the last word on each member."""
    asking: Asking = Asking.NOT_YET
    going: bool = False
    alarmed: bool = False
    call: CallId | None = None
    """The call under which its output is shown."""
    output: str = ""
    ended: asyncio.Future[End] = field(factory=lambda: asyncio.get_running_loop().create_future())
    _seen: str = ""

    def lay_over(self, patch: dict[str, Any]) -> None:
        """Take in what a message says; what it leaves out stays as it was."""
        self.whole |= {name: value for name, value in patch.items() if value is not None}

    def begin(self, call: CallId) -> None:
        """It may run: from here on what it shows is output."""
        self.asking, self.call, self._seen = Asking.ALLOWED, call, _text_in(self.whole)

    def more_output(self) -> str:
        """What it has shown since this was last asked."""
        text = _text_in(self.whole)
        if text == self._seen:
            return ""
        more = text.removeprefix(self._seen) if text.startswith(self._seen) else "\n" + text
        self._seen = text
        return self._kept(more if self.output else more.lstrip("\n"))

    def rest_of_output(self) -> str:
        """Its raw output, where it ended without having shown any."""
        raw = self.whole.get("rawOutput")
        if self.output or raw is None:
            return ""
        return self._kept(raw if isinstance(raw, str) else canonical(raw))

    def end(self, how: End) -> None:
        """Nothing more comes of it."""
        if not self.ended.done():
            self.ended.set_result(how)

    def _kept(self, more: str) -> str:
        more = more[: LONGEST_OUTPUT - len(self.output)]
        self.output += more
        return more


@define
class ToolCalls:
    """The tool calls of one session."""

    _alarm: Callable[[ToolCall], None]
    _printed: Callable[[ToolCall, str], None]
    _moment: float = _MOMENT
    _calls: OrderedDict[str, ToolCall] = field(factory=OrderedDict)

    def told(self, patch: dict[str, Any], *, new: bool) -> None:
        """The agent told of a call, for the first time or again."""
        tool = self._take(patch, again=new or _begins(patch))
        if new and tool is not None:
            tool.whole = dict(patch)
        if tool is None:
            return
        status = tool.whole.get("status") if "status" in patch else None
        if tool.call is not None and (more := tool.more_output()):
            self._printed(tool, more)
        if status == "in_progress":
            self._going(tool)
        elif status in {End.COMPLETED, End.FAILED}:
            self._over(tool, End(status))

    def asked(self, patch: dict[str, Any]) -> ToolCall | None:
        """The agent asks for a call; None where it does not say for which."""
        tool = self._take(patch, again=True)
        if tool is not None:
            tool.asking = Asking.OPEN
        return tool

    def end_all(self, how: End) -> None:
        """Nothing more comes of any of them."""
        for tool in self._calls.values():
            if tool.going and not tool.ended.done() and how is End.TURN_OVER:
                self._suspect(tool)
            tool.end(how)

    def _take(self, patch: dict[str, Any], *, again: bool) -> ToolCall | None:
        """The call that a message is about; after its end, `again` makes it another one."""
        tool_id = patch.get("toolCallId")
        if not isinstance(tool_id, str):
            return None
        tool = self._calls.get(tool_id)
        if tool is None or (again and tool.ended.done()):
            tool = self._calls[tool_id] = ToolCall(id=tool_id)
            self._calls.move_to_end(tool_id)
            self._shrink()
        tool.lay_over(patch)
        return tool

    def _going(self, tool: ToolCall) -> None:
        tool.going = True
        if tool.asking is Asking.NOT_YET and not tool.alarmed:
            asyncio.get_running_loop().call_later(self._moment, self._still_going, tool)

    def _still_going(self, tool: ToolCall) -> None:
        if not tool.ended.done() and tool.asking is Asking.NOT_YET:
            self._suspect(tool)

    def _over(self, tool: ToolCall, how: End) -> None:
        unasked = tool.asking is Asking.NOT_YET
        # A call that failed before it began, such as one with wrong arguments, did nothing.
        if how is End.COMPLETED or (unasked and tool.going):
            self._suspect(tool)
        if tool.call is not None and (rest := tool.rest_of_output()):
            self._printed(tool, rest)
        tool.end(how)

    def _suspect(self, tool: ToolCall) -> None:
        harmless = tool.asking is Asking.ALLOWED or tool.whole.get("kind") == "think"
        if harmless or tool.alarmed:
            return
        tool.alarmed = True
        self._alarm(tool)

    def _shrink(self) -> None:
        while len(self._calls) > _REMEMBERED:
            _, oldest = self._calls.popitem(last=False)
            oldest.end(End.TURN_OVER)


def _begins(patch: dict[str, Any]) -> bool:
    return patch.get("status") in {"pending", "in_progress"}


def _text_in(whole: dict[str, Any]) -> str:
    """The text among a tool call's contents."""
    content = whole.get("content")
    if not isinstance(content, list):
        return ""
    texts = [
        item["content"].get("text")
        for item in content
        if isinstance(item, dict) and isinstance(item.get("content"), dict)
    ]
    return "\n".join(text for text in texts if isinstance(text, str))[:LONGEST_OUTPUT]
