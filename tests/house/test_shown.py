"""A requirement counts as shown only where a test that marks it ran and passed."""

from types import SimpleNamespace
from typing import Any

import pytest

from requirements import REQUIREMENTS
from shown import PROPERTY, Shown

BUILT = [it.id for it in REQUIREMENTS if it.built]
DUE = [it.id for it in REQUIREMENTS if not it.built]


def report(name: str, *, when: str = "call", passed: bool = True, **more: Any) -> Any:
    properties = [(PROPERTY, name)]
    return SimpleNamespace(user_properties=properties, when=when, passed=passed, **more)


def test_a_test_that_passed_shows_what_it_marks() -> None:
    shown = Shown()
    shown.hear(report(BUILT[0]))
    assert shown.missing() == []
    assert shown.pending(BUILT[:2]) == [BUILT[1]]


@pytest.mark.parametrize(
    "told",
    [
        report(BUILT[0], when="setup"),
        report(BUILT[0], passed=False),
        report(BUILT[0], wasxfail="broken"),
    ],
    ids=["set up", "skipped", "expected to fail"],
)
def test_a_test_that_did_not_pass_shows_nothing(told: Any) -> None:
    shown = Shown()
    shown.hear(told)
    assert shown.missing() == [BUILT[0]]
    assert shown.pending(BUILT) == sorted(BUILT)


def test_of_two_tests_one_that_passed_is_enough_whatever_came_first() -> None:
    for order in ((True, False), (False, True)):
        shown = Shown()
        for passed in order:
            shown.hear(report(BUILT[0], passed=passed))
        assert shown.missing() == []


def test_what_is_declared_not_built_is_missed_by_nobody() -> None:
    shown = Shown()
    shown.hear(report(DUE[0], passed=False))
    assert shown.missing() == shown.pending(DUE) == []
