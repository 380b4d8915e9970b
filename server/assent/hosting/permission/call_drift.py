"""Whether what an agent reports of a call contradicts what the person was shown.

What was shown is a `Call`: a command with its folder, files, changes of files, a tool with its
arguments. Agents tell of one call several times, each time in another form: they leave out, fill
in what nobody chose, call arguments otherwise, put what a call printed where its change stood. So
no telling is compared with another one. Each is held against what was shown: what it leaves out
contradicts nothing, and what it names must be among that.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from assent.gate.call.calls import Call, Edit
from assent.gate.call.errors import CallUnreadable
from assent.hosting.permission import arguments
from assent.hosting.permission.calls import Reader
from assent.hosting.permission.edits import Diff
from assent.hosting.permission.mcp_tool_names import served_in
from assent.hosting.permission.parts import Parts, shown_anyway
from assent.hosting.permission.patches import patch_in

__all__ = ["contradicts"]

_CHANGES: Final = ("edit", "delete", "move")
"""The kinds of a call that changes files."""
_TABS: Final = re.compile(r"^\t+", re.MULTILINE)
_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S+")


def contradicts(telling: dict[str, Any], shown: Call, reader: Reader) -> bool:
    """Whether a telling of a call names a command, place, change or argument that was not shown."""
    try:
        parts = Parts.of(telling)
        return _acts_otherwise(telling, parts, shown, reader) or _changes_otherwise(
            parts.diffs, shown, reader
        )
    except CallUnreadable:
        # What nobody can read was shown only where just that could not be read then.
        texts = _texts(shown_anyway(telling))
        return shown.unreadable is None or not set(texts) <= set(_texts(shown.input))


def _acts_otherwise(telling: dict[str, Any], parts: Parts, shown: Call, reader: Reader) -> bool:
    served = served_in(telling)
    if shown.tool == "mcp":
        if served is not None:
            return not served.is_asked_by(shown)
        return bool(parts.args) and parts.args != shown.input.get("arguments")
    if served is not None and not parts.diffs:
        return True
    match shown.tool:
        case "shell":
            return bool(parts.args) and _runs_otherwise(parts.args, shown, reader)
        case "read":
            # A search shows what it found below the folder that it was let look through.
            is_elsewhere = any(not _is_place(path, shown, reader) for path in parts.named)
            changes = telling.get("kind") in _CHANGES or bool(arguments.new_texts(parts.args))
            return is_elsewhere or changes or arguments.names_command(parts.args)
        case "write":
            is_elsewhere = any(not _is_place(path, shown, reader) for path in parts.named)
            return is_elsewhere or _writes_otherwise(parts.args, shown)
    return _gives_otherwise(parts.args, shown, reader)


def _runs_otherwise(args: dict[str, Any], shown: Call, reader: Reader) -> bool:
    """Whether the arguments are those of another command, or of one in another folder."""
    if arguments.command_in(args) != shown.input["command"]:
        return True
    folder = arguments.folder_in(args)
    is_elsewhere = folder is not None and shown.cwd not in _led_to(folder, shown, reader)
    return is_elsewhere or arguments.beside_command(args) is not None


def _writes_otherwise(args: dict[str, Any], shown: Call) -> bool:
    """Whether the arguments bring a text into a file that is in no change which was shown."""
    if _differs(args, shown):
        return True
    contents = [_plain(side or "") for edit in shown.edits for side in (edit.old, edit.new)]
    texts = set(_texts(shown.input))
    return any(
        text not in texts and not any(_plain(text) in content for content in contents)
        for text in _texts(arguments.put_in(args))
    )


def _gives_otherwise(args: dict[str, Any], shown: Call, reader: Reader) -> bool:
    """Whether a tool of which no more is known is given what was not shown.

    An argument of another name may be what its agent fills in or calls otherwise, unless it is a
    command, a place or an address.
    """
    texts = set(_texts(shown.input))
    command = arguments.command_in(args)
    paths = arguments.paths_in(args)
    return (
        _differs(args, shown)
        or (command is not None and command not in texts)
        or any(path not in texts and not _is_place(path, shown, reader) for path in paths)
        or any(_ADDRESS.fullmatch(text) and text not in texts for text in _texts(args))
    )


def _differs(args: dict[str, Any], shown: Call) -> bool:
    """Whether an argument has another value than the one of its name that was shown."""
    return any(
        name not in arguments.PLACES
        and value not in (None, "", [], {})
        and (values := list(_named(name, shown.input)))
        and not any(_says_the_same(value, other) for other in values)
        for name, value in args.items()
    )


def _says_the_same(value: object, shown: object) -> bool:
    """Whether a value is the one that was shown, but for what its agent filled in."""
    if isinstance(value, dict) and isinstance(shown, dict):
        return all(_says_the_same(value[name], shown[name]) for name in value.keys() & shown.keys())
    if isinstance(value, list) and isinstance(shown, list):
        pairs = zip(value, shown, strict=False)
        return len(value) == len(shown) and all(_says_the_same(*pair) for pair in pairs)
    return value == shown


def _named(name: str, value: object) -> Iterator[object]:
    """Each value under a name, at any depth."""
    if isinstance(value, dict):
        yield from [value[name]] if name in value else []
        value = list(value.values())
    for inner in value if isinstance(value, list) else ():
        yield from _named(name, inner)


def _texts(value: object) -> Iterator[str]:
    """Each text in a value, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def _is_place(path: str, shown: Call, reader: Reader) -> bool:
    """Whether a path leads to a target that was shown, or for a reading below one."""
    if "://" in path:
        return False
    below = shown.tool == "read"
    return any(
        place == target.resolved or (below and place.startswith(f"{target.resolved.rstrip('/')}/"))
        for place in _led_to(path, shown, reader)
        for target in shown.targets
    )


