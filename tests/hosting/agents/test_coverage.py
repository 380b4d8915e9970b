"""How many tools pass the gate, counted from what was seen and from nothing else."""

import pytest

from assent.hosting.permission.coverage import Coverage

Told = list[tuple[str, int, int]]


@pytest.fixture
def told() -> Told:
    return []


def coverage(told: Told, *, is_hooked: bool) -> Coverage:
    return Coverage(
        tell=lambda it: told.append((it.gate, it.passed, it.tools)), is_hooked=is_hooked
    )


def test_nothing_is_counted_that_was_not_called(told: Told) -> None:
    one = coverage(told, is_hooked=True)
    assert (one.gate, one.passed, one.tools) == ("unverified", 0, 0)
    one.prove()
    assert told == [("verified", 0, 0)]


def test_a_tool_passes_as_long_as_each_of_its_calls_was_ruled_on(told: Told) -> None:
    one = coverage(told, is_hooked=True)
    one.prove()
    one.ruled("Read")
    one.ruled("Bash")
    one.ruled("Read")
    one.ran("Bash")
    one.ruled("Bash")
    assert told[1:] == [("verified", 1, 1), ("verified", 2, 2), ("advisory", 1, 2)]


def test_an_agent_without_a_hook_is_never_verified(told: Told) -> None:
    one = coverage(told, is_hooked=False)
    one.prove()
    one.ruled("Read")
    assert told == [("advisory", 1, 1)]


def test_an_agent_that_makes_up_tools_is_counted_up_to_a_bound(told: Told) -> None:
    one = coverage(told, is_hooked=False)
    for number in range(2_000):
        one.ruled(str(number))
    assert one.tools == 1_000


def test_what_ran_ungated_is_not_forgotten_however_many_tools_there_are(told: Told) -> None:
    one = coverage(told, is_hooked=True)
    one.prove()
    for number in range(2_000):
        one.ruled(str(number))
    assert one.gate == "verified"
    one.ran("another")
    assert (one.gate, one.tools - one.passed) == ("advisory", 1)
    one.ruled("one more")
    assert one.gate == "advisory"
