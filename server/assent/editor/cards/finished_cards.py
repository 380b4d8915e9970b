"""The card of a call that is over: its body, without the question and the buttons."""

from pathlib import PurePath

from assent.editor.cards.bodies import body_of
from assent.editor.cards.hunks import Room
from assent.editor.cards.members import is_rows, members_of
from assent.editor.cards.spans import code, plain
from assent.editor.cards.titles import folder_of
from assent.editor.protocol.card import Body, Row, ShellBody
from assent.gate.call.calls import MADE, Call
from assent.gate.call.verdicts import Ruling, Verdict

__all__ = ["body_afterwards", "made_by", "members_afterwards", "sound_made_by"]

_RULED = Ruling(verdict=Verdict.ASK, because="")
"""What the bodies of commands alone would tell; how a call was decided stands beside it."""


def body_afterwards(call: Call, room: Room) -> Body:
    """What ran, as its card drew it; a command is not taken apart again, since nobody rules."""
    if call.tool == "shell" and not is_rows(call):
        command = code(str(call.input.get("command", "")))
        return ShellBody(command=command, readable=True, parts=[], cwd=folder_of(call))
    return body_of(call, _RULED, room)


def members_afterwards(call: Call) -> list[Row]:
    """Every member that the body does not draw, and the folder in which a command ran."""
    folder = [Row(name=plain("Folder"), value=folder_of(call))] if call.tool == "shell" else []
    return [*folder, *members_of(call)]


def sound_made_by(call: Call) -> str:
    """What the file is called that a call had spoken; nothing where it was another call."""
    return call.targets[0].shown if call.action == "speak" and len(call.targets) == 1 else ""


def made_by(call: Call) -> str:
    """Where the file lies that a call made, as a URI; nothing where it made none."""
    paths = [PurePath(target.resolved) for target in call.targets] if call.action in MADE else []
    return paths[0].as_uri() if len(paths) == 1 and paths[0].is_absolute() else ""
