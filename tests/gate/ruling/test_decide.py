"""What holds of every ruling, whatever the call and whatever the policy."""

from types import SimpleNamespace
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from assent.gate.approvals.options import options_for
from assent.gate.approvals.tickets import OptionKind
from assent.gate.call.calls import APPLY, AgentId, Beside, Call, ChatId, Described, Effect, Offer
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor, Verdict
from assent.gate.disk.places import Places
from assent.gate.ruling import decide as module
from assent.gate.ruling.decide import decide
from assent.gate.ruling.outward import CHANGED
from assent.gate.ruling.policy import Policy, grant_for
from assent.gate.ruling.protected import protected_place
from assent.gate.ruling.weight import Level, weigh
from gate.rules.books import book, deny
from gate.ruling.samples import (
    AGENT,
    WORKSPACE,
    calls,
    policies,
    policy,
    reading,
    rules,
    running,
    says,
    target,
    using,
    writing,
)
from tables import each_row


@given(calls, policies)
def test_every_call_gets_a_verdict_and_a_reason(call: Call, wishes: Policy) -> None:
    ruling = decide(call, wishes)
    assert isinstance(ruling.verdict, Verdict)
    assert ruling.because.strip()


@given(calls, policies)
def test_the_same_call_is_always_ruled_on_alike(call: Call, wishes: Policy) -> None:
    assert decide(call, wishes) == decide(evolve(call, says="trust me, it is safe"), wishes)
    assert weigh(call) == weigh(evolve(call, says="harmless"))


@pytest.mark.requirement("S-03")
@given(calls, policies)
def test_bypass_lifts_asking_but_never_denial(call: Call, wishes: Policy) -> None:
    without = decide(call, evolve(wishes, bypassed=frozenset()))
    having = decide(call, evolve(wishes, bypassed=frozenset({AGENT})))
    if without.verdict is not Verdict.ASK:
        assert having == without
    assert having.verdict is not Verdict.DENY or without.verdict is Verdict.DENY


@pytest.mark.requirement("S-03")
def test_bypass_lets_through_what_the_mode_would_ask() -> None:
    assert decide(running("make test"), policy()).verdict is Verdict.ASK
    ruling = decide(running("make test"), policy(bypass=True))
    assert (ruling.verdict, ruling.rule) == (Verdict.ALLOW, "assent.bypassPermissions")


@pytest.mark.requirement("S-03")
@given(calls, policies)
def test_bypass_lifts_nothing_that_is_asked_in_every_mode(call: Call, wishes: Policy) -> None:
    if call.unreadable is None and protected_place(call) is None:
        return
    verdict = decide(call, evolve(wishes, bypassed=frozenset({AGENT}))).verdict
    assert verdict is not Verdict.ALLOW


@pytest.mark.requirement("S-03")
@given(calls, policies)
def test_the_bypass_of_one_agent_is_no_other_agents(call: Call, wishes: Policy) -> None:
    none = evolve(wishes, bypassed=frozenset())
    others = evolve(wishes, bypassed=frozenset({AgentId("another"), AgentId("eliza2")}))
    assert decide(call, others) == decide(call, none)


@given(calls, policies, st.randoms())
def test_the_order_of_the_rules_decides_no_verdict(
    call: Call, wishes: Policy, chance: object
) -> None:
    shuffled = list(wishes.rules)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert decide(call, evolve(wishes, rules=tuple(shuffled))).verdict is (
        decide(call, wishes).verdict
    )


@given(calls, policies)
def test_the_strictest_rule_that_covers_a_call_wins(call: Call, wishes: Policy) -> None:
    covering = [rule.ruling.verdict for rule in wishes.rules if rule.covers(call)]
    if covering:
        assert decide(call, wishes).verdict >= max(covering)


@given(calls, policies, rules)
def test_one_more_rule_of_denial_never_widens(call: Call, wishes: Policy, rule: object) -> None:
    denial = evolve(rule, verdict=Verdict.DENY)  # type: ignore[type-var]
    more = evolve(wishes, rules=(*wishes.rules, denial))
    assert decide(call, more).verdict >= decide(call, wishes).verdict


@given(calls, policies)
def test_what_a_rule_denies_is_denied_in_every_mode(call: Call, wishes: Policy) -> None:
    for mode in Mode:
        more = evolve(wishes, mode=mode, rules=(says(Verdict.DENY), *wishes.rules))
        assert decide(call, more).verdict is Verdict.DENY


@given(calls, policies)
def test_an_unreadable_call_never_runs_unasked(call: Call, wishes: Policy) -> None:
    ruling = decide(evolve(call, unreadable="it has no path"), wishes)
    assert ruling.verdict is not Verdict.ALLOW
    assert weigh(evolve(call, unreadable="it has no path")).level is Level.HIGH


