"""Whether what an agent shows of a call that runs is still the call that was ruled on.

A hook is handed what would run, and that is ruled on; what its agent then shows of the same call
may be another all the same. Only what is shown can differ: most agents leave much out.
"""

from collections.abc import Iterable
from typing import Any

from assent.acp import arguments
from assent.acp.calls import Reader
from assent.acp.edits import Diff
from assent.acp.parts import Parts
from assent.acp.patches import patch_in
from assent.acp.served import served_in
from assent.calls import Call, Edit
from assent.errors import CallUnreadable

__all__ = ["asks_for_another", "shows_another"]


def shows_another(shown: dict[str, Any], ruled: Call, given: object, reader: Reader) -> bool:
    """Whether an agent shows another command, path or change than was ruled on.

    `given` is the input that the hook was handed; an agent that says the same again says nothing
    new by it.
    """
    try:
        parts, served = Parts.of(shown), served_in(shown)
        # Codex hands its hook the arguments alone, and shows the server and its tool beside them.
        is_same = served is not None and served.is_asked_by(ruled)
        raw = shown.get("rawInput")
        is_other = not is_same and _acts_otherwise(parts, raw, ruled, given, reader)
        return is_other or _changes_otherwise(parts.diffs, ruled, reader)
    except CallUnreadable:
        # What nobody can read is nothing that was ruled on, unless that could not be read either.
        return ruled.unreadable is None


def asks_for_another(asked: dict[str, Any], ruled: Call, reader: Reader) -> bool:
    """Whether a request names another file, or another change of one, than its hook was let."""
    if ruled.tool not in {"read", "write"}:
        return False
    try:
        parts = Parts.of({it: asked.get(it) for it in ("locations", "content")})
    except CallUnreadable:
        return True
    is_other = not all(_lies_in(it, ruled, reader, below=True) for it in parts.places)
    return is_other or _changes_otherwise(parts.diffs, ruled, reader)


def _acts_otherwise(parts: Parts, raw: object, ruled: Call, given: object, reader: Reader) -> bool:
    if raw and raw != given:
        if ruled.tool == "shell":
            return _commands_otherwise(parts.args, ruled, reader)
        if ruled.tool not in {"read", "write"} or arguments.names_command(parts.args):
            return True
    elif ruled.tool not in {"read", "write"}:
        return False
    # A search shows what it found below the folder that it was let look through.
    below = ruled.tool == "read"
    return not all(_lies_in(path, ruled, reader, below=below) for path in parts.named)


def _commands_otherwise(args: dict[str, Any], ruled: Call, reader: Reader) -> bool:
    command, folder = arguments.command_in(args), arguments.folder_in(args)
    if command != ruled.input["command"] or arguments.beside_command(args) is not None:
        return True
    return folder is not None and reader.places.locate(folder, reader.cwd).resolved != ruled.cwd


def _lies_in(path: str, ruled: Call, reader: Reader, *, below: bool) -> bool:
    if not ruled.targets or "://" in path:
        return False
    where = reader.places.locate(path, reader.cwd).resolved
    return any(
        where == it.resolved or (below and where.startswith(f"{it.resolved.rstrip('/')}/"))
        for it in ruled.targets
    )


def _changes_otherwise(diffs: Iterable[Diff], ruled: Call, reader: Reader) -> bool:
    edits = {edit.path: edit for edit in ruled.edits}
    paths = {target.resolved for target in ruled.targets}
    for diff in diffs:
        path = reader.places.locate(diff.path, reader.cwd).resolved
        if ruled.tool != "write":
            # A patch that could only be read as the command that it came as names its files.
            return path not in _patched_by(ruled, reader)
        if path not in paths:
            return True
        if path in edits and not _is_part_of(diff, edits[path]):
            return True
    return False


def _patched_by(ruled: Call, reader: Reader) -> set[str]:
    command = ruled.input.get("command")
    patch = patch_in(command) if ruled.tool == "shell" and isinstance(command, str) else None
    return {reader.places.locate(one.path, reader.cwd).resolved for one in patch or ()}


def _is_part_of(diff: Diff, edit: Edit) -> bool:
    """Whether a stretch that is shown stands in what was ruled on, before and behind the change."""
    old, new = (_plain(it or "") for it in (diff.old, diff.new))
    return new in _plain(edit.new) and old in _plain(edit.old or "")


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n")
