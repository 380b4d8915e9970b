"""The interface of a tool: its name, its arguments, what a call would do, and doing it.

A tool says what a call touches from its arguments alone, before anything is decided, and carries
out exactly the call that was judged. It cannot pass the gate by itself: what it needs from the
rest of the house is in its `Bench`.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, Generic, Protocol, TypeVar

import pydantic

from assent.agent.models.attachments import Attachment
from assent.agent.tools.media_maker import Maker
from assent.agent.tools.step_calls import StepCalls
from assent.catalogue.documents.port import Documents
from assent.catalogue.mcp.server_requests import ServerRequest
from assent.catalogue.nodes.catalogue import Catalogue
from assent.catalogue.workflows.runs import Runs
from assent.gate.call.calls import (
    Beside,
    Call,
    Code,
    Described,
    Edit,
    Effect,
    Planned,
    Script,
    Target,
)
from assent.gate.call.errors import AssentError
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.disk.buffers import Buffers
from assent.gate.disk.places import Places
from assent.gate.journal.events import PlanLine
from assent.gate.journal.flows import FlowStep
from assent.gate.processes.live_output import Printed
from assent.gate.processes.shell_registry import ShellRegistry
from assent.gate.sandbox.changes import Change
from assent.gate.sandbox.hosts import Answer, Judge, Leave
from assent.gate.sandbox.sorting import Sorted
from assent.gate.sandbox.trials import Applied, Trial
from assent.gate.text.sounds import Sound
from assent.gate.values import field, frozen

__all__ = [
    "MAX_RESULT_LETTERS",
    "Aim",
    "Arguments",
    "Ask",
    "Bench",
    "Done",
    "NewFile",
    "Step",
    "StepRefused",
    "Tool",
    "ToolFailed",
    "Trials",
]

MAX_RESULT_LETTERS: Final = 30_000
"""So many letters of one result are passed on at most."""


class Arguments(pydantic.BaseModel):
    """The arguments of a tool: nothing is coerced, and what nobody knows is refused."""

    model_config = pydantic.ConfigDict(defer_build=True, strict=True, extra="forbid", frozen=True)

    def as_given(self) -> dict[str, Any]:
        """Exactly what was given, as JSON: what is judged of most calls."""
        return self.model_dump(mode="json", exclude_unset=True)


class ToolFailed(AssentError):
    """A tool could not do what it was allowed to; the message is written for the model."""


class StepRefused(ToolFailed):
    """A step that a call turned out to need may not be taken; the message says why."""


@frozen(kw_only=True)
class Aim:
    """What a call would do, before it is anybody's."""

    tool: str
    """The kind of tool that rules are about, as in `Call.tool`."""
    effect: Effect
    input: dict[str, Any] = field(hash=False)
    """What is judged and shown: of a command `command`, `cwd`, `env`; of an address `url`."""
    targets: tuple[Target, ...] = ()
    edits: tuple[Edit, ...] = ()
    action: str = ""
    cwd: str | None = None
    """The resolved folder that it runs in; None is the chat's own."""
    folder: str = "."
    detachable: bool = False
    untried: str | None = None
    """Why it cannot be run on a copy of the workspace; see `Call`."""
    has_sandbox: bool = False
    """Whether commands can be run on copies here; see `Call`."""
    as_of: int = 0
    """The state of the workspaces; see `Call`."""
    tried_before: str = ""
    """What came of the same command in the sandbox; see `Call`."""
    agreed: str = ""
    """Why the mode does not ask about it; see `Call`."""
    choices: tuple[str, ...] = ()
    """Its parts, where a person may choose what of it is done."""
    made_by: Call | None = None
    """The command that made these changes; see `Call`."""
    editable: str = ""
    """The text of its input that the person may change first, by its name."""
    described: Described | None = None
    """What is said of the tool of somebody else that it runs."""
    code: tuple[Code, ...] = ()
    """The files that say what it runs."""
    scripts: tuple[Script, ...] = ()
    """The texts that its program is known to run."""
    steps: tuple[Planned, ...] = ()
    """What a workflow is to do."""
    caution: str = ""
    """Why a person should see it whatever the rules say."""
    beside: tuple[Beside, ...] = ()
    """What else is known that it does."""
    says: str = ""
    """The agent's own words for it; never judged."""


