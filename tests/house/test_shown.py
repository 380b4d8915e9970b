"""A requirement counts as shown where a test that marks it ran; one that fails tells itself."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from requirements import REQUIREMENTS
from shown import FIRST_IS_MISSING, PENDING, PROPERTY, Shown
from tables import each_row

BUILT = [it.id for it in REQUIREMENTS if it.built]
DUE = [it.id for it in REQUIREMENTS if not it.built]


def report(name: str, *, when: str = "call", skipped: bool = False, **more: Any) -> Any:
    properties = [(PROPERTY, name)]
    return SimpleNamespace(user_properties=properties, when=when, skipped=skipped, **more)


def test_a_test_that_ran_shows_what_it_marks() -> None:
    shown = Shown()
    shown.hear(report(BUILT[0]))
    assert shown.missing() == []
    assert shown.pending(BUILT[:2]) == [BUILT[1]]


@each_row(
    "told",
    [
        report(BUILT[0], when="setup"),
        report(BUILT[0], skipped=True),
        report(BUILT[0], wasxfail="broken"),
    ],
    ids=["set up", "skipped", "expected to fail"],
)
def test_a_test_that_did_not_run_shows_nothing(told: Any) -> None:
    shown = Shown()
    shown.hear(told)
    assert shown.missing() == [BUILT[0]]
    assert shown.pending(BUILT) == sorted(BUILT)


def test_of_two_tests_one_that_ran_is_enough_whatever_came_first() -> None:
    for order in ((True, False), (False, True)):
        shown = Shown()
        for skipped in order:
            shown.hear(report(BUILT[0], skipped=skipped))
        assert shown.missing() == []


def test_what_is_declared_not_built_is_missed_by_nobody() -> None:
    shown = Shown()
    shown.hear(report(DUE[0], skipped=True))
    assert shown.missing() == shown.pending(DUE) == []


def the_rest(cache: Path) -> subprocess.CompletedProcess[str]:
    """What is said to one test that runs as the second half of all."""
    one = f"{__file__}::{test_what_is_declared_not_built_is_missed_by_nobody.__name__}"
    words = ["-q", "-n", "0", "--whole", "rest", "-o", f"cache_dir={cache}", one]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_second_half_fails_where_no_first_half_came_before_and_says_so(
    tmp_path: Path,
) -> None:
    done = the_rest(tmp_path)
    # Not as where a test failed: none that is run once more makes it good.
    assert (done.returncode, FIRST_IS_MISSING in done.stderr) == (4, True), done.stdout


def test_what_a_first_half_left_is_used_once(tmp_path: Path) -> None:
    left = tmp_path / "v" / PENDING
    left.parent.mkdir(parents=True)
    left.write_text(json.dumps(BUILT[:1]))
    assert BUILT[0] in the_rest(tmp_path).stderr
    left.write_text("[]")
    assert the_rest(tmp_path).returncode == 0
    assert FIRST_IS_MISSING in the_rest(tmp_path).stderr
