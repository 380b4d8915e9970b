"""What the model is told is the same everywhere; of its mode it is told what the gate will do."""

import re

import pytest

from assent.agent.loop.prompt import mode_note, system_text
from assent.agent.models.conversation import Toolcard
from assent.agent.tools.registry import toolcards
from assent.gate.call.modes import MODES, NAMES, Mode, Reach
from assent.gate.call.verdicts import Verdict
from tables import each_row

SAYS = {
    Verdict.ALLOW: "may do unasked",
    Verdict.ASK: "is asked about first",
    Verdict.DENY: "is refused",
}


def names(cards: tuple[Toolcard, ...]) -> list[str]:
    """What the tools are called."""
    return [card.name for card in cards]


@pytest.mark.requirement("N-05", "N-03")
@each_row("mode", Mode)
def test_each_reach_is_told_with_what_the_mode_says_of_it(mode: Mode) -> None:
    told = mode_note(mode)
    assert told.startswith(f"[Mode: {NAMES[mode]}.")
    sentences = told.split(".")
    for reach, verdict in MODES[mode].items():
        if reach is not Reach.CHAT:
            (sentence,) = [it for it in sentences if reach.value in it]
            assert SAYS[verdict] in sentence


def test_in_plan_mode_alone_it_is_told_to_plan() -> None:
    assert [mode for mode in Mode if "plan, not to act" in mode_note(mode)] == [Mode.PLAN]


def test_each_tool_that_the_prompt_names_is_one_that_the_model_has() -> None:
    known = names(toolcards())
    told = system_text(tools=known)
    assert ", ".join(known) in told
    named = set(re.findall(r"\b[a-z]+_[a-z_]+\b", told))
    assert {"present_plan", "ask_person"} < named <= {*known}


def test_the_prompt_is_short() -> None:
    # About four letters are a token.
    assert len(system_text(tools=names(toolcards()))) < 4 * 800


def test_the_part_stays_as_it_was_called() -> None:
    assert "given to you: {part} {0}." in system_text(tools=["a"], part="{part} {0}")