@each_row("broken", ["_is_too_large", "RulingContext", "_JUDGES", "_always_asked"])
@each_row("mode", [Mode.ASK, Mode.DEFAULT, Mode.AUTO])
def test_a_fault_in_judging_is_a_question(
    broken: str, mode: Mode, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Faulty:
        def __call__(self, *_: object, **__: object) -> object:
            raise RuntimeError("a fault")

        def get(self, *_: object) -> object:
            raise RuntimeError("a fault")

    monkeypatch.setattr(module, broken, Faulty())
    ruling = decide(reading(), policy(mode, bypass=True))
    assert ruling.verdict is Verdict.ASK
    assert not ruling.lasting
    assert "RuntimeError" in ruling.because


@each_row("error", [RecursionError, KeyError, AttributeError, ZeroDivisionError])
def test_a_rule_that_raises_is_a_question(error: type[Exception]) -> None:
    def covers(_: Call) -> bool:
        raise error

    rule = SimpleNamespace(covers=covers, ruling=says(Verdict.ALLOW).ruling)
    wishes = policy(Mode.AUTO, rule, says(Verdict.ALLOW), bypass=True)
    assert decide(reading(), wishes).verdict is Verdict.ASK


def _applied(path: str, command: str, *, digest: str = "1", **more: Any) -> Call:
    """The changes of a trial."""
    made_by = running(command, **{name: more[name] for name in ("cwd", "chat") if name in more})
    shown = {"trial": command, "digest": digest}
    return evolve(writing(path, **more), action=APPLY, input=shown, made_by=made_by)


@pytest.mark.requirement("N-04", "C-06")
class TestAGrant:
    def test_covers_the_same_call_made_again(self) -> None:
        grant = grant_for(running("make test"))
        assert grant.covers(running("make test"))

    @pytest.mark.parametrize(
        "other",
        [
            running("make test "),
            running("make test; rm -rf /"),
            running("make test", cwd="/tmp"),
            running("make test", chat=ChatId("chat-2")),
            running("make test", agent=AgentId("codex")),
            using({"command": "make test"}),
        ],
    )
    def test_of_a_command_covers_nothing_else(self, other: Call) -> None:
        assert not grant_for(running("make test")).covers(other)

    def test_of_a_file_covers_other_changes_to_it(self) -> None:
        assert grant_for(writing("a.txt", "one")).covers(writing("a.txt", "two"))

    @pytest.mark.parametrize(
        "other",
        [
            writing("b.txt"),
            reading("a.txt"),
            writing("a.txt", targets=()),
            writing("a.txt", targets=(target("a.txt"), target("b.txt"))),
            writing("a.txt", targets=(target("a.txt", resolved="/home/ada/.bashrc"),)),
            writing("a.txt", chat=ChatId("chat-2")),
            writing("a.txt", agent=AgentId("codex")),
            running("echo hi > a.txt", targets=(target("a.txt"),)),
        ],
    )
    def test_of_a_file_covers_no_other_file_effect_chat_or_agent(self, other: Call) -> None:
        assert not grant_for(writing("a.txt")).covers(other)

    @pytest.mark.parametrize(
        ("command", "named"),
        [
            ("npm run build", "`npm run build`"),
            ("npm run ` build", "this command"),
            ("npm\nrun", "this command"),
            ("x" * 61, "this command"),
        ],
    )
    def test_of_a_trials_changes_covers_whatever_that_command_changes(
        self, command: str, named: str
    ) -> None:
        grant = grant_for(_applied("a.txt", command))
        assert grant.text == f"what {named} changes"
        assert grant.covers(_applied("b.txt", command, digest="2"))
        again = _applied("a.txt", command)
        slower = {"command": command, "timeout_seconds": 60}
        assert again.made_by is not None
        assert grant.covers(evolve(again, made_by=evolve(again.made_by, input=slower)))
        for other in (
            writing("a.txt"),
            running(command),
            evolve(_applied("a.txt", command), made_by=None),
            _applied("a.txt", f"{command} "),
            _applied("a.txt", command, cwd="/tmp"),
            _applied("a.txt", command, chat=ChatId("chat-2")),
        ):
            assert not grant.covers(other)

    def test_does_not_reach_protected_places(self) -> None:
        call = writing(".vscode/settings.json")
        assert decide(call, policy(Mode.DEFAULT, grant_for(call))).verdict is Verdict.ASK

    def test_gives_way_to_a_denial(self) -> None:
        call = running()
        wishes = policy(Mode.AUTO, grant_for(call), says(Verdict.DENY))
        assert decide(call, wishes).verdict is Verdict.DENY

    def test_says_that_the_person_gave_it(self) -> None:
        call = writing("a.txt")
        ruling = decide(call, policy(Mode.DEFAULT, grant_for(call)))
        assert ruling.because == "You allowed changes to a.txt for this chat."
        assert (ruling.by, ruling.rule) == (Actor.RULE, "changes to a.txt")
        assert str(ruling.source) == "this chat"


@pytest.mark.requirement("T-02", "S-04", "N-04")
class TestTheOptions:
    def test_offer_what_a_person_may_say(self) -> None:
        call = running(offers=(Offer(id="always", label="Always allow make"),))
        wishes = policy()
        offered = options_for(call, decide(call, wishes), wishes, "Eliza")
        assert [option.kind for option in offered] == [
            OptionKind.ALLOW_ONCE,
            OptionKind.ALLOW_CHAT,
            OptionKind.BYPASS_AGENT,
            OptionKind.AGENT_ALWAYS,
            OptionKind.DENY_ONCE,
            OptionKind.DENY_TELL,
            OptionKind.DENY_CHAT,
        ]
        assert len({option.id for option in offered}) == len(offered)

    @given(calls, policies)
    def test_are_only_once_or_never_where_nothing_may_last(
        self, call: Call, wishes: Policy
    ) -> None:
        ruling = decide(call, wishes)
        offered = options_for(call, ruling, wishes, "Eliza")
        kinds = {option.kind for option in offered}
        narrow = {OptionKind.ALLOW_ONCE, OptionKind.DENY_ONCE, OptionKind.DENY_TELL}
        assert narrow <= kinds
        if not (ruling.lasting and wishes.trusted):
            assert kinds == narrow

    def test_cannot_be_passed_off_as_ours_by_an_agent(self) -> None:
        call = running(offers=(Offer(id="once", label="x"), Offer(id="deny", label="y")))
        wishes = policy()
        offered = options_for(call, decide(call, wishes), wishes, "Eliza")
        assert len({option.id for option in offered}) == len(offered)


@each_row(
    "call",
    [
        using({"path": ".env"}),
        using({"edits": [{"file": "/home/ada/till/.env"}]}),
        using({"what": "x"}, targets=(target(".env"),)),
    ],
)
def test_a_path_that_is_denied_is_no_less_so_to_a_tool_that_nobody_knows(call: Call) -> None:
    wishes = evolve(policy(Mode.AUTO), book=book(deny("read(./.env)")))
    facts = Places(roots=(WORKSPACE,), home="/home/ada")
    ruling = decide(call, wishes, facts)
    assert (ruling.verdict, ruling.rule) == (Verdict.ASK, "read(./.env)")
    for other in (using({"path": ".env.example"}), evolve(call, effect=Effect.CHAT)):
        assert decide(other, wishes, facts).verdict is Verdict.ALLOW


SENDS = Beside(tool="fetch", effect=Effect.EXTERNAL, input={"url": "https://evil.example/a"})
KEEPS = Beside(tool="write", effect=Effect.WRITE, targets=(target("src/a.py"),), action="write")


def test_what_a_call_does_besides_is_judged_as_a_call_of_its_own() -> None:
    call = evolve(using(), beside=(SENDS, KEEPS))
    denied = Policy(mode=Mode.AUTO, book=book(deny("fetch(domain:evil.example)")), trusted=True)
    assert decide(call, policy(Mode.AUTO)).verdict is Verdict.ALLOW
    assert decide(call, denied).verdict is Verdict.DENY
    assert decide(call, policy(Mode.DEFAULT)).verdict is Verdict.ASK


def test_what_a_call_does_besides_stands_on_its_card() -> None:
    told = decide(evolve(using(), beside=(SENDS, KEEPS)), policy(Mode.AUTO)).deeds
    assert [(it.kind, it.what) for it in told] == [
        ("network", "evil.example"),
        ("write", "src/a.py"),
    ]


def test_who_allows_a_call_allows_what_the_mode_would_ask_about_besides() -> None:
    call = evolve(using(), beside=(SENDS, KEEPS))
    lets = policy(Mode.DEFAULT, says(Verdict.ALLOW))
    assert decide(call, lets).verdict is Verdict.ALLOW
    asks = evolve(lets, book=book(deny("write(./src/**)")))
    assert decide(call, asks).verdict is Verdict.DENY


def test_a_tool_that_its_source_speaks_of_in_another_way_has_a_grave_card() -> None:
    for before, grave in ((None, None), ("It adds.", CHANGED)):
        told = Described(digest="a" * 64, now="It removes.", before=before)
        said = decide(evolve(using(), caution="Look at it.", described=told), policy(Mode.AUTO))
        assert (said.verdict, said.because, said.grave) == (Verdict.ASK, "Look at it.", grave)
