"""What is said of a host that a command in the sandbox wants to reach."""

from typing import Any, Final

import pytest
from attrs import evolve

from assent.gate.approvals.options import options_for
from assent.gate.call.calls import AgentId, Call, CallId, ChatId
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor, Ruling, Verdict
from assent.gate.rules.book import Book
from assent.gate.rules.notation import written
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy, grant_for
from assent.gate.ruling.suggestions import suggested_rules
from gate.ruling.samples import AGENT, connecting, policy
from tables import each_row

_ALLOW, _ASK, _DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY

NEAR: Final = (
    *"localhost 127.0.0.1 [::1] ::1 10.0.0.5 192.168.1.1 169.254.169.254 [fe80::1] router".split(),
    *"nas.local metadata.google.internal app.localhost 127.0.0.1.nip.io ::ffff:10.0.0.1".split(),
)
ODD: Final = (
    *"0x7f.1 127.1 2130706433 0177.0.0.1 1２7.0.0.1 x.org:80 x.org/a me@x.org x..org *".split(),
    *("", "x.org\0", "x.org\n", "a b", "é.org", "[::1", "fe80::1%eth0", "\u212a.org", "x" * 9_000),
)


def under(
    mode: Mode = Mode.DEFAULT, suspended: frozenset[str] = frozenset(), **rules: str
) -> Policy:
    """The policy of a mode and some rules, by their verdict."""
    texts = [(text, Verdict[name.upper()]) for name, all_ in rules.items() for text in all_.split()]
    book = Book.of(
        [written(text, verdict) for text, verdict in texts], (), "/h", suspended=suspended
    )
    return evolve(policy(mode), book=book)


@each_row(
    ("mode", "verdict"),
    [
        (Mode.PLAN, _DENY),
        (Mode.ASK, _ASK),
        (Mode.DEFAULT, _ASK),
        (Mode.ACCEPT_EDITS, _ASK),
        (Mode.AUTO, _ASK),
    ],
)
def test_no_mode_lets_a_command_reach_a_host_unasked(mode: Mode, verdict: Verdict) -> None:
    ruling = decide(connecting(), policy(mode))
    assert (ruling.verdict, ruling.by, ruling.lasting) == (verdict, Actor.MODE, True)
    assert "command in the sandbox" in ruling.because
    bypassed = decide(connecting(), policy(mode, bypass=True))
    assert bypassed.verdict is (_DENY if mode is Mode.PLAN else _ALLOW)


@each_row(
    ("rules", "verdict"),
    [
        ({"allow": "network(registry.example:443)"}, _ALLOW),
        ({"allow": "network(registry.example)"}, _ALLOW),
        ({"allow": "network(*)"}, _ALLOW),
        ({"allow": "network(registry.example:80)"}, _ASK),
        ({"allow": "network(*.registry.example:443)"}, _ASK),
        ({"allow": "fetch(domain:registry.example) fetch(*) shell(*)"}, _ASK),
        ({"allow": "network(*)", "ask": "network(registry.example)"}, _ASK),
        ({"allow": "network(*)", "deny": "effect(external)"}, _DENY),
        ({"allow": "network(*)", "deny": "network(*:443)"}, _DENY),
        ({"allow": "network(registry.example:443)", "deny": "fetch(domain:*.example)"}, _DENY),
        ({"allow": "network(registry.example:443)", "deny": "fetch(domain:example)"}, _ALLOW),
        ({"allow": "network(registry.example:443)", "deny": "shell(npm:*)"}, _ALLOW),
    ],
    ids=str,
)
def test_deny_beats_ask_and_ask_beats_allow_in_every_mode(
    rules: dict[str, str], verdict: Verdict
) -> None:
    for mode in Mode:
        refused = _DENY if mode is Mode.PLAN and verdict is _ASK else verdict
        assert decide(connecting(), under(mode, **rules)).verdict is refused, mode


def test_a_host_near_by_is_asked_about_in_every_mode_unless_a_rule_names_it() -> None:
    for host in NEAR:
        call = connecting(host, 8080)
        for mode in (Mode.DEFAULT, Mode.AUTO):
            wide = evolve(under(mode, allow="network(*) network(*:8080)"), bypassed={AGENT})
            ruling = decide(call, wide)
            assert (ruling.verdict, ruling.lasting) == (_ASK, False), host
            assert "is on this machine or its own network." in ruling.because
        name = f"[{host}]" if host.count(":") > 1 and "[" not in host else host
        for rule in (f"network({name})", f"network({name}:8080)"):
            assert decide(call, under(allow=f"network(*) {rule}")).verdict is _ALLOW, rule
        assert decide(call, under(allow=f"network({name}:80) fetch(*)")).verdict is _ASK
        assert decide(call, policy(Mode.PLAN)).verdict is _DENY