@frozen(kw_only=True)
class NewFile:
    """A file that a call has made, which is no text that an edit could hold."""

    path: str
    shown: str
    size: int
    """In bytes."""
    digest: str
    """The SHA-256 of them, in hex."""


@frozen(kw_only=True)
class Done:
    """What came of a call."""

    text: str
    """For the model."""
    failed: bool = False
    shown: str | None = None
    """For the person, where that is something else."""
    is_whole: bool = False
    """Whether the model is given all of it, however long it is."""
    attached: tuple[Attachment, ...] = ()
    """What the model is shown with it."""
    gives: Any = field(default=None, hash=False)
    """What later steps of a workflow are given of it; where there is nothing, its text."""
    unseen: tuple[Attachment, ...] = ()
    """What the person alone is shown: the model takes nothing of that kind, or has no room."""
    sounds: tuple[Sound, ...] = ()
    """What the person alone hears."""
    new: NewFile | None = None
    """What it has made, so that it can be taken back."""
    state: State | None = None
    """How the call ended, where that is neither succeeded nor failed: killed or backgrounded."""
    applied: Applied | None = None
    """What a trial replaced in the workspace, so that it can be taken back."""


async def _no_leave(_: Aim) -> Answer:
    return Answer(Leave.NONE, "Nobody can be asked.")


Step = Callable[[Call], Awaitable[Done]]
"""Takes a step, once: the one that was judged."""

Ask = Callable[[Aim, Step], Awaitable[Done]]
"""Brings a step to the gate, where it is taken if it may be. What comes of it is the step's own
outcome, a failure too; raises `StepRefused`."""


class Subtasks(Protocol):
    """Somebody who works on a part of the work by themselves."""

    async def __call__(self, name: str, prompt: str, printed: Printed) -> Done:
        """Work on it to the end, and say what came of it."""
        ...


class Trials(Protocol):
    """Runs commands on copies of the workspace, where this machine can."""

    async def ready(self, folder: str) -> None:
        """Find out whether it can, for the workspace that this folder lies in."""
        ...

    def why_not(self, folder: str, *, in_background: bool = False, in_step: bool = False) -> str:
        """Why it cannot run a command there, as far as that was found out; nothing where it can."""
        ...

    def can(self, folder: str) -> bool:
        """Whether this machine can, for the workspace that this folder lies in."""
        ...

    @property
    def state(self) -> int:
        """A number that changes when a trial begins or ends to change a workspace."""
        ...

    def applying(self) -> AbstractContextManager[None]:
        """While this lasts a trial may change its workspace."""
        ...

    def outside(self, as_of: int) -> AbstractContextManager[bool]:
        """While this lasts a command may run outside that nobody was asked about.

        It gives whether no trial has changed a workspace since that state.
        """
        ...

    async def is_quiet(self) -> bool:
        """Whether no such command runs any more, after waiting for that for a while."""
        ...

    async def prepare(self, call: Call, judge: Judge) -> Trial:
        """A trial of this command, once no other runs in the workspace; raises `AssentError`.

        `judge` rules on each host that it wants to reach.
        """
        ...

    def sort(self, call: Call, trial: Trial, changes: Sequence[Change]) -> Sorted:
        """Sort the changes of a trial as the gate would rule on them."""
        ...


