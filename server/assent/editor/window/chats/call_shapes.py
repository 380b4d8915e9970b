"""Translates events of calls and shells into the shapes of the wire."""

from collections.abc import Iterable
from typing import Final, Literal

from assent.editor.cards.finished_cards import sound_made_by
from assent.editor.cards.members import kept_of
from assent.editor.cards.spans import code, cut_spans, line
from assent.editor.cards.titles import title_of
from assent.editor.protocol import approvals, changes, chats, records
from assent.editor.window.chats.agent_shapes import label
from assent.editor.window.chats.cut_to_size import cut_line, cut_lines, cut_output
from assent.gate.call.calls import UNDONE_WHOLE, Call, canonical
from assent.gate.call.lifecycle import State
from assent.gate.call.verdicts import Actor
from assent.gate.journal import events
from assent.gate.journal.file_changes import FilesChanged
from assent.gate.journal.flows import FlowMoved
from assent.gate.ruling.weight import Level, weigh
from assent.gate.settings.agents import ASSENT
from assent.gate.text.shortening import bytes_of

__all__ = [
    "UNDECIDED",
    "changes_shape",
    "describe_call",
    "flow_shape",
    "may_of",
    "more_printed",
    "offer_shape",
    "plan_shape",
    "record_shape",
    "shell_shape",
    "undone_shape",
    "usage_shape",
    "waiting_shape",
    "with_lines",
]

May = Literal["kill", "background", "undo"]

Looks = Literal["read", "list", "search"]

_LOOKS: Final[dict[str, Looks]] = {"list": "list", "find": "search", "search": "search"}

_UNASKED: Final = frozenset({Actor.MODE, Actor.RULE})
"""Who lets a call pass without a person who looks at it."""

_MAX_FILES_BYTES: Final = 64 * 1024
"""In bytes: the paths of files that were changed, with what is told beside each."""
_FILE_OVERHEAD_BYTES: Final = 256
_MAX_FILES_NAMED: Final = 3
"""So many of the files that were undone are named."""
_MAX_STEPS: Final = 100
_MAX_NOTE_LETTERS: Final = 160
_MAX_NEEDS: Final = 20
"""So many of the steps that one waits for are drawn."""
_MAX_ID_LETTERS: Final = 64
"""In letters: ids and digests are no longer."""
_MAX_TOOL_CALL_ID_LETTERS: Final = 128
_MAX_INPUT_LETTERS: Final = 32 * 1024
"""In letters, as JSON: how much of its arguments a record of a call may take."""
_MAX_PATH_LETTERS: Final = 4_096
_SUCCESS: Final = {
    State.SUCCEEDED: True,
    State.ANSWERED: True,
    State.FAILED: False,
    State.KILLED: False,
    State.REFUSED: False,
}

UNDECIDED: Final = frozenset({State.PROPOSED, State.WAITING})
"""As long as a call may still become another."""


def may_of(call: Call, state: State) -> list[May]:
    """What a person can still do about a call; of others' agents' calls, nothing."""
    if call.agent != ASSENT.id:
        return []
    if state is State.RUNNING:
        return ["background", "kill"] if call.detachable else ["kill"]
    changes = bool(call.edits) or call.action in UNDONE_WHOLE
    return ["undo"] if state is State.SUCCEEDED and changes else []


def describe_call(call: Call, max_letters: int) -> approvals.CallTold:
    """A call as its agent made it, with all of its arguments or none."""
    return approvals.CallTold(
        tool=label(call.tool),
        effect=call.effect.value,
        input=call.input if len(canonical(call.input)) <= max_letters else None,
        tool_call_id=label(call.tool_call_id, _MAX_TOOL_CALL_ID_LETTERS) or call.id,
    )


def record_shape(
    moved: events.CallMoved, before: records.CallRecord | None, now: int
) -> records.CallRecord:
    """A call as it stands; `before` is what was told of it last."""
    call = moved.call
    call_record = before if before and moved.state not in UNDECIDED else None
    ended = before if moved.state is not State.BACKGROUNDED else None
    return records.CallRecord(
        call_id=call.id,
        approval_id=moved.ticket or (before.approval_id if before else None),
        call=call_record.call if call_record else describe_call(call, _MAX_INPUT_LETTERS),
        title=call_record.title if call_record else cut_spans(title_of(call)),
        members=call_record.members if call_record else kept_of(call),
        looks=_looks_of(call, moved.by),
        level=weigh(call).level.value,
        state=moved.state.value,
        by=moved.by.value if moved.by else None,
        because=cut_line(moved.because),
        success=_SUCCESS.get(moved.state),
        path=_path_of(call),
        exit_code=ended.exit_code if ended else None,
        took=ended.took if ended else None,
        output=before.output if before else "",
        errors=before.errors if before else [],
        record_id=moved.record or (before.record_id if before else None),
        at=before.at if before else now,
        part=cut_line(call.part),
        flow=before.flow if before else None,
        may=may_of(call, moved.state),
        sound=label(sound_made_by(call)) if moved.state is State.SUCCEEDED else "",
    )


