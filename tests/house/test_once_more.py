"""A test that fails beside others and passes alone does not fail a run; any other does."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "once_more.py"
FAILS_FIRST = """
from pathlib import Path

def test_fails_the_first_time():
    been = Path("been")
    is_first = not been.exists()
    been.touch()
    assert not is_first
"""
FAILS_AND_IS_SKIPPED = FAILS_FIRST.replace(
    "    assert not is_first", "    assert not is_first\n    __import__('pytest').skip('Not here.')"
)
FAILS = "def test_fails(): assert False\n"
PASSES = "def test_passes(): pass\n"
BROKEN = "import nothing_of_this_name\n"


@pytest.mark.parametrize(
    ("files", "status", "is_run_again"),
    [
        ([PASSES], 0, False),
        ([PASSES, FAILS_FIRST], 0, True),
        ([PASSES, FAILS], 1, True),
        ([FAILS_FIRST, FAILS], 1, True),
        ([PASSES, FAILS_AND_IS_SKIPPED], 1, True),
        ([FAILS, FAILS, FAILS, FAILS_FIRST], 1, False),
        ([PASSES, BROKEN], 1, True),
    ],
)
def test_what_fails_is_run_once_more(
    tmp_path: Path, files: list[str], status: int, *, is_run_again: bool
) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n", "ascii")
    for number, text in enumerate(files):
        (tmp_path / f"test_{number}.py").write_text(text, "ascii")
    words = [sys.executable, str(SCRIPT), "-q", "-n", "2", "-p", "xdist.plugin"]
    env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    ran = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == status, ran.stdout
    assert ("Once more, alone" in ran.stdout) == is_run_again
    is_told = "Look for a race in them:\n  test_1.py::test_fails_the_first_time\n" in ran.stdout
    assert is_told == (is_run_again and status == 0)
