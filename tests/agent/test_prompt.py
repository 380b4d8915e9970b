"""What the model is told of its mode is what the gate will do."""

import pytest

from assent.agent.prompt import system_text
from assent.modes import MODES, NAMES, Mode, Reach
from assent.verdicts import Verdict

SAYS = {
    Verdict.ALLOW: "may do unasked",
    Verdict.ASK: "is asked about first",
    Verdict.DENY: "is refused",
}


@pytest.mark.requirement("N-05", "N-03")
@pytest.mark.parametrize("mode", Mode)
def test_each_reach_is_told_with_what_the_mode_says_of_it(mode: Mode) -> None:
    told = system_text(mode=mode, tools=["read_file", "run_command"], facts="Facts.")
    assert f"Mode: {NAMES[mode]}." in told
    assert "read_file, run_command" in told
    assert told.endswith("Facts.")
    sentences = told.split(".")
    for reach, verdict in MODES[mode].items():
        if reach is not Reach.CHAT:
            (sentence,) = [it for it in sentences if reach.value in it]
            assert SAYS[verdict] in sentence


def test_in_plan_mode_alone_it_is_told_to_plan() -> None:
    planning = [
        mode for mode in Mode if "plan, not to act" in system_text(mode=mode, tools=[], facts="")
    ]
    assert planning == [Mode.PLAN]


def test_what_stands_in_the_facts_stays_as_it_is() -> None:
    told = system_text(mode=Mode.ASK, tools=["a"], facts="{mode} {0} {}", part="{part}")
    assert "{mode} {0} {}" in told
    assert "given to you: {part}." in told