def _led_to(path: str, shown: Call, reader: Reader) -> set[str]:
    """Where a path leads from the call's own folder and from that of the chat."""
    folders = {shown.cwd, reader.servers_in or reader.cwd}
    return {reader.places.locate(path, folder).resolved for folder in folders}


def _changes_otherwise(diffs: Iterable[Diff], shown: Call, reader: Reader) -> bool:
    """Whether a change of a file is among what is told and not among what was shown."""
    edits = {edit.path: edit for edit in shown.edits}
    texts = set(_texts(shown.input))
    for diff in diffs:
        places = _led_to(diff.path, shown, reader)
        edit = next((edits[place] for place in places if place in edits), None)
        if edit is not None:
            if not _is_part_of(diff, edit):
                return True
        elif shown.tool == "write" and not shown.edits:
            if not _is_place(diff.path, shown, reader):
                return True
        elif not (
            # A patch that could only be read as the command that it came as names its files.
            places & _patched_by(shown, reader)
            # What could not be set against the file was shown as it came.
            or {diff.path, diff.new, *([diff.old] if diff.old else [])} <= texts
            or any(_is_around(diff, change) for change in _changes_in(shown))
        ):
            return True
    return False


def _changes_in(shown: Call) -> list[Diff]:
    """The changes that could not be set against their files."""
    content = shown.input.get("content") if shown.unreadable else None
    return Parts.of({"content": content}).diffs if isinstance(content, list) else []


def _is_around(diff: Diff, change: Diff) -> bool:
    """Whether a change is the one that was shown, with what stands around it."""
    old, new = _plain(change.old or ""), _plain(change.new)
    is_same = diff.path == change.path and old and _plain(diff.old or "").count(old) == 1
    return bool(is_same) and _plain(diff.old or "").replace(old, new) == _plain(diff.new)


def _patched_by(shown: Call, reader: Reader) -> set[str]:
    command = shown.input.get("command")
    patch = patch_in(command) if shown.tool == "shell" and isinstance(command, str) else None
    return {place for part in patch or () for place in _led_to(part.path, shown, reader)}


def _is_part_of(diff: Diff, edit: Edit) -> bool:
    """Whether a stretch that is told stands in what was shown, before and behind the change.

    Some tell it line by line afterwards, without the last line's end and with each tab before a
    line as two spaces.
    """
    old, new, before, after = (
        _TABS.sub(lambda tabs: "  " * len(tabs[0]), _plain(text or ""))
        for text in (diff.old, diff.new, edit.old, edit.new)
    )
    if diff.old is None:
        return new.removesuffix("\n") == after.removesuffix("\n")
    return new in after and old in before


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n")
