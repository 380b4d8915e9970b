"""Turns what happens to calls and shells into the shapes of the wire."""

from typing import Literal

from assent.calls import Call
from assent.cards.spans import code
from assent.history import events
from assent.lifecycle import State
from assent.lsp.cutting import cut_line, cut_lines, cut_spans
from assent.protocol import chats, records
from assent.settings.agents import ASSENT

__all__ = ["may_of", "plan_shape", "shell_shape", "usage_shape"]

May = Literal["kill", "background", "undo"]


def may_of(call: Call, state: State) -> list[May]:
    """What a person can still do about a call; of others' agents' calls, nothing."""
    if call.agent != ASSENT.id:
        return []
    if state is State.RUNNING:
        return ["background", "kill"] if call.detachable else ["kill"]
    return ["undo"] if state is State.SUCCEEDED and call.edits else []


def shell_shape(moved: events.ShellMoved, at: int) -> records.ShellInfo:
    """A shell as it stands."""
    return records.ShellInfo(
        shell_id=moved.shell,
        call_id=moved.call,
        command=cut_spans(code(cut_line(moved.command))),
        state=moved.state,  # type: ignore[arg-type]  # one of the four by `ShellMoved`
        code=moved.code,
        in_background=moved.in_background,
        at=at,
    )


def plan_shape(made: events.PlanMade) -> tuple[chats.PlanEntry, ...]:
    """An agent's plan, as much of it as is shown."""
    texts = cut_lines([line.text for line in made.lines])
    return tuple(
        chats.PlanEntry(text=text, state=line.state)  # type: ignore[arg-type]  # one of the three by `PlanLine`
        for text, line in zip(texts, made.lines, strict=False)
    )


def usage_shape(used: events.Used) -> chats.Usage:
    """How much the conversation takes."""
    return chats.Usage(read=used.read, wrote=used.wrote, window=used.window)
