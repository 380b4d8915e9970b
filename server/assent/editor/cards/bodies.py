"""The body of a card: exactly what would run, change, be read or be sent."""

import json
from pathlib import PurePath

from assent.editor.cards.bare_members import given_in
from assent.editor.cards.forms import form_of
from assent.editor.cards.hunks import Room, changes_of
from assent.editor.cards.members import is_rows, row_of, rows_of_trial
from assent.editor.cards.pages import picture_of
from assent.editor.cards.parts import parts_of
from assent.editor.cards.spans import code, line
from assent.editor.cards.titles import folder_of
from assent.editor.protocol.card import (
    Choice,
    EditBody,
    EditedFile,
    FormBody,
    OtherBody,
    PlanBody,
    QuestionBody,
    ReadBody,
    Row,
    ShellBody,
    TrustBody,
    TrustFile,
)
from assent.gate.approvals.options import ANSWER_PREFIX
from assent.gate.call.calls import APPLY, Call, Edit
from assent.gate.call.verdicts import Ruling
from assent.gate.settings.wishes import Wish, WishedFile

__all__ = ["body_of", "body_of_wish"]


def body_of(
    call: Call, ruling: Ruling, room: Room
) -> ShellBody | EditBody | ReadBody | OtherBody | PlanBody | QuestionBody | FormBody:
    """The body for a call; the room for changes is used up by it."""
    if is_rows(call):
        return _other(call)
    match call.tool:
        case "shell":
            return _shell(call, ruling)
        case "read":
            return ReadBody(paths=[line(target.shown) for target in call.targets])
        case "run":
            return _steps(call, ruling)
        case "write":
            rows = rows_of_trial(call) if call.action == APPLY else []
            return EditBody(rows=rows, files=[_file(call, edit, room) for edit in call.edits])
        case "plan":
            return PlanBody(text=code(str(call.input["plan"])))
        case "question":
            return _question(call)
        case "form":
            return form_of(call)
        case _:
            return _other(call)


def body_of_wish(wish: Wish) -> TrustBody:
    """The body for something that the workspace's files ask for."""
    if wish.files:
        files = [*map(_wished, wish.files)]
        return TrustBody(setting="", value=[], effect=wish.effect, files=files)
    return TrustBody(
        setting=f"assent.{wish.key}",
        value=code(json.dumps(wish.value, ensure_ascii=False, indent=2, default=str)),
        effect=wish.effect,
    )


def _wished(file: WishedFile) -> TrustFile:
    return TrustFile(
        path=line(file.path),
        rows=[Row(name=line(name), value=code(value)) for name, value in file.rows],
        text=code(file.text),
    )


def _question(call: Call) -> QuestionBody:
    return QuestionBody(
        question=code(str(call.input["question"])),
        choices=[
            Choice(
                option_id=f"{ANSWER_PREFIX}{place}",
                label=line(choice["label"]),
                detail=line(choice.get("detail", "")),
            )
            for place, choice in enumerate(call.input.get("choices", ()))
        ],
    )


def _shell(call: Call, ruling: Ruling) -> ShellBody:
    command = str(call.input.get("command", ""))
    shown = parts_of(command, ruling)
    return ShellBody(
        command=code(command),
        readable=shown.readable,
        parts=list(shown.parts),
        tail=shown.tail,
        cwd=folder_of(call),
    )


def _steps(call: Call, ruling: Ruling) -> ShellBody:
    """The steps of a workflow, drawn as the commands of a text are: each with its ruling."""
    whole = "\n".join(step.says for step in call.steps)
    shown = parts_of(whole, ruling)
    return ShellBody(
        command=code(whole),
        readable=shown.readable,
        parts=list(shown.parts),
        tail=shown.tail,
        cwd=folder_of(call),
    )


def _file(call: Call, edit: Edit, room: Room) -> EditedFile:
    changes = changes_of(edit, room)
    shown = {target.resolved: target.shown for target in call.targets}
    return EditedFile(
        path=line(shown.get(edit.path, edit.path)),
        uri=PurePath(edit.path).as_uri(),
        new=edit.old is None,
        added=changes.added,
        removed=changes.removed,
        hunks=changes.hunks,
    )


def _other(call: Call) -> OtherBody:
    return OtherBody(
        rows=[row_of(name, value) for name, value in given_in(call)],
        json_text=code(json.dumps(call.input, ensure_ascii=False, indent=2, default=str)),
        picture=picture_of(call),
    )
