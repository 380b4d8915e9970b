"""Explains why a call would be allowed, asked about or denied, by the gate's own ruling.

What is asked here is ruled on exactly as what an agent asks, and nothing is run or written. Read
are only the files that say what a task runs. Its inputs are checked by hand: a library for that
takes longer to load than the answer may take.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from assent.gate.call.calls import AgentId, Call, CallId, ChatId, Edit, Effect, Target, texts_in
from assent.gate.call.errors import CallUnreadable
from assent.gate.call.verdicts import Deed, Ruling
from assent.gate.disk.places import Places
from assent.gate.ruling.decide import decide
from assent.gate.ruling.files import deeds_of
from assent.gate.ruling.outward import hosts_in
from assent.gate.ruling.policy import Policy
from assent.gate.tasks.named_runs import runs_in
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve, field, frozen

__all__ = [
    "DUPLICATE",
    "KINDS",
    "Question",
    "as_json",
    "call_of",
    "explain",
    "ruled",
    "with_tasks",
]

DUPLICATE: Final = "\0duplicate"
"""The member that stands in an object in which one was given twice."""

_MAX_SHOWN_LETTERS: Final = 60
_MAX_HOPS: Final = 50
_MAX_LINES: Final = 2**53
_VARIABLE: Final = late(r"[A-Za-z_][A-Za-z0-9_]*")


Check = Callable[[object], bool]


def _is_text(value: object) -> bool:
    """Whether it is a text; half of a character is none."""
    if not isinstance(value, str):
        return False
    return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)


def _is_named(value: object) -> bool:
    return _is_text(value) and value != ""


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < _MAX_LINES


def _is_object(value: object) -> bool:
    return isinstance(value, dict) and DUPLICATE not in texts_in(value)


def _are_texts(value: object) -> bool:
    if not isinstance(value, list) or len(value) > _MAX_HOPS:
        return False
    return all(_is_text(text) for text in value)


def _are_variables(value: object) -> bool:
    return isinstance(value, dict) and all(
        _VARIABLE.fullmatch(name) and _is_text(text) and "\0" not in text
        for name, text in value.items()
    )


@frozen(kw_only=True)
class _Shape:
    """One form that a tool's input may have: what each member must be."""

    needs: dict[str, Check]
    may: dict[str, Check] = field(factory=dict)

    def problem(self, given: Mapping[str, Any]) -> str | None:
        """What is wrong with an input of this form, or None."""
        for name in self.needs:
            if name not in given:
                return f"It lacks `{name}`."
        known = {**self.needs, **self.may}
        for name, value in given.items():
            if name == DUPLICATE:
                return "A member stands in it twice."
            if name not in known:
                return f"Nobody knows its `{name[:_MAX_SHOWN_LETTERS]}`."
            if not known[name](value):
                return f"Its `{name}` is not what it should be."
        return None


_SHELL = _Shape(
    needs={"command": _is_text},
    may={"cwd": _is_named, "env": _are_variables, "shell": _is_named},
)
_READ = _Shape(needs={"path": _is_text}, may={"offset": _is_count, "limit": _is_count})
_CONTENT = _Shape(needs={"path": _is_text, "content": _is_text})
_REPLACEMENT = _Shape(needs={"path": _is_text, "old": _is_text, "new": _is_text})
_FETCH = _Shape(needs={"url": _is_text}, may={"redirects": _are_texts})
_NETWORK = _Shape(needs={"host": _is_text, "port": _is_count}, may={"command": _is_text})
_MCP = _Shape(
    needs={"server": _is_named, "tool": _is_named, "arguments": _is_object},
    may={"annotations": _is_object},
)
_NAMED = _Shape(needs={"name": _is_named}, may={"arguments": _is_object})

_SHAPES: Final[dict[str, tuple[Effect, tuple[_Shape, ...]]]] = {
    "shell": (Effect.EXECUTE, (_SHELL,)),
    "read": (Effect.READ, (_READ,)),
    "write": (Effect.WRITE, (_CONTENT, _REPLACEMENT)),
    "fetch": (Effect.EXTERNAL, (_FETCH,)),
    "network": (Effect.EXTERNAL, (_NETWORK,)),
    "mcp": (Effect.EXTERNAL, (_MCP,)),
    "run": (Effect.EXECUTE, (_NAMED,)),
    "agent": (Effect.EXTERNAL, (_NAMED,)),
}
KINDS: Final = frozenset(_SHAPES)
"""The kinds of calls that rules are about."""


