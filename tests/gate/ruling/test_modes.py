"""The table of modes and reaches, one line per case."""

from itertools import pairwise

import pytest
from attrs import evolve

from assent.gate.call.calls import Call, Effect
from assent.gate.call.modes import LOOSENESS, MODES, Mode, Reach, reach_of, stricter
from assent.gate.call.verdicts import Actor, Verdict
from assent.gate.ruling.decide import decide
from gate.ruling.samples import (
    connecting,
    policy,
    reading,
    running,
    searching,
    target,
    using,
    writing,
)
from tables import each_row

ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY

READ_IN = reading()
READ_OUT = reading("/etc/hosts")
WRITE_IN = writing()
WRITE_OUT = writing("/home/ada/notes.txt")
RUN = running()
USE = using()
REACH = connecting()
SEARCH = searching()
CHAT = evolve(using(), effect=Effect.CHAT)

CASES = [
    (Mode.PLAN, READ_IN, ALLOW),
    (Mode.PLAN, READ_OUT, ASK),
    (Mode.PLAN, WRITE_IN, DENY),
    (Mode.PLAN, WRITE_OUT, DENY),
    (Mode.PLAN, RUN, DENY),
    (Mode.PLAN, USE, DENY),
    (Mode.PLAN, REACH, DENY),
    (Mode.PLAN, SEARCH, ALLOW),
    (Mode.PLAN, CHAT, ALLOW),
    (Mode.ASK, READ_IN, ASK),
    (Mode.ASK, READ_OUT, ASK),
    (Mode.ASK, WRITE_IN, ASK),
    (Mode.ASK, WRITE_OUT, ASK),
    (Mode.ASK, RUN, ASK),
    (Mode.ASK, USE, ASK),
    (Mode.ASK, REACH, ASK),
    (Mode.ASK, SEARCH, ASK),
    (Mode.ASK, CHAT, ALLOW),
    (Mode.DEFAULT, READ_IN, ALLOW),
    (Mode.DEFAULT, READ_OUT, ASK),
    (Mode.DEFAULT, WRITE_IN, ASK),
    (Mode.DEFAULT, WRITE_OUT, ASK),
    (Mode.DEFAULT, RUN, ASK),
    (Mode.DEFAULT, USE, ASK),
    (Mode.DEFAULT, REACH, ASK),
    (Mode.DEFAULT, SEARCH, ALLOW),
    (Mode.DEFAULT, CHAT, ALLOW),
    (Mode.ACCEPT_EDITS, READ_IN, ALLOW),
    (Mode.ACCEPT_EDITS, READ_OUT, ASK),
    (Mode.ACCEPT_EDITS, WRITE_IN, ALLOW),
    (Mode.ACCEPT_EDITS, WRITE_OUT, ASK),
    (Mode.ACCEPT_EDITS, RUN, ASK),
    (Mode.ACCEPT_EDITS, USE, ASK),
    (Mode.ACCEPT_EDITS, REACH, ASK),
    (Mode.ACCEPT_EDITS, SEARCH, ALLOW),
    (Mode.ACCEPT_EDITS, CHAT, ALLOW),
    (Mode.AUTO, READ_IN, ALLOW),
    (Mode.AUTO, READ_OUT, ALLOW),
    (Mode.AUTO, WRITE_IN, ALLOW),
    (Mode.AUTO, WRITE_OUT, ALLOW),
    (Mode.AUTO, RUN, ALLOW),
    (Mode.AUTO, USE, ALLOW),
    (Mode.AUTO, REACH, ASK),
    (Mode.AUTO, SEARCH, ALLOW),
    (Mode.AUTO, CHAT, ALLOW),
]


@pytest.mark.requirement("T-03", "N-02")
@each_row(("mode", "call", "verdict"), CASES, ids=lambda it: getattr(it, "tool", str(it)))
def test_the_mode_rules_on_what_no_rule_covers(mode: Mode, call: Call, verdict: Verdict) -> None:
    ruling = decide(call, policy(mode))
    assert ruling.verdict is verdict
    assert ruling.by is Actor.MODE
    assert ruling.because.endswith(".")


def test_the_cases_cover_the_table() -> None:
    covered = {(mode, reach_of(call)) for mode, call, _ in CASES}
    assert covered == {(mode, reach) for mode in Mode for reach in Reach}
    assert len(covered) == len(CASES)
    assert all(set(row) == set(Reach) for row in MODES.values())


@pytest.mark.requirement("N-03")
@each_row("mode", Mode)
def test_a_mode_knows_no_tools_but_only_how_they_touch_the_world(mode: Mode) -> None:
    for call in (READ_IN, WRITE_OUT, RUN, USE):
        renamed = evolve(call, tool="a tool that nobody has heard of")
        assert decide(renamed, policy(mode)).verdict is decide(call, policy(mode)).verdict


def test_one_target_outside_makes_the_whole_call_reach_outside() -> None:
    both = writing(targets=(target("a.txt"), target("/tmp/b.txt")))
    assert reach_of(both) is Reach.WRITE_OUTSIDE


def test_a_file_call_without_a_known_target_reaches_outside() -> None:
    assert reach_of(writing(targets=())) is Reach.WRITE_OUTSIDE


def test_a_stricter_mode_never_allows_what_a_looser_one_asks() -> None:
    # Plan is the exception that asks where Default asks and denies the rest.
    for stricter_mode, looser in pairwise(LOOSENESS[1:]):
        for reach in Reach:
            assert MODES[stricter_mode][reach] >= MODES[looser][reach]
    for reach in Reach:
        assert MODES[Mode.PLAN][reach] >= MODES[Mode.DEFAULT][reach]


def test_the_stricter_of_two_modes_does_not_depend_on_their_order() -> None:
    for one in Mode:
        for other in Mode:
            assert stricter(one, other) is stricter(other, one)
    assert stricter(Mode.AUTO, Mode.DEFAULT) is Mode.DEFAULT


def test_what_a_person_agreed_to_passes_where_neither_a_mode_nor_every_mode_is_against_it() -> None:
    agreed = evolve(writing(), agreed=True)
    hook = evolve(writing(targets=(target(".git/hooks/pre-commit"),)), agreed=True)
    said = decide(agreed, policy(Mode.DEFAULT))
    assert (said.verdict, said.by) == (ALLOW, Actor.RULE)
    assert decide(agreed, policy(Mode.ASK)).verdict is ALLOW
    assert decide(agreed, policy(Mode.PLAN)).verdict is DENY
    assert decide(hook, policy(Mode.AUTO)).verdict is ASK


@pytest.mark.requirement("T-15")
@each_row("mode", [it for it in Mode if it is not Mode.AUTO])
@each_row(
    "call",
    [
        reading("/etc/hosts"),
        writing(targets=(target("/tmp/b.txt"),)),
        running("cat /etc/hosts"),
        running("echo x > /tmp/b.txt"),
    ],
    ids=["read", "write", "cat", "redirect"],
)
def test_whatever_leaves_the_workspace_is_asked_about_or_refused_but_in_auto(
    mode: Mode, call: Call
) -> None:
    assert decide(call, policy(mode)).verdict > Verdict.ALLOW