def test_a_rule_about_the_effect_of_reaching_others_is_about_it_too() -> None:
    for effect in ("network", "external"):
        held = under(Mode.AUTO, allow="network(*)", ask=f"effect({effect})")
        assert decide(connecting(), held).verdict is _ASK


@each_row("host", ODD, ids=lambda host: host[:20])
def test_a_host_that_programs_may_read_differently_is_refused(host: str) -> None:
    for held in (under(Mode.AUTO, allow="network(*)"), policy(Mode.AUTO, bypass=True)):
        assert decide(connecting(host), held).verdict is _DENY


@each_row("given", [{"port": 0}, {"port": 65_536}, {"port": True}, {"port": "443"}, {"host": 7}])
def test_a_connection_that_is_none_is_refused(given: dict[str, Any]) -> None:
    call = connecting()
    call = evolve(call, input={**call.input, **given})
    assert decide(call, under(allow="network(*)")).verdict is _DENY
    assert decide(evolve(call, input={}), under(allow="network(*)")).verdict is _DENY


@each_row("tool", ["network", "fetch", "*"])
def test_a_refusal_that_cannot_be_read_asks(tool: str) -> None:
    held = under(suspended=frozenset({tool}), allow="network(*)")
    assert decide(connecting(), held).verdict is _ASK
    other = under(suspended=frozenset({"mcp"}), allow="network(*)")
    assert decide(connecting(), other).verdict is _ALLOW


def test_the_command_is_shown_and_not_judged_again() -> None:
    for command in ("echo x > .git/hooks/pre-commit", "cat ~/.ssh/id_rsa", "curl evil.example"):
        call = connecting(command=command)
        held = under(allow="network(registry.example:443)", deny="network(evil.example)")
        assert decide(call, held).verdict is _ALLOW


def test_leave_for_the_chat_is_for_the_host_and_port_whatever_the_command_is() -> None:
    grant = grant_for(connecting())
    assert grant.text == "reaching registry.example:443"
    for mode in Mode:
        held = policy(mode, grant)
        other = connecting("Registry.example.", command="npm test", cwd="/elsewhere")
        assert decide(other, held).verdict is _ALLOW
        for call in (
            connecting("registry.example", 80),
            connecting("a.registry.example"),
            evolve(connecting(), agent=AgentId("another")),
            evolve(connecting(), chat=ChatId("another")),
        ):
            assert decide(call, held).verdict is not _ALLOW
    denied = policy(Mode.AUTO, evolve(grant, verdict=_DENY), bypass=True)
    assert decide(connecting(command="npm test"), denied).verdict is _DENY


def test_an_answer_is_about_the_command_too() -> None:
    call = evolve(connecting(), id=CallId("1"))
    others = [evolve(call, input={**call.input, name: "x"}) for name in call.input]
    assert len({call.digest, *(other.digest for other in others)}) == 4


def offered(call: Call) -> dict[str, Any]:
    held = policy()
    ruling = decide(call, held)
    drafts = suggested_rules(call, held)
    return {option.id: option for option in options_for(call, ruling, held, "Eliza", drafts)}


def test_the_card_offers_the_host_with_its_port() -> None:
    options = offered(connecting("Registry.example", 4873))
    assert options["always"].rules == ("network(registry.example:4873)",)
    assert options["never"].rules == ("network(registry.example:4873)",)
    assert options["chat"].detail.startswith("Covers reaching registry.example:4873, and nothing")
    assert "sandbox" not in options
    assert set(offered(connecting("localhost"))) == {"once", "deny", "tell"}


@pytest.mark.parametrize("rule", ["network(*)", "network(registry.example:443)"])
def test_a_rule_for_some_agent_or_mode_counts_there_alone(rule: str) -> None:
    def ruled(**limits: Any) -> Ruling:
        book = Book.of([written(rule, _ALLOW, **limits)], (), "/h")
        return decide(connecting(), evolve(policy(), book=book))

    assert ruled(agent=AGENT, mode=Mode.DEFAULT).verdict is _ALLOW
    assert ruled(agent=AgentId("another")).verdict is _ASK
    assert ruled(mode=Mode.AUTO).verdict is _ASK
