"""The changes of one chat that can still be undone: the newest, as many as there is room for."""

from collections import OrderedDict
from typing import Final

from attrs import define, field

from assent.calls import Call, CallId

__all__ = ["Shelf"]

_MOST: Final = 200
_LETTERS: Final = 32 * 1024 * 1024


@define
class Shelf:
    """Calls that changed files, oldest first."""

    _calls: "OrderedDict[CallId, Call]" = field(factory=OrderedDict)
    _letters: int = 0

    def put(self, *calls: Call) -> None:
        """Keep those of these calls that changed files."""
        for call in calls:
            if call.edits:
                self._calls[call.id] = call
                self._letters += _length(call)
        while len(self._calls) > _MOST or self._letters > _LETTERS:
            _, dropped = self._calls.popitem(last=False)
            self._letters -= _length(dropped)

    def find(self, call: CallId) -> Call | None:
        """The call of that id, if it is still kept."""
        return self._calls.get(call)


def _length(call: Call) -> int:
    return sum(len(edit.old or "") + len(edit.new) for edit in call.edits)
