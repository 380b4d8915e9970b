"""A call: what an agent wants to do, its effect, its targets, and its digest.

A call is a value. Two calls with the same digest would do the same thing, in the same
place, for the same agent; whatever is approved is approved by digest.
"""

import json
from enum import StrEnum
from typing import Any, Final, Literal, NewType

from assent.gate.text.encodings import Encoding
from assent.gate.values import asdict, astuple, evolve, field, frozen

__all__ = [
    "APPLY",
    "MADE",
    "UNDONE_WHOLE",
    "WANTS_OUT",
    "AgentId",
    "Beside",
    "Call",
    "CallId",
    "ChatId",
    "Code",
    "Described",
    "Edit",
    "Effect",
    "Mark",
    "Offer",
    "Planned",
    "Premise",
    "Script",
    "Sight",
    "Stretch",
    "Target",
    "What",
    "canonical",
    "digest_of",
    "handed_in",
    "texts_in",
]

AgentId = NewType("AgentId", str)
ChatId = NewType("ChatId", str)
CallId = NewType("CallId", str)

What = Literal["read", "write"]
"""What is done to a file, as far as rules tell that apart."""

APPLY: Final = "apply"
"""What is done to files where the changes of a trial become real. `beside` has the deletions."""
MADE: Final = frozenset({"generateImage", "speak"})
"""What is done to a new file where a model or a program makes what stands in it."""
UNDONE_WHOLE: Final = MADE | {APPLY}
"""What is undone by what it kept, and not by the texts that it changed."""
WANTS_OUT: Final = "outside_sandbox"
"""The argument of a command by which its agent says that it works only outside the sandbox."""
_AS_AGENT_WANTS: Final = "The agent wants it to run there."


class Effect(StrEnum):
    """How a call touches the world."""

    READ = "read"
    WRITE = "write"
    EXECUTE = "execute"
    EXTERNAL = "external"
    CHAT = "chat"
    """Touches nothing but its own chat: the agent's plan, the output of its shells."""


@frozen(kw_only=True)
class Premise:
    """A file or folder that makes the gate itself what it is."""

    path: str
    name: str
    """What it is, in the words of a sentence: `Assent's own program`."""
    keys: bool = False
    """Whether keys lie there, or what was decided, so that reading it is asked about too."""
    channel: bool = False
    """Whether agents' hooks find the gate there."""
    yields: bool = False
    """Whether a folder of the workspace that lies in it is none of it."""
    run: bool = False
    """Whether commands name it to run it, so that naming it changes nothing."""
    loads: tuple[str, ...] = ()
    """Of a folder in which only some files count: their endings, in small letters."""
    below: frozenset[str] | None = None
    """The folders in it in which they count, too; None for all."""


@frozen(kw_only=True)
class Target:
    """One path that a call touches, as it was spelled and as it resolves."""

    spelled: str
    resolved: str
    inside: bool
    """Whether the resolved path lies in the workspace."""
    shown: str
    """The path as a person would write it: relative to the workspace, or with `~`."""
    own: Premise | None = None
    """The part of the gate that it is, or lies in."""
    above: Premise | None = None
    """A part of the gate that lies in it; one with keys before any other."""
    named: str = ""
    """The absolute path as it is spelled, `.` and `..` taken out, before links are followed."""
    via: tuple[str, ...] = ()
    """The paths on the way from the one to the other, where links lead there."""
    twins: "tuple[Target, ...]" = ()
    """The other names of the very file, as far as they lie where names are guarded."""
    is_agents_own: bool = False
    """Whether the agent that asks keeps it for itself, such as a plan: it counts as inside."""
    is_note: bool = False
    """Whether it is one of these that holds words alone, whatever folder it lies in."""
    is_history: bool = False
    """Whether it only says what was committed to a repository: a trial knows what it changed."""


@frozen(kw_only=True)
class Stretch:
    """Which lines of a large file the two texts of an edit are; nothing else of it changes.

    So many bytes and lines stand before them, and these are the SHA-256 of the whole file.
    """

    start: int
    lines: int
    old_file: str
    new_file: str


@frozen(kw_only=True)
class Edit:
    """One file as it is and as the call would leave it."""

    path: str
    old: str | None
    """None where the file does not exist yet."""
    new: str
    version: int | None = None
    """The version of the unsaved text that it changes; None where it changes the disk."""
    encoding: Encoding = Encoding.UTF_8
    """How what is on the disk stands for its text, before and after."""
    stretch: Stretch | None = None
    """Where both texts are lines of a large file, and not all of it."""


@frozen(kw_only=True)
class Code:
    """One file that a call runs, as it was when that was judged."""

    path: str
    shown: str
    content: str | None
    """What stands in it, by its digest; None where there is no such file."""


