"""Rules about hosts that a command in the sandbox connects to."""

import pytest

from assent.gate.call.verdicts import Verdict
from assent.gate.rules.notation import RuleRefused, tool_of, written
from gate.rules.books import ASKER, allow, book, deny, said
from tables import each_row


@each_row(
    ("text", "kept"),
    [
        ("network(x.org:443)", "network(x.org:443)"),
        ("network(X.org.:443)", "network(x.org:443)"),
        ("network(x.org)", "network(x.org)"),
        ("network(*.x.org:443)", "network(*.x.org:443)"),
        ("network(*:22)", "network(*:22)"),
        ("network(*)", "network(*)"),
        ("network([::1]:80)", "network([::1]:80)"),
        ("network([0:0:0:0:0:0:0:1])", "network([::1])"),
        ("network(localhost:5432)", "network(localhost:5432)"),
        ("network(10.0.0.1:80)", "network(10.0.0.1:80)"),
    ],
)
def test_a_host_and_its_port_are_kept_in_their_one_spelling(text: str, kept: str) -> None:
    assert {written(text, verdict).text for verdict in Verdict} == {kept}


@each_row(
    "text",
    """network(https://x.org) network(x.org/a) network(x.org:0) network(x.org:65536) network(x.org:)
    network(x.org:https) network(x.org:0443) network(x.*.org) network(*x.org) network(*.*.org:1)
    network(0x7f.1) network(2130706433:80) network(127.1) network(::1:80) network([::1) network()
    network(me@x.org:443) network(domain:x.org) network(münchen.de) network(x..org)
    network""".split(),
)
def test_what_two_readers_may_read_differently_is_no_rule(text: str) -> None:
    for verdict in Verdict:
        with pytest.raises(RuleRefused, match="network"):
            written(text, verdict)
    assert tool_of(text) == "network"


@each_row(
    ("rule", "host", "port", "verdicts"),
    [
        ("network(x.org:443)", "x.org", 443, ("allow", "deny")),
        ("network(x.org:443)", "x.org", 80, ("", "")),
        ("network(x.org:443)", "a.x.org", 443, ("", "")),
        ("network(x.org)", "x.org", 80, ("allow", "deny")),
        ("network(x.org)", "evilx.org", 80, ("", "")),
        ("network(*.x.org:443)", "a.b.x.org", 443, ("allow", "deny")),
        ("network(*.x.org:443)", "a.x.org", 444, ("", "")),
        ("network(*.x.org)", "x.org", 1, ("", "deny")),
        ("network(*)", "x.org", 1, ("allow", "deny")),
        ("network(*:22)", "x.org", 22, ("allow", "deny")),
        ("network(*:22)", "x.org", 222, ("", "")),
        ("network([::1]:80)", "[::1]", 80, ("allow", "deny")),
        ("fetch(domain:x.org)", "x.org", 443, ("", "deny")),
        ("fetch(domain:*.x.org)", "a.x.org", 443, ("", "deny")),
        ("fetch(*)", "x.org", 443, ("", "deny")),
    ],
)
def test_connections(rule: str, host: str, port: int, verdicts: tuple[str, str]) -> None:
    found = [said(book(make(rule)).network(host, port, ASKER)) for make in (allow, deny)]
    assert found == list(verdicts)


def test_a_rule_about_connections_says_nothing_of_pages() -> None:
    for make in (allow, deny):
        assert said(book(make("network(x.org)")).host("x.org", ASKER)) == ""
