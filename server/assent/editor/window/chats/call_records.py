"""The records of one chat's calls, as they move, print, and are archived.

Of a call that is over and on disk no more is known than what may still happen to it.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from assent.editor.protocol import happenings, records
from assent.editor.window.chats.archive import Archive
from assent.editor.window.chats.call_shapes import (
    UNDECIDED,
    flow_shape,
    more_printed,
    record_shape,
    with_lines,
)
from assent.editor.window.chats.entries import Entries, Item
from assent.editor.window.chats.judged_calls import kept_as
from assent.gate.call.calls import Call, CallId
from assent.gate.call.lifecycle import State, is_end
from assent.gate.journal import events
from assent.gate.journal.flows import FlowMoved
from assent.gate.values import define, field

__all__ = ["CallRecords", "JudgedCalls"]

_MAX_UNDOABLE_CALLS: Final = 200
"""How many changes on disk are still known by their calls; no more than that can be undone."""


@define(eq=False)
class JudgedCalls:
    """Those of one chat, by the numbers of their records."""

    _archive: Archive

    def put(self, number: int, call: Call) -> None:
        """Keep a call; one that nobody can write down is not kept, and its record says so."""
        try:
            self._archive.put(number, kept_as(call))
        except Exception:  # noqa: BLE001 -- what is kept of a call never holds it up
            self._archive.put(number, b"")

    def put_kept(self, number: int, kept: bytes) -> None:
        """Keep what an earlier run has kept."""
        self._archive.put(number, kept)

    def get(self, number: int) -> bytes:
        """What is kept of one; nothing where there is none."""
        return self._archive.get(number) or b""

    def close(self) -> None:
        """The chat is gone."""
        self._archive.close()


@define(eq=False)
class CallRecords:
    """Those of one chat, among its entries."""

    _entries: Entries
    judged: JudgedCalls
    _now: Callable[[], int]
    _calls: dict[CallId, int] = field(factory=dict)
    """The number of each call's record that is in memory, or of which there is more to come."""
    _began: dict[CallId, int] = field(factory=dict)
    """When their commands began, in milliseconds, of those that run and are waited for."""
    _undoable: "OrderedDict[CallId, int]" = field(factory=OrderedDict)
    """Of those that are only on disk, the last that can still be undone."""

    def move(self, moved: events.CallMoved) -> happenings.CallMoved:
        """A call is new, or took a step; what it is by its decision is kept."""
        before = self._record(moved.call.id)
        happening = self._put(record_shape(moved, before, self._now()))
        was_open = before is None or State(before.state) in UNDECIDED
        if was_open and moved.state not in UNDECIDED:
            self.judged.put(happening.entry, moved.call)
        return happening

    def move_shell(self, shell: events.ShellMoved) -> None:
        """The command of a call began or ended; the step that the call then takes tells how."""
        began = self._began.pop(shell.call, self._now())
        if shell.in_background:
            return
        if shell.state == "running":
            self._began[shell.call] = began
        elif record := self._record(shell.call):
            took = max(0, self._now() - began)
            self._put(record.model_copy(update={"exit_code": shell.code, "took": took}))

    def print(self, printed: events.CallPrinted) -> happenings.CallPrinted | None:
        """A call printed something, if there is still room for it."""
        record = self._record(printed.call)
        text, errors = more_printed(record, printed) if record else ("", [])
        if record is None or not text:
            return None
        more = {"output": record.output + text, "errors": with_lines(record.errors, errors)}
        self._put(record.model_copy(update=more))
        return happenings.CallPrinted(call_id=printed.call, append=text, errors=errors)

    def change(self, event: events.CallUndone | FlowMoved) -> happenings.CallMoved | None:
        """What a call had changed was put back, or the workflow that it runs went on."""
        record = self._record(event.call)
        if record is None:
            return None
        if isinstance(event, FlowMoved):
            return self._put(record.model_copy(update={"flow": flow_shape(event)}))
        before = record.because.removesuffix(".")
        because = f"{before}. You undid it." if before else "You undid it."
        return self._put(record.model_copy(update={"may": [], "because": because, "sound": ""}))

    def put_away(self, number: int, item: Item) -> None:
        """Know of a record on disk only what may still happen to it."""
        if not isinstance(item, records.CallRecord) or not is_end(State(item.state)):
            return
        call = CallId(item.call_id)
        self._calls.pop(call, None)
        if "undo" in item.may:
            self._undoable[call] = number
        else:
            self._undoable.pop(call, None)
        if len(self._undoable) > _MAX_UNDOABLE_CALLS:
            self._undoable.popitem(last=False)

    def _record(self, call: CallId) -> records.CallRecord | None:
        number = self._calls.get(call, self._undoable.get(call))
        record = self._entries.get(number) if number is not None else None
        return record if isinstance(record, records.CallRecord) else None

    def _put(self, record: records.CallRecord) -> happenings.CallMoved:
        call = CallId(record.call_id)
        number = self._calls.get(call, self._undoable.get(call))
        if number is None:
            number = self._calls[call] = self._entries.add(record)
        else:
            self._entries.put(number, record)
            if number < self._entries.first:
                self.put_away(number, record)
        return happenings.CallMoved(entry=number, call=record)