@frozen(kw_only=True)
class Question:
    """One call that nobody has made."""

    tool: str
    input: object
    agent: str = "agent"
    problem: str | None = None
    """What is wrong with the question itself."""


def explain(question: Question, policy: Policy, places: Places) -> Ruling:
    """The ruling on a call, as the gate would give it, and what the call would do."""
    return ruled(call_of(question, places), policy, places)


def ruled(call: Call, policy: Policy, places: Places) -> Ruling:
    """Rule on a call that exists already."""
    call = with_tasks(call, places)
    ruling = decide(call, policy, places)
    return ruling if call.tool == "shell" else evolve(ruling, deeds=_deeds(call))


def with_tasks(call: Call, places: Places) -> Call:
    """The call with the texts of the tasks that it runs, as the gate looks them up."""
    words = str(call.input.get("command", "")) if call.tool == "shell" else ""
    shell = str(call.input.get("shell") or "bash")
    if not call.steps and not (words and runs_in(words, shell)[0]):
        return call
    # Reading the files of tasks takes longer to load than most answers take.
    from assent.gate.tasks.called_tasks import with_texts  # noqa: PLC0415

    return with_texts(call, places)


def _deeds(call: Call) -> tuple[Deed, ...]:
    return hosts_in(call) if call.tool in {"fetch", "network"} else deeds_of(call)


def call_of(question: Question, places: Places) -> Call:
    """The call that a question describes; one that is not well formed says so in `unreadable`."""
    root = places.roots[0] if places.roots else places.home
    given = question.input if isinstance(question.input, dict) else {"input": question.input}
    try:
        return _call(question, given, root, places)
    except CallUnreadable as error:
        why = str(error)
    return _made(question, given, root, Effect.EXTERNAL, unreadable=why)


def as_json(ruling: Ruling) -> dict[str, Any]:
    """A ruling as plain JSON."""
    answer: dict[str, Any] = {"verdict": ruling.verdict.word, "because": ruling.because}
    if ruling.rule is not None:
        answer["rule"] = ruling.rule
    if ruling.source is not None:
        answer["source"] = str(ruling.source)
    answer["parts"] = [
        {"text": part.text, "verdict": part.verdict.word, "because": part.because}
        for part in ruling.parts
    ]
    answer["effects"] = [
        {"kind": deed.kind, "what": deed.what, "inside": deed.inside} for deed in ruling.deeds
    ]
    return answer


def _call(question: Question, given: dict[str, Any], root: str, places: Places) -> Call:
    shape = _SHAPES.get(question.tool)
    if shape is None:
        raise CallUnreadable(f"There is no tool called {question.tool[:_MAX_SHOWN_LETTERS]!r}.")
    effect, shapes = shape
    if question.problem is not None:
        raise CallUnreadable(question.problem)
    problems = [shape.problem(given) for shape in shapes]
    if None not in problems:
        raise CallUnreadable(problems[0] or "")
    cwd = root if given.get("cwd") is None else places.locate(given["cwd"], root).resolved
    targets: tuple[Target, ...] = ()
    if question.tool in {"read", "write"}:
        targets = (places.locate(given["path"], root),)
    return _made(question, given, cwd, effect, targets=targets)


def _made(question: Question, given: dict[str, Any], cwd: str, effect: Effect, **more: Any) -> Call:
    targets: tuple[Target, ...] = more.pop("targets", ())
    new = given.get("content", given.get("new"))
    edits: tuple[Edit, ...] = ()
    if effect is Effect.WRITE and targets:
        edits = (Edit(path=targets[0].resolved, old=given.get("old"), new=str(new)),)
    return Call(
        id=CallId("explained"),
        chat=ChatId("explained"),
        agent=AgentId(question.agent),
        tool=question.tool,
        effect=effect,
        input=given,
        cwd=cwd,
        targets=targets,
        edits=edits,
        action="write" if edits else "",
        **more,
    )
