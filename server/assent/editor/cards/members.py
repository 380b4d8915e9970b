"""The arguments of a call that its card shows nowhere else, each by its name.

A body draws what its kind is about: a command, changes, paths. Whatever else a call says is told
here, so that nothing an agent asks for is carried out unseen.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

from assent.editor.cards.bare_members import given_in
from assent.editor.cards.spans import code, cut_spans, line, plain
from assent.editor.cards.titles import is_told
from assent.editor.protocol.card import Row, Span
from assent.gate.call.calls import APPLY, WANTS_OUT, Call
from assent.gate.programs.variables import is_plain
from assent.gate.text.shortening import shortened
from assent.gate.values import evolve
from assent.hosting.permission.arguments import CHANGES, EVERYWHERE, FOLDERS, MANNERS, PLACES

__all__ = ["is_rows", "kept_of", "members_of", "row_of", "rows_of_trial"]

_MAX_KEPT_MEMBERS: Final = 20
"""So many members are kept with the record of a call."""
_MAX_VALUE_LETTERS: Final = 400
"""So much of a member's value is kept there: its beginning and its end."""

_TITLED: Final = {
    "find": {"pattern"},
    "search": {"pattern"},
    "searchCollections": {"words"},
    "queryCollection": {"name", "question"},
}
"""What the title names, by the action."""

_TEXTS: Final = CHANGES | {"old", "new"}

_EMPTY: Final = Span(kind="hidden", text="", shown="empty")

Members = Iterator[tuple[str, Any]]
_Phrase = Callable[[Any], Iterator[Row]]


def members_of(call: Call, title: list[Span] | None = None) -> list[Row]:
    """What the card of a call has to say beside its title and its body.

    A body of rows says all by itself.
    """
    call = evolve(
        call, scripts=tuple(script for script in call.scripts if not is_told(script, title or []))
    )
    return [row for name, value in _beside(call)(call) for row in _rows(name, value)]


def is_rows(call: Call) -> bool:
    """Whether the body of a call is all its members, since it is of no kind that has another."""
    return (
        call.unreadable is not None
        or call.tool not in _BODIES
        or not {"write": call.edits or call.action == APPLY, "run": call.steps}.get(call.tool, True)
    )


def kept_of(call: Call) -> list[Row]:
    """What the record of a call keeps of its members, beside its title: some rows, each bounded."""
    rows = [*_whole(call), *members_of(call)]
    more = [Row(name=plain("And more"), value=plain(f"{len(rows) - _MAX_KEPT_MEMBERS:,} members"))]
    return [_shortened(row) for row in rows[:_MAX_KEPT_MEMBERS]] + (
        more if len(rows) > _MAX_KEPT_MEMBERS else []
    )


def _whole(call: Call) -> Iterator[Row]:
    """What a body draws, as far as a title may have left it out."""
    if is_rows(call):
        yield from (row_of(name, _brief(value)) for name, value in given_in(call))
    elif call.tool in _SAID:
        yield from (row_of(name, _brief(value)) for name, value in call.input.items())
    elif call.tool == "shell":
        yield row_of("command", _brief(call.input.get("command")))
    elif len(call.targets) > 1:
        yield from (row_of("path", target.shown) for target in call.targets)


def _brief(value: Any) -> str:
    """A value that is kept, shortened before it is drawn letter by letter."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return shortened(text, _MAX_VALUE_LETTERS)


def row_of(name: str, value: Any) -> Row:
    """A member as it is: a text to the letter, anything else as JSON."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return Row(name=line(name) or [_EMPTY], value=code(text) or [_EMPTY])


def _shortened(row: Row) -> Row:
    text = "".join(span.text for span in row.value)
    value = (
        row.value if len(text) <= _MAX_VALUE_LETTERS else code(shortened(text, _MAX_VALUE_LETTERS))
    )
    return Row(name=cut_spans(row.name), value=cut_spans(value))


def _rows(name: str, value: Any) -> Iterator[Row]:
    """A member in plain words, where there are such; nothing where it says what is so anyhow."""
    said = _PHRASES.get(name)
    if said is not None:
        yield from said(value)
    elif value is not None:
        yield row_of(name, value)


def _variables(value: Any) -> Iterator[Row]:
    if not isinstance(value, dict):
        yield from [row_of("env", value)] if value is not None else []
        return
    for name, given in value.items():
        row = row_of(name, given)
        passes = isinstance(given, str) and is_plain(name, given)
        spans = row.name if passes else [_marked(span) for span in row.name]
        yield Row(name=[*plain("Variable "), *spans], value=row.value)


def _marked(span: Span) -> Span:
    return Span(kind="danger", text=span.text) if span.kind == "code" else span