@frozen(kw_only=True)
class Bench:
    """What a tool may reach for while it works on one call."""

    cwd: str
    """The folder that the chat works in."""
    places: Callable[[], Places]
    """What is known of files, at this moment."""
    buffers: Buffers
    """What the person has typed and not saved."""
    may_read: Callable[[str], bool]
    """Whether nothing forbids this agent to read the file at a resolved path."""
    shell_registry: ShellRegistry
    """The chat's shells."""
    printed: Printed
    """Tells output while the call runs."""
    planned: Callable[[tuple[PlanLine, ...]], None]
    """Makes this the chat's plan."""
    ask: Ask
    """For a step that the call turned out to need."""
    subtask: Subtasks
    leave: Callable[[Aim], Awaitable[Answer]] = _no_leave
    """Brings to the gate that the command of a running call wants to reach a host."""
    most: int = MAX_RESULT_LETTERS
    """How many letters of a result the model is given: what is longer loses its middle."""
    offered: Callable[[], Sequence[str]] = tuple
    """The names of the tools that the model is offered."""
    search_url: str = ""
    """Where the web is searched; nothing where that was not set up."""
    interpreter: str = "bash"
    """What the person has commands run by."""
    takes: frozenset[str] = frozenset()
    """The kinds of pictures and documents that the model can be shown."""
    exhibit: int | None = None
    """How many tokens one picture or document may take; None where any may be shown."""
    denies_none: Callable[[], bool] = lambda: False
    """Whether nothing forbids this agent to read any file of the workspace."""
    trials: Trials | None = None
    """Runs commands on copies of the workspace."""
    tried_before: dict[str, str] = field(factory=dict, eq=False)
    """What came of the command that ran in the sandbox last, by what it was run with."""
    in_workflow: bool = False
    """Whether this is a step of a workflow: its card offers no trial."""
    tried: bool = False
    """Whether this call runs on a copy of the workspace only."""
    unasked: bool = False
    """Whether it does so without a person's having been asked."""
    boxed: bool = False
    """Whether it runs on a copy, and its changes become real unless the gate asks about one."""
    backgrounded: bool = False
    """Whether the person let this call go on in the background from its beginning."""
    is_part: bool = False
    """Whether this is a part of the work and not the whole."""
    skill: Callable[[str], str | None] = lambda _: None
    """What the person wrote down of how something is done, by its name."""
    nodes: Catalogue = field(factory=Catalogue)
    """What servers offer."""
    asked_for: Callable[[Call], ServerRequest] | None = None
    """Has a server ask the person in the midst of a call of it."""
    documents: Documents | None = None
    """The collections that were set up."""
    steps: StepCalls | None = None
    """Whoever makes the calls of a workflow's steps; None within such a step."""
    runs: Runs | None = None
    """What is kept of runs of workflows."""
    flowing: Callable[[str, tuple[FlowStep, ...]], None] = lambda *_: None
    """Shows how a workflow stands."""
    maker: Maker | None = None
    """The models that make pictures and speech."""
    chosen_mode: Mode | None = None
    """The mode that the person chose with their answer, where they were offered any."""
    go_by: Callable[[str, Mode], None] = lambda *_: None
    """Lets the chat work by this plan, and in this mode, from now on."""


A = TypeVar("A", bound=Arguments)


def _as_given(given: dict[str, Any]) -> object:
    return given


@frozen(kw_only=True)
class Tool(Generic[A]):
    """One tool."""

    name: str
    effect: Effect
    """What a call of it may come to; while an edit does not fit, its aim is only to read."""
    says: str
    """What it does and when to use it, in words for the model."""
    arguments: type[A]
    aim: Callable[[A, Bench], Aim]
    """What a call with these arguments would do; raises `CallUnreadable`. Changes nothing."""
    do: Callable[[A, Call, Bench], Awaitable[Done]]
    """Carries out the call that was judged, with what its input says; raises `ToolFailed`."""
    ready: Callable[[A, Bench], Awaitable[None]] | None = None
    """Looks, before anything is judged, at what `aim` has to know; raises `CallUnreadable`."""
    back: Callable[[dict[str, Any]], object] = _as_given
    """The arguments in the input of a call as `aim` makes it; for most tools they are the same."""
    is_step: bool = False
    """Whether a step of a workflow can run it by name: nothing that works in the chat itself."""
