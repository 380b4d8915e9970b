"""The edits that a call names, applied to the files as they are on the disk.

An agent's word about what stands in a file is used to find the place of a change and for
nothing else: what is shown as old is what was read here.
"""

from typing import Any

from assent.gate.call.calls import Edit, Target
from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.files import text_of
from assent.gate.values import frozen

__all__ = ["Diff", "diffs_in", "edits_of"]


@frozen(kw_only=True)
class Diff:
    """A change as the agent tells it: of a whole file, or of a stretch of one."""

    path: str
    old: str | None
    new: str


def diffs_in(content: list[dict[str, Any]]) -> list[Diff]:
    """The changes among a tool call's contents."""
    return [_diff(item) for item in content if item.get("type") == "diff"]


def edits_of(
    diffs: list[tuple[Diff, Target]], *, args: dict[str, Any], everywhere: bool
) -> tuple[Edit, ...]:
    """One edit for each file, with all its changes made one after the other."""
    given = tuple(args.values())
    before: dict[str, str | None] = {}
    after: dict[str, str | None] = {}
    for diff, target in diffs:
        path = target.resolved
        if path not in before:
            before[path] = after[path] = text_of(path, target.shown)
        if diff.old and diff.old in given and diff.old not in (after[path] or ""):
            # Its agent may look more leniently, and the stretch is not all that the file holds.
            raise CallUnreadable(
                f"It replaces a text that does not stand in {target.shown}, letter by letter."
            )
        after[path] = _changed(after[path], diff, target, everywhere=everywhere)
    return tuple(Edit(path=path, old=old, new=after[path] or "") for path, old in before.items())


def _diff(item: dict[str, Any]) -> Diff:
    path, old, new = item.get("path"), item.get("oldText"), item.get("newText")
    if not (isinstance(path, str) and isinstance(new, str) and isinstance(old, str | None)):
        raise CallUnreadable("It names a change that is not a path and two texts.")
    return Diff(path=path, old=old, new=new)


def _changed(now: str | None, diff: Diff, target: Target, *, everywhere: bool) -> str:
    """What a file holds after a change."""
    if now is None or not diff.old or diff.old == now:
        return diff.new
    matches = now.count(diff.old)
    if matches == 0:
        # The agent's picture of the file is out of date; what it would write is still what it is.
        return diff.new
    if matches > 1 and not everywhere:
        raise CallUnreadable(
            f"It replaces a text that stands {matches} times in {target.shown},"
            " and does not say which."
        )
    return now.replace(diff.old, diff.new)
