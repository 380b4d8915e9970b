"""What makes something run when nobody is asked any more is asked about before, in every mode."""

from pathlib import Path

import pytest

from assent.gate.call.verdicts import Verdict
from assent.gate.programs.deferred_execution import ORDERS
from assent.gate.programs.read_lines import read_script
from assent.gate.programs.study import study
from assent.gate.ruling.decide import decide
from gate.ruling.premises import Ground, build, policies, run
from tables import each_row

_KEEPING = [
    " ".join(f"{name} {it} {'--restart ' * (orders.options and order[0] != '-')}{order} x".split())
    for name, orders in ORDERS.items()
    for order in orders.only.split() or [""]
    for it in ([""] if order in orders.commands.split() else orders.commands.split() or [""])
]
_LOOKING = [f"{name} {word}" for name, it in ORDERS.items() for word in it.unless.split()]
_OTHERWISE = [f"{name} other x" for name, orders in ORDERS.items() if orders.only]


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    return build(tmp_path_factory.mktemp("later"))


@each_row("command", _KEEPING)
@each_row("spelled", ["{}", "/usr/bin/{}", "env X=1 {}", "sh -c '{}'", "true; {}"])
def test_nothing_lifts_the_question_whether_something_runs_later(
    ground: Ground, command: str, spelled: str
) -> None:
    call = run(ground, spelled.format(command))
    for name, policy in policies(ground):
        ruling = decide(call, policy, ground.places)
        assert ruling.verdict is not Verdict.ALLOW, name


@each_row("command", _LOOKING + _OTHERWISE)
def test_who_only_looks_at_what_runs_later_is_not_asked(command: str) -> None:
    assert not any(study(it).later for it in read_script(command, "bash").commands)


def test_the_card_says_that_it_runs_later(ground: Ground) -> None:
    loosest = dict(policies(ground))["auto rules bypass hook"]
    ruling = decide(run(ground, "make && at -f x.sh now"), loosest, ground.places)
    assert ruling.because == "What it sets up runs later, when nobody is asked."
    assert ruling.grave == "Makes something run later, without a question."
    assert not ruling.lasting


def test_a_word_that_is_not_known_sets_nothing_up_behind_another_command() -> None:
    lines = ("docker build -t a:$V .", "pre-commit run --files $(git diff)", "systemctl status $X")
    assert not any(study(read_script(it).commands[-1]).later for it in lines)


def test_an_order_that_only_running_would_tell_is_asked_about(ground: Ground) -> None:
    loosest = dict(policies(ground))["auto rules bypass hook"]
    for command in ('systemctl "$ORDER" x', "systemctl $(cat order) x"):
        ruling = decide(run(ground, command), loosest, ground.places)
        assert ruling.verdict is Verdict.ASK, command


def test_the_programs_are_named_once_and_by_their_names() -> None:
    assert all("/" not in name and Path(name).name == name for name in ORDERS)
