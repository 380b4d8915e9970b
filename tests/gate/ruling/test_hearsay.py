"""A command that is only an agent's word: rules may deny it or ask about it, and none allows it."""

from pathlib import Path
from typing import Any

from attrs import evolve

from assent.gate.call.calls import AgentId, Call, ChatId
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.places import Places
from assent.gate.rules.book import Book
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from assent.hosting.permission.calls import Reader
from assent.hosting.recipes import claude, gemini
from gate.rules.books import allow, deny
from tables import each_row

TITLED: dict[str, Any] = {"toolCallId": "t", "kind": "execute", "title": "make", "content": []}
_ALLOW, _ASK, _DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY


def places_of(root: Path) -> Places:
    return Places(roots=(str(root),), home=str(root.parent))


def call_of(root: Path, whole: dict[str, Any]) -> Call:
    agent, places = AgentId("a"), places_of(root)
    reader = Reader(chat=ChatId("c"), agent=agent, cwd=str(root), places=places)
    words = gemini.RECIPE.in_words(whole)
    return evolve(reader.read(words or whole), hearsay=words is not None)


def verdict(root: Path, call: Call, *rules: Any, **told: Any) -> Verdict:
    book = Book.of([*rules], (str(root),), str(root))
    policy = Policy(**{"mode": Mode.DEFAULT, "trusted": True, "book": book} | told)
    return decide(call, policy, places_of(root)).verdict


def test_a_command_that_stands_in_the_title_alone_is_shown_as_one(tmp_path: Path) -> None:
    call = call_of(tmp_path, TITLED)
    assert (call.tool, call.input, call.hearsay) == ("shell", {"command": "make"}, True)
    assert call.unreadable is None


def test_no_rule_lets_it_pass_and_each_that_denies_it_does(tmp_path: Path) -> None:
    call = call_of(tmp_path, TITLED)
    assert verdict(tmp_path, call, allow("shell(make:*)")) is _ASK
    assert verdict(tmp_path, call, allow("shell(*)")) is _ASK
    assert verdict(tmp_path, call, deny("shell(make:*)")) is _DENY
    known = evolve(call, hearsay=False)
    assert verdict(tmp_path, known, allow("shell(make:*)")) is _ALLOW


def test_what_only_reads_is_asked_about_as_well(tmp_path: Path) -> None:
    call = call_of(tmp_path, {**TITLED, "title": "ls"})
    assert verdict(tmp_path, call) is _ASK
    assert verdict(tmp_path, evolve(call, hearsay=False)) is _ALLOW


def test_a_bypass_and_a_mode_that_lets_commands_run_lift_that(tmp_path: Path) -> None:
    call = call_of(tmp_path, TITLED)
    assert verdict(tmp_path, call, bypassed=frozenset({AgentId("a")})) is _ALLOW
    assert verdict(tmp_path, call, mode=Mode.AUTO) is _ALLOW
    assert verdict(tmp_path, call, deny("shell(make:*)"), mode=Mode.AUTO) is _DENY


@each_row(
    "told", [{"kind": "read"}, {"rawInput": {"command": "make"}}, {"title": ""}, {"title": 7}]
)
def test_only_the_title_of_a_command_that_says_nothing_else_counts_as_one(
    tmp_path: Path, told: dict[str, Any]
) -> None:
    assert not call_of(tmp_path, {**TITLED, **told}).hearsay
    assert claude.RECIPE.in_words(TITLED) is None
