"""Translates rows of the journal into the shapes of the wire.

A row may be anything that somebody wrote into the file: whatever it says is drawn letter by
letter, and what is missing is empty.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

from assent.editor.cards.members import row_of
from assent.editor.cards.spans import code, cut_spans, line, plain
from assent.editor.protocol import history as shapes
from assent.editor.protocol.spans import Row, Span
from assent.editor.window.chats.cut_to_size import cut_line
from assent.gate.approvals.tickets import OptionKind
from assent.gate.call.calls import AgentId
from assent.gate.journal.records import is_whole
from assent.gate.journal.row_marks import body_of
from assent.gate.journal.table import sought_in, what_of

__all__ = ["facts_of", "members_of", "row_shape", "shown_at"]

_MAX_TITLE_LETTERS: Final = 300
_MAX_PATHS, _MAX_ROWS = 20, 60
"""So many paths, and so many members, are shown of a record: an agent chooses how many it sends."""
_EXPORT: Final = "is in the journal; export the record to see all of it"
_VERBS: Final = {
    "shell": "Run ",
    "read": "Read ",
    "write": "Change ",
    "fetch": "Ask ",
    "network": "Connect to ",
    "mcp": "Use ",
    "run": "Run ",
    "agent": "Have an agent do ",
    "catalogue": "Look for tools: ",
    "plan": "A plan: ",
    "question": "A question: ",
    "form": "A question: ",
}


_ANSWERS: Final[Mapping[str, str]] = {
    OptionKind.ALLOW_CHAT: "Exactly this, for its chat",
    OptionKind.ALLOW_ALWAYS: "Always allow",
    OptionKind.DENY_CHAT: "Not in its chat",
    OptionKind.DENY_ALWAYS: "Never allow",
    OptionKind.BYPASS_AGENT: "Stop asking for the agent",
    OptionKind.AGENT_ALWAYS: "The agent remembers it itself",
}
"""The answers that meant more than this one call."""


def row_shape(row: Mapping[str, Any], name: Callable[[AgentId], str]) -> shapes.HistoryRow:
    """A record in a line."""
    body, agent = body_of(row), row["agent"]
    return shapes.HistoryRow(
        record_id=int(row["seq"]),
        hash=str(row["hash"]),
        at=_number(row["at"]),
        title=_title(body),
        agent=name(AgentId(str(agent))) if agent else "",
        tool=_word(body, "tool"),
        outcome=_word(body, "outcome"),
        by=_word(body, "by"),
        because=cut_line(_word(body, "because")),
        rule=cut_line(_word(body, "rule")),
        was_asked=bool(body.get("ticket")),
    )


def members_of(body: Mapping[str, Any]) -> list[Row]:
    """What ran, as it was kept."""
    given, folder = body.get("input"), body.get("cwd")
    named = given.items() if isinstance(given, dict) else ()
    rows = [
        row_of(str(key), value)
        for key, value in islice(named, _MAX_ROWS + 1)
        if (key, value) != ("cwd", folder)
    ]
    if folder:
        rows.append(Row(name=plain("In the folder"), value=line(str(folder))))
    lists = [
        path_list
        for path_list in (body.get("targets"), body.get("files"))
        if isinstance(path_list, list)
    ]
    paths = list(dict.fromkeys(str(path) for path_list in lists for path in path_list))
    rows += [Row(name=plain("Touches"), value=line(str(path))) for path in paths[:_MAX_PATHS]]
    if "setting" in body:
        rows.append(Row(name=plain("Setting"), value=code(str(body["setting"]))))
        rows.append(row_of("value", body.get("value")))
    more = len(paths) > _MAX_PATHS or len(rows) > _MAX_ROWS
    return rows[:_MAX_ROWS] + [Row(name=plain("And more"), value=plain(_EXPORT))] * more


def facts_of(
    row: Mapping[str, Any], others: tuple[Mapping[str, Any], ...], name: Callable[[AgentId], str]
) -> list[Row]:
    """How it came to be decided, and what came of it."""
    facts = list(_facts(row, others, name))
    return [Row(name=plain(what), value=cut_spans(code(said))) for what, said in facts if said]


def shown_at(row: Mapping[str, Any], others: Iterable[Mapping[str, Any]]) -> int:
    """When a record was asked about last, before it was decided."""
    asked = [other for other in others if other["kind"] == "asked" and other["seq"] < row["seq"]]
    return _number((asked[-1] if asked else row)["at"])


def _facts(
    row: Mapping[str, Any], others: tuple[Mapping[str, Any], ...], name: Callable[[AgentId], str]
) -> Iterator[tuple[str, str]]:
    body = body_of(row)
    asked = [other for other in others if other["kind"] == "asked" and other["seq"] < row["seq"]]
    if row["agent"]:
        yield "Agent", name(AgentId(str(row["agent"])))
    if asked:
        yield "Asked because", _word(body_of(asked[0]), "because")
        yield "Answered after", _between(asked[0], row)
    if isinstance(body.get("shownMs"), int):
        yield "Card shown for", _duration(body["shownMs"])
    yield "Answer", _ANSWERS.get(_word(body, "option"), "")
    yield "Rule", _word(body, "rule")
    yield "Written in", _word(body, "source")
    for ended in (other for other in others if other["kind"] == "ended"):
        after = body_of(ended)
        yield "Ended", f"{_word(after, 'state')}, after {_between(row, ended)}"
        yield "Output", _word(after, "output")
    yield "Workspace", _word(body, "workspace")
    yield "Kept", "" if is_whole(body) else "without the middle of what was too long to keep"
    yield "Sealed as", str(row["hash"])


def _title(body: Mapping[str, Any]) -> list[Span]:
    what = what_of(body).strip()
    first = what.split("\n", 1)[0]
    is_cut = len(first) < len(what) or len(first) > _MAX_TITLE_LETTERS
    is_sought = sought_in(body) is not None
    verb = "Look for " if is_sought else _VERBS.get(_word(body, "tool"), "")
    spans = [*plain(verb), *line(first[:_MAX_TITLE_LETTERS]), *(plain(" …") if is_cut else [])]
    return spans or plain("Something was noted")


def _word(body: Mapping[str, Any], name: str) -> str:
    word = body.get(name)
    return word if isinstance(word, str) else ""


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _between(first: Mapping[str, Any], then: Mapping[str, Any]) -> str:
    return _duration(_number(then["at"]) - _number(first["at"]))


def _duration(milliseconds: int) -> str:
    if milliseconds < 1_000:  # noqa: PLR2004 -- a second
        return f"{max(0, milliseconds)} ms"
    seconds = milliseconds / 1_000
    if seconds < 120:  # noqa: PLR2004 -- two minutes
        return f"{seconds:.1f} seconds"
    minutes = round(seconds / 60)
    return f"{minutes} minutes" if minutes < 120 else f"{minutes / 60:.1f} hours"  # noqa: PLR2004
