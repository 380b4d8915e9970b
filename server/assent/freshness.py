"""Whether a call would still do what was judged: the same paths, and the same files before it."""

from assent.calls import Call
from assent.errors import CallUnreadable
from assent.files import text_of
from assent.places import Places

__all__ = ["changed_since"]


def changed_since(call: Call, places: Places) -> str | None:
    """What is no longer as it was judged, in a sentence for the person and the agent; or None."""
    try:
        return _moved(call, places) or _edited(call)
    except CallUnreadable as error:
        return f"It can no longer be told what this would change: {error}"


def _moved(call: Call, places: Places) -> str | None:
    for target in call.targets:
        # What a path leads to was told by where it leads, so that must lead there still.
        if places.locate(target.resolved, "/").resolved != target.resolved:
            return f"{target.shown} leads elsewhere than it did when this was judged."
        if target.named and places.locate(target.named, "/").resolved != target.resolved:
            return f"{target.shown} leads elsewhere than it did when this was judged."
    return None


def _edited(call: Call) -> str | None:
    shown = {target.resolved: target.shown for target in call.targets}
    for edit in call.edits:
        name = shown.get(edit.path, edit.path)
        if text_of(edit.path, name) != edit.old:
            return f"{name} has changed since this was shown."
    return None
