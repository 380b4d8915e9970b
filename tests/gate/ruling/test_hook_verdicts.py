"""What a hook's word can do to a ruling, and what it never can."""

import pytest
from attrs import evolve
from hypothesis import given

from assent.gate.call.calls import Call, Effect
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor, Verdict
from assent.gate.ruling.decide import decide
from assent.gate.ruling.hook_verdicts import SILENCE, HookWord, after_rewrite, under
from assent.gate.ruling.policy import Policy
from assent.gate.ruling.protected import protected_place
from gate.ruling.samples import calls, policies, policy, reading, running, using, writing
from tables import each_row

ALLOWS = HookWord(verdict=Verdict.ALLOW, because="The hook `yes` allows it.")
ASKS = HookWord(verdict=Verdict.ASK, because="The hook `hm` asks about it.")
DENIES = HookWord(verdict=Verdict.DENY, because="The hook `no` denies it.")


@pytest.mark.requirement("C-08")
@given(calls, policies)
def test_a_hooks_no_is_final(call: Call, wishes: Policy) -> None:
    assert decide(call, under(wishes, DENIES)).verdict is Verdict.DENY


@pytest.mark.requirement("C-08")
@given(calls, policies)
def test_a_hooks_question_tightens_and_nothing_else(call: Call, wishes: Policy) -> None:
    bare = decide(call, wishes).verdict
    assert decide(call, under(wishes, ASKS)).verdict is max(bare, Verdict.ASK)


@pytest.mark.requirement("C-08")
@given(calls, policies)
def test_a_hooks_yes_lifts_only_what_the_mode_asks(call: Call, wishes: Policy) -> None:
    bare, lifted = decide(call, wishes), decide(call, under(wishes, ALLOWS))
    if lifted.verdict is not bare.verdict:
        assert (bare.verdict, bare.by) == (Verdict.ASK, Actor.MODE)
        assert lifted.verdict is Verdict.ALLOW
        assert lifted.by is Actor.HOOK


@pytest.mark.requirement("C-08")
def test_a_hooks_yes_lets_through_what_the_mode_would_ask() -> None:
    assert decide(running("make test"), policy()).verdict is Verdict.ASK
    ruling = decide(running("make test"), under(policy(), ALLOWS))
    assert (ruling.verdict, ruling.by) == (Verdict.ALLOW, Actor.HOOK)


@pytest.mark.requirement("C-08")
@given(calls, policies)
def test_a_hooks_yes_lifts_nothing_that_is_asked_in_every_mode(call: Call, wishes: Policy) -> None:
    if call.unreadable is None and protected_place(call) is None:
        return
    assert decide(call, under(wishes, ALLOWS)).verdict is not Verdict.ALLOW


@pytest.mark.requirement("C-08")
def test_the_person_sees_which_hook_asked() -> None:
    ruling = decide(reading(), under(policy(), ASKS))
    assert (ruling.verdict, ruling.because, ruling.by) == (Verdict.ASK, ASKS.because, Actor.HOOK)


@pytest.mark.requirement("C-08")
def test_what_a_hook_made_of_a_call_is_heard_by_all_of_them_once_more() -> None:
    call = running("make -n")
    rewrote = HookWord(rewritten=call.input, because="The hook `a` changed it.")
    assert after_rewrite(rewrote, SILENCE, call) == SILENCE
    assert after_rewrite(rewrote, DENIES, call) == DENIES
    yes = HookWord(verdict=Verdict.ALLOW, rewritten=call.input)
    assert after_rewrite(yes, SILENCE, call) == SILENCE, (
        "a yes to what it was is none to what it is"
    )
    asked = HookWord(verdict=Verdict.ASK, because="Hm.", rewritten=call.input)
    assert after_rewrite(asked, ALLOWS, call).verdict is Verdict.ASK
    again = HookWord(rewritten={"command": "make -k"}, because="The hook `b` changed it.")
    assert after_rewrite(rewrote, again, call).verdict is Verdict.DENY
    same = HookWord(verdict=Verdict.ALLOW, rewritten=call.input)
    assert after_rewrite(rewrote, same, call).verdict is Verdict.ALLOW


@given(calls, policies)
def test_hooks_that_say_nothing_change_nothing(call: Call, wishes: Policy) -> None:
    assert decide(call, under(wishes, SILENCE)) == decide(call, wishes)


@given(calls, policies)
def test_what_its_host_is_wary_of_is_never_simply_allowed(call: Call, wishes: Policy) -> None:
    wary = evolve(call, caution="It makes this same call for the third time in a row.")
    assert decide(wary, wishes).verdict is max(decide(call, wishes).verdict, Verdict.ASK)


@each_row("mode", Mode)
def test_keeping_track_of_its_own_work_needs_no_card_in_any_mode(mode: Mode) -> None:
    call = evolve(using({"items": []}), effect=Effect.CHAT, tool="other", targets=())
    assert decide(call, policy(mode=mode)).verdict is Verdict.ALLOW


def test_an_edit_is_still_asked_about_in_default() -> None:
    assert decide(writing("a.txt", "b"), policy()).verdict is Verdict.ASK