@frozen(kw_only=True)
class Script:
    """A text that the program of a call runs of its own accord, such as a script of a project."""

    name: str
    """What it is called where it is written."""
    text: str
    folder: str
    """The resolved folder that it runs in."""
    task: str = ""
    """The task that it is, as rules about workflows know it: `npm:build`."""


@frozen(kw_only=True)
class Described:
    """What is said of the tool that a call runs, as it was when that was judged."""

    digest: str
    """Of all that is said of it, and of who says so."""
    now: str = ""
    """The same in lines."""
    before: str | None = None
    """What was said when it was allowed last, where that was something else."""


@frozen(kw_only=True)
class Offer:
    """An answer that the agent itself would remember."""

    id: str
    label: str


@frozen(kw_only=True)
class Planned:
    """One step of a workflow, as far as it is known before anything of it runs."""

    name: str
    says: str
    """What it does with what, whole, in one line or more; drawn as it stands."""
    effect: Effect
    """What it comes to at most."""
    call: "Call | None" = None
    """The call that it makes; None while that hangs on what earlier steps give."""
    is_sure: bool = True
    """Whether it runs if those before it do; else it hangs on a condition."""
    waits_for: str = ""
    """A step before it that may change what this one does, and is not known yet: an answer to the
    workflow is none to this step then."""


@frozen(kw_only=True)
class Beside:
    """What a call does beside what it is: judged as a call of that tool is, and only stricter."""

    tool: str
    """`read`, `write` or `fetch`."""
    effect: Effect
    input: dict[str, Any] = field(factory=dict, hash=False)
    targets: tuple[Target, ...] = ()
    action: str = ""


@frozen(kw_only=True)
class Mark:
    """Something on a page that a call names, as we found it there ourselves."""

    found: str
    """Its role and its name; nothing where there is no such thing."""
    said: str = ""
    """What the model calls it, which is judged by nobody."""
    box: tuple[float, float, float, float] | None = None
    """Where it lies in the picture: left, top, width and height, in hundredths of its sides."""


@frozen(kw_only=True)
class Sight:
    """What a person is shown of the page that a call acts on, looked at when they were asked."""

    marks: tuple[Mark, ...] = ()
    picture: str = field(default="", repr=False)
    """The page, in base64; nothing where there is no picture."""
    mime: str = ""
    width: int = 0
    height: int = 0
    lacks: str = ""
    """Why there is no picture, a sentence."""


