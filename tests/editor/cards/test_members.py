"""Every member of a call is drawn, or the call is refused: the members come from the schemas.

Two calls that differ in one member must differ on their cards, in the journal and in the record;
and a text that a member holds must stand on the card.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from agent.tools.workbench import Workbench
from assent.agent.tools.registry import BELT, ArgumentsWrong
from assent.agent.tools.schema import schema_of
from assent.agent.tools.tool import Tool
from assent.editor.cards.members import kept_of
from assent.editor.cards.spans import text_of
from assent.editor.cards.titles import title_of
from assent.editor.protocol.card import Row
from assent.editor.window.chats.archive import archives_in
from assent.editor.window.chats.call_records import JudgedCalls
from assent.editor.window.chats.entries import Entries
from assent.editor.window.chats.transcript import Transcript
from assent.gate.call.calls import Call
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.journal.events import CallMoved
from assent.gate.journal.records import asked
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from assent.hosting.permission import arguments
from editor.cards.schemas import (
    BASES,
    NAMES,
    Where,
    drawn,
    equipped,
    filled,
    leaves,
    seen,
    theirs,
)
from tables import each_row

requirement = pytest.mark.requirement


def put(value: Any, path: Where, new: Any) -> Any:
    """The same value with another one at a place."""
    whole = json.loads(json.dumps(value))
    inner = whole
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = new
    return whole


def at(value: Any, path: Where) -> Any:
    for key in path:
        value = value[key]
    return value


def cases() -> Iterator[tuple[str, Where]]:
    for tool in BELT:
        one, _ = filled(tool.name, schema_of(tool.arguments))
        yield from ((tool.name, path) for path in leaves(one))


def written(call: Call) -> str:
    return json.dumps(asked(call, "t", "").body, ensure_ascii=False)


def recorded(call: Call) -> str:
    rows = [Row(name=[], value=title_of(call)), *kept_of(call)]
    return "\n".join(f"{text_of(row.name)}: {text_of(row.value)}" for row in rows)


@pytest.fixture
def work(tmp_path: Path) -> Workbench:
    root = tmp_path.resolve() / "root"
    for folder in ("one", "two"):
        (root / folder).mkdir(parents=True)
    return equipped(root)


SAYS: Final = {("run_command", ("description",))}
"""Words of the agent: on the card, labelled as its own, and in no record of what ran."""

TEXTS: Final = frozenset({"content", "old", "new", "all"})
"""What changes in files: the journal keeps it, and the record of the transcript its file."""


@requirement("S-04")
@pytest.mark.parametrize(("name", "path"), [*cases()], ids=str)
def test_each_member_of_our_own_tools_is_on_the_card_and_in_the_record(
    work: Workbench, name: str, path: Where
) -> None:
    tool = next(it for it in BELT if it.name == name)
    one, other = filled(name, schema_of(tool.arguments))
    before = work.wants(name, **one).call
    new = at(other, path) if len(path) < 2 or path[0] != "env" else "changed"
    after = work.wants(name, **put(one, path, new)).call
    card = seen(drawn(after))
    assert card != seen(drawn(before))
    if isinstance(new, str):
        # The title names a server's tool and its server, each for itself.
        assert (new.rpartition(":")[2] if name == "run_node" else new) in card
    if (name, path) in SAYS:
        return
    assert written(after) != written(before)
    if path[-1] not in TEXTS:
        assert recorded(after) != recorded(before)


@requirement("S-04")
@pytest.mark.parametrize("tool", BELT, ids=lambda tool: tool.name)
def test_a_member_that_nobody_draws_is_refused_with_a_sentence(
    work: Workbench, tool: Tool[Any]
) -> None:
    one, _ = filled(tool.name, schema_of(tool.arguments))
    with pytest.raises(ArgumentsWrong, match="`odd`: there is no such argument"):
        work.wants(tool.name, **one, odd=1)
    for path in leaves(one):
        # What a server's tool or a workflow takes is its own matter.
        if len(path) > 1 and path[0] not in {"env", "arguments", "inputs"}:
            inner = put(one, path, at(one, path))
            at(inner, path[:-1])["odd"] = 1
            with pytest.raises(ArgumentsWrong, match="odd`: there is no such argument"):
                work.wants(tool.name, **inner)


VALUES: Final = {
    "text": ("alpha", "omega"),
    "hidden text": ("al\u202epha", "al\u202epho"),
    "path": ("src/alpha.py", "src/omega.py"),
    "number": (41, 42),
    "truth": (False, True),
    "list": (["x", "alpha"], ["x", "omega"]),
    "object": ({"x": "alpha"}, {"x": "omega"}),
    "deep": ({"x": [{"y": "alpha"}]}, {"x": [{"y": "omega"}]}),
}
"""Two values of each kind that are unlike each other."""


@requirement("S-04")
@each_row("base", BASES)
@each_row("name", NAMES)
@pytest.mark.long
def test_each_member_of_other_agents_calls_is_on_the_card_and_in_the_record(
    tmp_path: Path, name: str, base: str
) -> None:
    (tmp_path / "a.txt").write_text("old")
    raw, more = BASES[base]
    for pair in VALUES.values():
        before, after = (theirs(tmp_path, {**raw, name: it}, more) for it in pair)
        card = seen(drawn(after))
        assert card != seen(drawn(before)), (name, pair)
        if name in arguments.SAYINGS and after.tool == "shell":
            continue
        assert written(after) != written(before), (name, pair)
        assert recorded(after) != recorded(before), (name, pair)
        assert after.likeness != before.likeness, (name, pair)


UNKNOWN: Final[dict[str, dict[str, Any]]] = {
    "the call": {"odd": "alpha"},
    "the call, under a name of arguments": {"command": "alpha"},
    "a place": {"locations": [{"path": "a.txt", "odd": "alpha"}]},
    "a change": {
        "content": [
            {"type": "diff", "path": "a.txt", "oldText": "old", "newText": "n", "odd": "alpha"}
        ]
    },
    "words": {"content": [{"type": "content", "content": {"type": "text"}, "odd": "alpha"}]},
    "content of another kind": {"content": [{"type": "odd", "odd": {"x": ["alpha"]}}]},
    "content of no kind": {"content": [{"odd": "alpha"}]},
}
"""What an agent may tell beside a call's arguments, by where it does."""


