"""What a person sees of a call and of a shell, and can do with them."""

from typing import Annotated, Literal

from pydantic import Field

from assent.editor.protocol.approvals import By, CallTold
from assent.editor.protocol.card import Body, Level, Row, Span
from assent.editor.protocol.shapes import Id, Millis, Shape

__all__ = [
    "CallRecord",
    "CallRef",
    "Flow",
    "FlowAgain",
    "FlowStep",
    "ReadShell",
    "RecordFile",
    "RecordKept",
    "ShellInfo",
    "ShellList",
    "ShellOutput",
    "ShellRef",
    "WantRecord",
]

CallState = Literal[
    "proposed",
    "waiting",
    "running",
    "refused",
    "answered",
    "succeeded",
    "failed",
    "killed",
    "backgrounded",
]


class FlowStep(Shape):
    """One step of a workflow, as it stands."""

    name: str
    run: str
    """What it runs: a tool, or the tool of a server."""
    state: Literal[
        "pending",
        "waiting",
        "running",
        "done",
        "kept",
        "failed",
        "refused",
        "skipped",
        "unreached",
    ]
    note: str = ""
    """How far it is, or why it stands so."""
    level: int
    """How many steps lie one behind the other before it."""
    needs: list[int] = Field(default_factory=list)
    """The places, counted from 0, of the steps that it waits for."""


class Flow(Shape):
    """A workflow, as it stands."""

    name: str
    steps: list[FlowStep]


class CallRecord(Shape):
    """One call, as the transcript shows it."""

    kind: Literal["call"] = "call"
    call_id: str
    approval_id: str | None = None
    """The ticket that was opened for it, if one was."""
    call: CallTold | None = None
    """Null in records that an earlier version kept."""
    title: list[Span]
    members: list[Row] = Field(default_factory=list)
    """What was asked for, member by member; long ones without their middle."""
    looks: Literal["read", "list", "search"] | None = None
    """How it looks at one place of the workspace, where no person was asked; else null."""
    level: Level
    state: CallState
    by: By | None = None
    """Who decided; null while nobody has."""
    because: str = ""
    """Why it was decided so, in words for a person."""
    success: bool | None = None
    """Null while it is not over, and where nobody is told how it ended."""
    path: str = ""
    """The absolute path that it touches; nothing where that is none or several."""
    exit_code: int | None = None
    """What its command exited with. Null while it runs, where a signal ended it, where it goes on
    in the background, and where there is no command."""
    took: Annotated[int, Field(ge=0)] | None = None
    """How long its command ran, in milliseconds; null where that did not end before the call."""
    output: str = ""
    errors: list[int] = Field(default_factory=list)
    """Which of its lines came on standard error: pairs of the first line, counted from 0, and the
    one behind the last."""
    record_id: int | None = None
    at: Millis
    part: str = ""
    """The part of its work for which the agent made it; nothing where it is the whole."""
    flow: Flow | None = None
    """The workflow that it runs, where it runs one of several steps."""
    sound: str = ""
    """What the file is called that it made and that can be heard; nothing where it made none."""
    may: list[Literal["kill", "background", "undo"]] = Field(default_factory=list)
    """What a person can still do about it."""


class ShellInfo(Shape):
    """A command that runs or ran, and whose output can be read."""

    shell_id: str
    call_id: str
    command: list[Span]
    state: Literal["running", "exited", "killed", "expired"]
    code: int | None = None
    """What it exited with; null while it runs, or where a signal ended it."""
    in_background: bool
    at: Millis


class CallRef(Shape):
    """One call in one chat."""

    chat_id: Id
    call_id: Id


class FlowAgain(CallRef):
    """Run a workflow again that a call ran: from this step on, with what the others gave."""

    step: Annotated[str, Field(max_length=60)]


class WantRecord(Shape):
    """The record of a call in one chat, to be shown whole."""

    chat_id: Id
    entry: Annotated[int, Field(ge=0)]
    """The number of its entry."""
    call_id: Id


class RecordFile(WantRecord):
    """One file that a call changed, to be shown in the editor's own diff."""

    file: Annotated[int, Field(ge=0)] = 0
    """Which of the record's files."""


class RecordKept(Shape):
    """A call as it was judged, drawn as its card drew it."""

    body: Body | None = None
    """Null where no more is kept than its record says."""
    members: list[Row] = Field(default_factory=list)
    """Every member that the body does not draw."""
    texts: bool = False
    """Whether what stood in its files, and what came, can be shown in a diff."""
    note: str = ""
    """What is left out or gone, in a sentence; nothing where it is whole."""
    uri: str = ""
    """The `file:` URI of what it made, where that is no text."""


class ShellRef(Shape):
    """One shell of one chat."""

    chat_id: Id
    shell_id: Id


class ShellList(Shape):
    """The shells of a chat, oldest first."""

    shells: list[ShellInfo]


class ReadShell(Shape):
    """Read a shell's output, from a place that an earlier answer named."""

    chat_id: Id
    shell_id: Id
    since: Annotated[int, Field(ge=0)] = 0


class ShellOutput(Shape):
    """A stretch of a shell's output."""

    text: str
    errors: list[int] = Field(default_factory=list)
    """Which lines of the text came on standard error: as in the record of a call."""
    next: int
    """Where the next stretch begins."""
    missing: int = 0
    """How many bytes before this stretch are no longer kept."""
    shell: ShellInfo