def _limit(value: Any) -> Iterator[Row]:
    if value is not None:
        yield Row(name=plain("Ended after"), value=plain(f"{value} seconds"))


def _shell_program(value: Any) -> Iterator[Row]:
    yield Row(name=plain("Shell"), value=row_of("shell", value).value)


def _if_true(name: str, verb: str, how: str) -> tuple[str, _Phrase]:
    """What is said where it is true; where it is false, it says what is so anyhow."""

    def said(value: Any) -> Iterator[Row]:
        if value is True:
            yield Row(name=plain(verb), value=plain(how))
        elif value is not None and value is not False:
            yield row_of(name, value)

    return name, said


_PHRASES: Final[dict[str, _Phrase]] = {
    "env": _variables,
    "timeout_seconds": _limit,
    "shell": _shell_program,
    **dict(
        _if_true(name, "Runs", "in the background")
        for name in sorted(MANNERS)
        if "background" in name.casefold()
    ),
    **dict((_if_true(WANTS_OUT, "Runs", "outside the sandbox"),)),
    **dict(_if_true(name, "Replaces", "everywhere in the file") for name in EVERYWHERE),
}


def _of_shell(call: Call) -> Members:
    drawn = {"command", *FOLDERS}
    yield from ((name, value) for name, value in call.input.items() if name not in drawn)
    yield from ((f"Runs {script.name}", script.text) for script in call.scripts)


def _of_read(call: Call) -> Members:
    drawn = _TITLED.get(call.action, set())
    return ((name, value) for name, value in _beside_paths(call) if name not in drawn)


def rows_of_trial(call: Call) -> list[Row]:
    """What a trial did to files beside their lines; what is deleted stands first."""
    return [
        Row(name=plain(said), value=line(str(path)))
        for name, said in _OF_TRIAL.items()
        for path in call.input.get(name, ())
    ]


_OF_TRIAL: Final = {
    "deleted": "Deleted",
    "links": "Link",
    "rights": "Rights",
    "changed": "Changed, not shown",
    "made": "New file, not shown",
    "folders": "New folder",
    "leftOut": "Left out",
    "contacted": "Reached",
    "missed": "Not reached",
    "elsewhere": "Not kept",
    "failed": "The command failed",
}


def _of_write(call: Call) -> Members:
    """What the changes do not show: a text that stands in no file, and all that is no text."""
    if call.action == APPLY:
        yield "Command", call.input.get("trial")
        return
    stands = [
        _with_plain_breaks(text) for edit in call.edits for text in (edit.new, edit.old or "")
    ]
    for name, value in _beside_paths(call):
        yield from _beside_changes(name, value, stands)


def _beside_changes(name: str, value: Any, stands: list[str]) -> Members:
    last = name.rpartition(".")[2]
    if isinstance(value, list):
        for at, item in enumerate(value):
            yield from _beside_changes(f"{name}[{at}]", item, stands)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _beside_changes(f"{name}.{key}", item, stands)
    elif last == "all":
        yield EVERYWHERE[0], value
    elif not (last in _TEXTS and isinstance(value, str) and _is_in(value, stands)):
        yield name, value


def _is_in(value: str, stands: list[str]) -> bool:
    text = _with_plain_breaks(value)
    return any(text in each for each in stands)


def _with_plain_breaks(text: str) -> str:
    return text.replace("\r\n", "\n")


def _beside_paths(call: Call) -> Members:
    """All but the paths, which are drawn as what they lead to; each is left out once."""
    left = Counter(target.spelled for target in call.targets)
    for name, value in call.input.items():
        texts = value if isinstance(value, list) else [value]
        if (
            name in PLACES
            and texts
            and all(isinstance(text, str) and left[text] > 0 for text in texts)
        ):
            left.subtract(texts)
        else:
            yield name, value


_ASKED: Final = {"server", "agent", "message", "fields", "url"}
_SAID: Final = {
    "plan": {"plan"},
    "question": {"question", "choices"},
    "form": _ASKED,
    "run": {"name", "steps"},
}
"""What is said to a person, and which members of it their titles and bodies draw."""


def _of_said(call: Call) -> Members:
    yield from (member for member in call.input.items() if member[0] not in _SAID[call.tool])
    for step in call.steps:
        if step.call is not None and not is_rows(step.call):
            yield from (
                (f"{step.name}: {name}", value) for name, value in _beside(step.call)(step.call)
            )


_BODIES: Final[dict[str, Callable[[Call], Members]]] = {
    "shell": _of_shell,
    "read": _of_read,
    "write": _of_write,
    **dict.fromkeys(_SAID, _of_said),
}
"""What the bodies that draw no rows leave to be told."""


def _beside(call: Call) -> Callable[[Call], Members]:
    return (lambda _: iter(())) if is_rows(call) else _BODIES[call.tool]
