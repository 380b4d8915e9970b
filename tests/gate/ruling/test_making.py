"""What a host makes is ruled on as a write of its file and as a request to that host."""

from typing import Any

import pytest
from attrs import evolve

from assent.gate.call.calls import Call
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.disk.places import Places
from assent.gate.rules.book import Book
from assent.gate.rules.notation import written
from assent.gate.rules.suggest import drafts_for
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy, grant_for
from assent.gate.ruling.weight import Level, weigh
from gate.ruling.samples import WORKSPACE, writing
from tables import each_row

requirement = pytest.mark.requirement
ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY
HOST = "https://models.example/v1"
NO_FOLDERS = Places(roots=(WORKSPACE,), home="/home/ada")


def making(action: str = "generateImage", **given: Any) -> Call:
    told = {"prompt": "a kite", "host": HOST, **given}
    return evolve(writing(), action=action, edits=(), input=told)


def ruled(
    call: Call, mode: Mode = Mode.DEFAULT, rules: tuple[WrittenRule, ...] = (), **more: Any
) -> Ruling:
    book = Book(rules=rules, roots=(WORKSPACE,), **more)
    return decide(call, Policy(mode=mode, trusted=True, book=book))


@requirement("N-11")
@each_row("action", ["generateImage", "speak"])
@each_row(
    ("mode", "verdict"),
    [
        (Mode.PLAN, DENY),
        (Mode.ASK, ASK),
        (Mode.DEFAULT, ASK),
        (Mode.ACCEPT_EDITS, ASK),
        (Mode.AUTO, ALLOW),
    ],
)
def test_the_stricter_of_what_the_mode_says_of_both_holds(
    action: str, mode: Mode, verdict: Verdict
) -> None:
    assert ruled(making(action), mode).verdict is verdict


def test_what_a_program_of_this_machine_makes_is_a_write_alone() -> None:
    here = evolve(making("speak"), input={"text": "a kite", "program": "/usr/bin/espeak-ng"})
    assert ruled(here, Mode.ACCEPT_EDITS).verdict is ALLOW
    assert ruled(here, rules=(written("fetch(*)", DENY),), mode=Mode.AUTO).verdict is ALLOW


def test_what_stands_in_a_write_of_another_kind_is_no_host() -> None:
    other = evolve(writing(), input={"path": "a", "host": HOST})
    assert other.sent_to is None
    assert ruled(other, Mode.ACCEPT_EDITS).verdict is ALLOW


@each_row("host", ["ftp://models.example", "https://a@b.example", "", 1, None])
def test_an_address_that_can_be_read_in_two_ways_is_never_let_pass_unasked(host: object) -> None:
    if host is None:
        assert making(host=host).sent_to is None
    else:
        assert ruled(making(host=host), Mode.AUTO).verdict is ASK


def test_a_host_of_this_machine_is_asked_about_no_more_than_others() -> None:
    assert ruled(making(host="http://127.0.0.1:1234/v1"), Mode.AUTO).verdict is ALLOW


def test_a_rule_about_requests_that_cannot_be_read_has_it_asked_about() -> None:
    assert ruled(making(), Mode.AUTO, suspended=frozenset({"fetch"})).verdict is ASK


def test_what_is_offered_for_always_lets_both_pass() -> None:
    call = making()
    drafts = drafts_for(call, ruled(call), lambda rules: ruled(call, rules=rules), NO_FOLDERS)
    assert [it.partition("(")[0] for it in drafts.allow] == ["write", "fetch"]
    assert drafts.allow == ("write(./src/**)", "fetch(domain:models.example)")
    assert drafts.deny == ("write(./src/till.py)", "fetch(domain:models.example)")


def test_what_was_allowed_for_the_chat_is_this_call_alone() -> None:
    call = making()
    grant = grant_for(call)
    assert grant.covers(call)
    assert not grant.covers(making(prompt="another"))
    assert not grant.covers(making(host="https://other.example"))


def test_it_weighs_what_a_request_weighs() -> None:
    assert weigh(making()).level is Level.MEDIUM
