"""The newest changes of one chat that can still be undone."""

from collections import OrderedDict
from typing import Final

from assent.agent.tools.tool import NewFile
from assent.gate.call.calls import Call, CallId
from assent.gate.sandbox.trials import Applied
from assent.gate.values import define, field, frozen

__all__ = ["UndoStack", "Undoable"]

_MAX_CALLS: Final = 200
_MAX_LETTERS: Final = 32 * 1024 * 1024


@frozen(kw_only=True)
class Undoable:
    """A call as it was carried out, with what is no text of what it made."""

    call: Call
    new: NewFile | None = None
    applied: Applied | None = None
    """What a trial replaced; it is forgotten with this."""


@define
class UndoStack:
    """Calls that changed files, oldest first."""

    _calls: "OrderedDict[CallId, Undoable]" = field(factory=OrderedDict)
    _letters: int = 0

    def put(self, *calls: Call, new: NewFile | None = None, applied: Applied | None = None) -> None:
        """Keep those of these calls that changed files."""
        for call in calls:
            if call.edits or new is not None or applied is not None:
                self._calls[call.id] = Undoable(call=call, new=new, applied=applied)
                self._letters += _length(call)
        while len(self._calls) > _MAX_CALLS or self._letters > _MAX_LETTERS:
            _, dropped = self._calls.popitem(last=False)
            self._letters -= _length(dropped.call)

    def clear(self) -> None:
        """Keep none of them; what trials replaced is removed from the disk."""
        self._calls.clear()
        self._letters = 0

    def find(self, call: CallId) -> Undoable | None:
        """The call of that id, if it is still kept."""
        return self._calls.get(call)


def _length(call: Call) -> int:
    return sum(len(edit.old or "") + len(edit.new) for edit in call.edits)
