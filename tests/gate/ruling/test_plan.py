"""In Plan nothing is asked about that Plan refuses, whatever else would ask about it."""

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from assent.gate.call.calls import Call, Effect
from assent.gate.call.modes import MODES, Mode, reach_of
from assent.gate.call.verdicts import Actor, Ruling, Verdict
from assent.gate.ruling import decide as module
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from gate.rules.books import ask, book, deny
from gate.ruling.samples import calls, fetching, policy, running, using
from tables import each_row

ODD_URLS = ["http://127.0.0.1/", "http://[::1]:8080/", "http://metadata/", "https://x.org/", "x:"]
ODD_NAMES = ["files", "a:b", "p\u0430y", " x", ""]


def _served(server: str, tool: str, hints: dict[str, Any]) -> Call:
    given = {"server": server, "tool": tool, "annotations": hints}
    return evolve(using(), tool="mcp", input=given)


def _named(kind: str, name: str, effect: Effect) -> Call:
    return evolve(using(), tool=kind, effect=effect, input={"name": name})


names = st.sampled_from(ODD_NAMES)
all_calls = st.one_of(
    calls,
    st.builds(fetching, st.sampled_from(ODD_URLS)),
    st.builds(_served, names, names, st.sampled_from([{}, {"destructiveHint": True}])),
    st.builds(_named, st.sampled_from(["run", "agent", "other"]), names, st.sampled_from(Effect)),
)
cautions = st.sampled_from(["", "It does the same again and again."])
questions = st.sets(
    st.sampled_from(
        """read(*) write(*) shell(*) fetch(*) mcp(*) run(*) agent(*) effect(read) effect(write)
        effect(execute) effect(external) effect(network)""".split()
    )
)
hooks = st.none() | st.builds(
    Ruling,
    verdict=st.sampled_from(Verdict),
    because=st.just("the hook `x` says so"),
    by=st.just(Actor.HOOK),
    lasting=st.just(False),
)


def _asking(rules: set[str], hook: Ruling | None) -> Policy:
    wishes = policy(Mode.PLAN, bypass=True)
    return evolve(wishes, book=book(*map(ask, sorted(rules))), hook=hook)


@pytest.mark.requirement("N-02")
@given(all_calls, cautions, questions, hooks)
def test_plan_refuses_what_its_row_refuses_whatever_asks(
    call: Call, caution: str, rules: set[str], hook: Ruling | None
) -> None:
    ruling = decide(evolve(call, caution=caution), _asking(rules, hook))
    if call.tool != "shell" and MODES[Mode.PLAN][reach_of(call)] is Verdict.DENY:
        assert ruling.verdict is Verdict.DENY


@pytest.mark.requirement("N-02")
@pytest.mark.parametrize("mode", Mode)
@given(call=all_calls, caution=cautions, rules=questions, unreadable=st.booleans())
def test_a_question_more_never_loosens_a_refusal(
    mode: Mode, call: Call, caution: str, rules: set[str], unreadable: bool
) -> None:
    plain = policy(mode)
    before = decide(call, plain).verdict
    asked = evolve(call, caution=caution, unreadable="odd" if unreadable else call.unreadable)
    assert decide(asked, evolve(plain, book=book(*map(ask, sorted(rules))))).verdict >= before


@pytest.mark.requirement("N-02")
@each_row("line", ["", "  ", "make", "rm -f a", "$x", "echo hi > a", "curl x.org"])
def test_plan_runs_no_command_that_does_more_than_read(line: str) -> None:
    assert decide(running(line), policy(Mode.PLAN)).verdict is Verdict.DENY


@each_row("call", [running("make"), using(), fetching()])
def test_a_fault_in_judging_loosens_nothing_in_plan(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "RulingContext", None)
    assert decide(call, policy(Mode.PLAN)).verdict is Verdict.DENY


def test_a_rule_that_denies_is_told_before_the_mode() -> None:
    wishes = evolve(policy(Mode.PLAN), book=book(deny("fetch(domain:127.0.0.1)")))
    assert decide(fetching("http://127.0.0.1/"), wishes).rule == "fetch(domain:127.0.0.1)"
