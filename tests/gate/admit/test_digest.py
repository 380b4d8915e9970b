"""What is approved is approved by digest, so whatever decides what a call does is in it."""

from typing import Any

import pytest
from attrs import evolve, fields

from assent.gate.call.calls import (
    AgentId,
    Beside,
    Call,
    CallId,
    ChatId,
    Code,
    Described,
    Edit,
    Effect,
    Mark,
    Offer,
    Planned,
    Script,
    Sight,
    Stretch,
    Target,
)
from gate.ruling.samples import target, writing
from tables import each_row

CALL = writing("a.txt", "new")

BINDING: dict[str, Any] = {
    "id": CallId("another"),
    "chat": ChatId("another"),
    "agent": AgentId("another"),
    "tool": "read",
    "effect": Effect.READ,
    "input": {**CALL.input, "more": 1},
    "cwd": "/elsewhere",
    "targets": (target("b.txt"),),
    "edits": (evolve(CALL.edits[0], new="other"),),
    "action": "delete",
    "code": (Code(path="/s.sh", shown="s.sh", content="0" * 64),),
    "scripts": (Script(name="build", text="make", folder="/ws"),),
    "steps": (Planned(name="one", says="one: make", effect=Effect.EXECUTE),),
    "described": Described(digest="0" * 64),
    "beside": (Beside(tool="fetch", effect=Effect.EXTERNAL, input={"url": "https://a.example/"}),),
    "sight": Sight(marks=(Mark(found='button "Pay"'),)),
}
"""Of each member that decides what a call does or whose it is, another value."""

TOLD: dict[str, Any] = {
    "folder": "elsewhere",
    "unreadable": "it is odd",
    "says": "other words",
    "tool_call_id": "tc-42",
    "served": ("a:b",),
    "offers": (Offer(id="1", label="always"),),
    "part": "another",
    "caution": "the third time",
    "hearsay": True,
    "detachable": True,
    "untried": "",
    "has_sandbox": True,
    "as_of": 3,
    "tried_before": "It wrote to ~/x.",
    "agreed": True,
    "choices": ("a.txt",),
    "made_by": CALL,
    "own_files": ("/home/ada/.claude/plans/*.md",),
    "editable": "content",
}
"""What is only said of a call, or how it is shown."""


def test_each_member_of_a_call_is_bound_or_only_told() -> None:
    assert {it.name for it in fields(Call)} == set(BINDING) | set(TOLD)


@pytest.mark.requirement("C-06")
@each_row("member", BINDING)
def test_a_call_with_another_member_has_another_digest(member: str) -> None:
    assert evolve(CALL, **{member: BINDING[member]}).digest != CALL.digest


@each_row("member", TOLD)
def test_what_is_only_told_of_a_call_changes_no_digest(member: str) -> None:
    assert evolve(CALL, **{member: TOLD[member]}).digest == CALL.digest


@each_row("member", [it.name for it in fields(Edit)])
def test_a_change_of_another_file_or_to_another_text_has_another_digest(member: str) -> None:
    of_large = Stretch(start=1, lines=1, old_file="0" * 64, new_file="1" * 64)
    edit = evolve(CALL.edits[0], **{member: of_large if member == "stretch" else "another"})
    assert evolve(CALL, edits=(edit,)).digest != CALL.digest


@each_row("member", [it.name for it in fields(Stretch)])
def test_another_place_in_a_large_file_or_another_file_around_it_has_another_digest(
    member: str,
) -> None:
    given: dict[str, Any] = {"start": 1, "lines": 1, "old_file": "0", "new_file": "1"}
    edits = [
        evolve(CALL.edits[0], stretch=Stretch(**it)) for it in (given, {**given, member: "other"})
    ]
    one, other = (evolve(CALL, edits=(it,)).digest for it in edits)
    assert one != other


def test_a_path_that_leads_elsewhere_has_another_digest() -> None:
    (here,) = CALL.targets
    elsewhere: Target = evolve(here, resolved="/elsewhere")
    assert evolve(CALL, targets=(elsewhere,)).digest != CALL.digest
    assert evolve(CALL, targets=()).digest != CALL.digest
    assert evolve(CALL, targets=(here, here)).digest != CALL.digest


@each_row("member", sorted(set(BINDING) - {"id", "chat", "code", "described", "sight"}))
def test_a_call_is_like_another_only_where_it_does_the_same(member: str) -> None:
    assert evolve(CALL, **{member: BINDING[member]}).likeness != CALL.likeness
    assert evolve(CALL, id=CallId("another"), chat=ChatId("another")).likeness == CALL.likeness


def test_what_is_said_of_a_tool_makes_no_other_call() -> None:
    # A rule or a grant is about the tool; that something else is said of it is asked about anew.
    assert evolve(CALL, described=BINDING["described"]).likeness == CALL.likeness
    assert evolve(CALL, sight=BINDING["sight"]).likeness == CALL.likeness