@requirement("S-04")
@each_row("base", [*BASES, "a tool of a server"])
@each_row("where", UNKNOWN)
def test_each_member_beside_the_arguments_is_on_the_card_and_passes_nowhere_unasked(
    tmp_path: Path, where: str, base: str
) -> None:
    (tmp_path / "a.txt").write_text("old")
    served = {"server": "s", "tool": "t", "arguments": {}}
    raw, more = BASES.get(base, (served, {"_meta": {"is_mcp_tool_call": True}}))
    told = {name: it for name, it in more.items() if name != "content"} | UNKNOWN[where]
    call = theirs(tmp_path, raw, told)
    assert "alpha" in seen(drawn(call))
    assert "alpha" in written(call)
    assert "alpha" in recorded(call)
    assert decide(call, Policy(mode=Mode.DEFAULT, trusted=True)).verdict is not Verdict.ALLOW


@requirement("S-04")
def test_the_record_of_a_call_keeps_its_members_until_its_end(work: Workbench) -> None:
    call = work.wants("run_command", command="make", env={"ODD": "x" * 9_000}, background=True).call
    entries, judged = Entries(archives_in(None)()), JudgedCalls(archives_in(None)())
    transcript = Transcript(
        call.chat, call.agent, Mode.ASK, lambda: 0, entries=entries, judged=judged
    )
    for state in (State.PROPOSED, State.WAITING, State.RUNNING, State.SUCCEEDED):
        transcript.step(CallMoved(call=call, state=state))
    (record,) = transcript.shown("Eliza", 100_000).items
    told = {text_of(row.name): text_of(row.value) for row in record.members}  # type: ignore[union-attr]  # it is a call
    assert told["command"] == "make"
    assert told["Runs"] == "in the background"
    assert told["Variable ODD"].startswith("xxx")
    assert "characters left out" in told["Variable ODD"]
    assert len(told["Variable ODD"]) < 1_000


@each_row("text", ["x" * 90_000, "a\u202e" * 40_000, "\u202e" * 90_000, "\n\t" * 9_000])
def test_what_a_record_keeps_of_a_member_is_bounded_in_name_and_value(
    tmp_path: Path, text: str
) -> None:
    raw, more = next(iter(BASES.values()))
    for said in ({text: "short"}, {"short": text}, {text: text}):
        for row in kept_of(theirs(tmp_path, {**raw, **said}, more)):
            assert len(row.model_dump_json()) < 10_000