def _path_of(call: Call) -> str:
    """The one path that it touches, as far as the system knows such long ones."""
    path = call.targets[0].resolved if len(call.targets) == 1 else ""
    return path if len(path) <= _MAX_PATH_LETTERS else ""


def flow_shape(moved: FlowMoved) -> records.Flow:
    """A workflow as it stands."""
    return records.Flow(
        name=label(moved.name),
        steps=[
            records.FlowStep(
                name=label(step.name),
                run=label(step.run),
                state=step.state,  # type: ignore[arg-type]  # one of the nine by `FlowStep`
                note=label(step.note, _MAX_NOTE_LETTERS),
                level=step.level,
                needs=list(step.needs[:_MAX_NEEDS]),
            )
            for step in moved.steps[:_MAX_STEPS]
        ],
    )


def more_printed(record: records.CallRecord, printed: events.CallPrinted) -> tuple[str, list[int]]:
    """What is added to a call's output, and which of its lines then are errors by that.

    What came on standard error stands in lines of its own.
    """
    line = record.output.count("\n")
    goes_on = record.output != "" and not record.output.endswith("\n")
    was_error = goes_on and bool(record.errors) and record.errors[-1] > line
    breaks = goes_on and was_error is not printed.is_error
    text = cut_output(record.output, "\n" * breaks + printed.text)
    if not (printed.is_error and text):
        return text, []
    first = line + breaks
    last = line + text.count("\n") + (not text.endswith("\n"))
    return text, [first, last] if last > first else []


def with_lines(before: list[int], more: list[int]) -> list[int]:
    """The error lines with more of them; those that follow on each other are one pair.

    >>> with_lines([0, 2], [1, 3]), with_lines([0, 2], [4, 5])
    ([0, 3], [0, 2, 4, 5])
    """
    goes_on = bool(before and more) and before[-1] >= more[0]
    return [*before[:-1], more[1]] if goes_on else [*before, *more]


def _looks_of(call: Call, by: Actor | None) -> Looks | None:
    """How a call looks at one place of the workspace; a view tells several in a row in one line.

    What a person answered, and what lies elsewhere, is told by itself.
    """
    if call.tool != "read" or len(call.targets) != 1 or by not in _UNASKED:
        return None
    if weigh(call).level is not Level.LOW or not all(target.inside for target in call.targets):
        return None
    return _LOOKS.get(call.action, "read")


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


def offer_shape(noticed: events.Noticed) -> chats.Offer | None:
    """What a person can do at once about a notice."""
    if noticed.mode is not None:
        return chats.ModeOffer(mode=noticed.mode.value)
    if noticed.retry:
        return chats.RetryOffer(wants_key=noticed.wants_key)
    return chats.PromptOffer(text=noticed.again) if noticed.again else None


def changes_shape(
    changed: FilesChanged, before: Iterable[changes.ChangedFile]
) -> list[changes.ChangedFile]:
    """The files with changes that were neither kept nor undone, as many as there is room for.

    Each change sends the whole list, so the shapes of `before` are used again.
    """
    known = {(shape.file_id, shape.digest): shape for shape in before}
    files, room = list[changes.ChangedFile](), _MAX_FILES_BYTES
    for file in changed.files:
        path = cut_line(file.path)
        room -= bytes_of(path) + _FILE_OVERHEAD_BYTES
        if room < 0:
            break
        file_id, digest = file.id[:_MAX_ID_LETTERS], file.digest[:_MAX_ID_LETTERS]
        files.append(
            known.get((file_id, digest))
            or changes.ChangedFile(
                file_id=file_id,
                path=cut_spans(line(path)),
                added=file.added,
                removed=file.removed,
                new=file.is_new,
                digest=digest,
            )
        )
    return files


def undone_shape(changed: FilesChanged) -> changes.FilesUndone | None:
    """What was undone last, with the names of its first files."""
    undone = changed.undone
    if undone is None:
        return None
    named = undone.paths[:_MAX_FILES_NAMED]
    return changes.FilesUndone(
        undo_id=undone.id[:_MAX_ID_LETTERS],
        paths=[cut_spans(line(cut_line(path))) for path in named],
        more=len(undone.paths) - len(named),
    )


def usage_shape(used: events.Used) -> chats.Usage:
    """How much the conversation takes."""
    return chats.Usage(
        read=used.read,
        wrote=used.wrote,
        window=used.window,
        cached=used.cached,
        cost=label(used.cost),
        turn_cost=label(used.turn_cost),
        prices_of=label(used.prices_of),
    )


def waiting_shape(waiting: events.Waiting, now: int) -> chats.Waiting | None:
    """Why and until when a model is left alone; None where it is not."""
    if not waiting.because:
        return None
    until = now + round(waiting.seconds * 1_000)
    return chats.Waiting(because=cut_line(waiting.because), now=now, until=until)