@frozen(kw_only=True)
class Call:
    """One thing that one agent wants to do in one chat."""

    id: CallId
    chat: ChatId
    agent: AgentId
    tool: str
    """What kind of tool: `shell`, `read`, `write`, `fetch`, `network`, `mcp`, `run`, `agent`,
    `catalogue`, or `other`."""
    effect: Effect
    input: dict[str, Any] = field(hash=False)
    """The arguments, as they will be used."""
    cwd: str
    folder: str = "."
    """`cwd` as a person would write it: `.` is the workspace itself."""
    targets: tuple[Target, ...] = ()
    edits: tuple[Edit, ...] = ()
    code: tuple[Code, ...] = ()
    """The files that it names and may run. An answer is about what they say; a rule or a grant
    for the same call is about its words, whatever they say later."""
    scripts: tuple[Script, ...] = ()
    """The texts that its program runs, where it is known: judged beside its own, and only ever
    stricter."""
    steps: tuple[Planned, ...] = ()
    """Of a workflow, what it is to do. Each step is a call of its own once it is reached."""
    described: Described | None = None
    """What the source of a tool says of it. An answer is about that; a rule or a grant for the same
    call is about the tool, whatever is said of it later, and what is said anew is asked about."""
    beside: tuple[Beside, ...] = ()
    """What else is known that it does, where it is a tool of somebody else's."""
    sight: Sight | None = None
    """What it acts on, as it was when a person was asked."""
    action: str = ""
    """What is done to files: `write`, `delete`, `move`, `APPLY` or one of `MADE`; nothing for what
    is no such call."""
    unreadable: str | None = None
    """Why this call could not be read, where it could not."""
    says: str = ""
    """The agent's own words for it; shown as such and never judged."""
    tool_call_id: str = ""
    """What its agent, or its model, calls it; told as such, and neither a key nor judged."""
    served: tuple[str, ...] = ()
    """Tools of servers (`server:tool`) that it may be by its names; they only ever tighten."""
    offers: tuple[Offer, ...] = ()
    """The agent's own lasting answers; shown verbatim, and no part of what is judged."""
    part: str = ""
    """The part of its work for which the agent makes this call; nothing where it is the whole."""
    caution: str = ""
    """Why a person should see this call whatever the rules say; its host knows."""
    hearsay: bool = False
    """Whether what it would do stands in the agent's own words alone: no rule lets it pass then."""
    detachable: bool = False
    """Whether it can be let go on in the background."""
    untried: str | None = None
    """Why it cannot be run on a copy of the workspace: nothing where it can, and None where its
    host knows of no such run."""
    has_sandbox: bool = False
    """Whether commands can be run on copies here, though perhaps not this one."""
    as_of: int = 0
    """The state of the workspaces when it was made: a number that changes with each trial."""
    tried_before: str = ""
    """What came of the same command when it ran in the sandbox before, if it did."""
    agreed: str = ""
    """Why the mode does not ask about it, such as that a person allowed it beforehand. All else
    does."""
    choices: tuple[str, ...] = ()
    """Its parts, where a person may choose what of it is done; once they have, what they chose."""
    made_by: "Call | None" = None
    """The command that made these changes, where leave to run it would be leave for them."""
    own_files: tuple[str, ...] = ()
    """The files that its agent keeps for itself, as patterns of whole paths."""
    editable: str = ""
    """The text among its arguments that a person may change before they allow it, by its name."""

    @property
    def sent_to(self) -> str | None:
        """The address of the host that makes what is written; None where nobody else does."""
        host = self.input.get("host") if self.action in MADE else None
        return None if host is None else str(host)

    def doing(self, beside: Beside) -> "Call":
        """What it does besides, as a call of its own that does no more than that."""
        return evolve(
            self,
            tool=beside.tool,
            effect=beside.effect,
            input=beside.input,
            targets=beside.targets,
            edits=(),
            action=beside.action,
            beside=(),
            served=(),
            sight=None,
            described=None,
            caution="",
        )

    @property
    def why_outside(self) -> str | None:
        """Why it would not run in the sandbox; as `untried` is, where its agent wants nothing."""
        return _AS_AGENT_WANTS if self.input.get(WANTS_OUT) else self.untried

    @property
    def digest(self) -> str:
        """The SHA-256 of everything that decides what this call does, and of whose it is."""
        code = [[code.path, code.content] for code in self.code]
        whole = {"chat": self.chat, "call": self.id, "code": code, **self._substance()}
        if self.described is not None:
            whole["described"] = self.described.digest
        if self.sight is not None:
            whole["sight"] = asdict(self.sight)
        return digest_of(whole)

    @property
    def likeness(self) -> str:
        """The SHA-256 that this call shares with the same call made again."""
        return digest_of(self._substance())

    def _substance(self) -> dict[str, Any]:
        more: dict[str, Any] = {}
        if self.scripts:
            more["scripts"] = [astuple(script) for script in self.scripts]
        if self.steps:
            more["steps"] = [[step.says, step.call and step.call.digest] for step in self.steps]
        if self.beside:
            more["beside"] = [
                [
                    call.tool,
                    call.effect,
                    call.input,
                    call.action,
                    [to.resolved for to in call.targets],
                ]
                for call in self.beside
            ]
        return {
            **more,
            "agent": self.agent,
            "tool": self.tool,
            "effect": self.effect,
            "action": self.action,
            "input": self.input,
            "cwd": self.cwd,
            "targets": [target.resolved for target in self.targets],
            # A file that is whole in its edit has no stretch to be bound to.
            "edits": [astuple(edit)[: None if edit.stretch else 5] for edit in self.edits],
        }


def canonical(value: object) -> str:
    """The one spelling of a JSON value: sorted keys, no spaces, no escapes but needed ones."""
    return _WRITER.encode(value)


def texts_in(value: Any) -> list[str]:
    """Every text in a JSON value, names of members included, and all else as it is written."""
    texts: list[str] = []
    left: list[Any] = [value]
    while left:
        item = left.pop()
        kind = type(item)
        if kind is str:
            texts.append(item)
        elif kind is dict:
            texts += item
            left += item.values()
        elif kind is list:
            left += item
        else:
            texts.append(repr(item) if kind in _NUMBERS else canonical(item))
    return texts


def handed_in(call: Call) -> list[str]:
    """Every text that a tool is handed on which it may do something.

    What a server and its tool are called is none, nor is the name of a parameter that is no more
    than a name.
    """
    if call.tool != "mcp":
        return texts_in(call.input)
    given = call.input.get("arguments")
    if type(given) is not dict:
        return texts_in(given)
    texts = [name for name in given if not name.isidentifier()]
    for value in given.values():
        if type(value) not in _NUMBERS:
            texts += texts_in(value)
    return texts


_NUMBERS: Final = frozenset({int, float, bool, type(None)})
_WRITER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest_of(value: object) -> str:
    """The SHA-256 of a JSON value's canonical spelling."""
    # Only what is kept or approved has a digest, and a question should not wait for OpenSSL.
    import hashlib  # noqa: PLC0415

    return hashlib.sha256(canonical(value).encode("utf-8", "surrogatepass")).hexdigest()
