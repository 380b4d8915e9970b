"""No rule that is offered lets code pass that nobody has seen, as real programs run it."""

import os

import pytest

from assent.gate.rules import command_texts, suggest
from assent.gate.ruling import required_permissions
from fuzz.bwrapped import why_not
from fuzz.drafts import Probe, drafts_missed, languages_of, misses_of_drafts
from fuzz.seeds import SEEDS

PIPED = "printf '%s\\n' {code} | {line}"

RUN_CODE = (
    Probe(line="python3", feed=PIPED, codes=("import os; os.system('@')", "nothing of this")),
    Probe(line="perl -", feed=PIPED, codes=('system("@");', "nothing of this")),
    Probe(line="xargs env", feed=PIPED, codes=("@", "true @")),
    Probe(line="make -f-", feed=PIPED, codes=("all:\n\t@", "nothing of this")),
)
"""Programs that are everywhere, with code of theirs, and with what runs nothing of it."""


@pytest.fixture(autouse=True)
def _sandbox() -> None:
    """Commands are run only where they can hurt nothing."""
    because = why_not()
    if because and os.environ.get("ASSENT_NO_SKIPS"):
        pytest.fail(f"This must not be skipped here: {because}")
    if because:
        pytest.skip(because)


def test_it_is_seen_which_code_a_program_ran() -> None:
    assert languages_of(RUN_CODE) == [[it.codes[0]] for it in RUN_CODE]


def test_no_rule_for_what_runs_its_input_lets_other_code_pass() -> None:
    assert not list(drafts_missed(RUN_CODE))


@SEEDS
def test_no_rule_that_is_offered_outgrows_the_input(seed: int) -> None:
    assert not list(misses_of_drafts(12, seed)), f"seed {seed}"


def test_a_gate_without_an_eye_for_inputs_would_be_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (required_permissions, command_texts, suggest):
        monkeypatch.setattr(module, "takes_code", lambda _: False)
    missed = {text.rpartition("| ")[2] for text, _ in drafts_missed(RUN_CODE)}
    assert missed >= {"python3", "perl -"}
