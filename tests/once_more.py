"""Run pytest. If at most three tests fail, run these once more, alone.

On a busy machine, one test in some ten thousand waits longer than it may. So a test counts as
failed only if it also fails where nothing else runs. Tests that pass then are named at the end,
since they may have a race.
"""

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

_LAST_FAILED: Final = ".pytest_cache/v/cache/lastfailed"
_SKIPPED: Final = re.compile(r"\d+ skipped.* in [\d.]+s")
_MOST_RUN_AGAIN: Final = 3
"""If more tests fail, the cause is the change, and not the machine."""


def main(words: Sequence[str]) -> int:
    """Run pytest with these arguments; the exit status."""
    last_failed = Path(_LAST_FAILED)
    last_failed.unlink(missing_ok=True)
    status = _pytest(words)
    failed = sorted(json.loads(last_failed.read_text("utf-8"))) if last_failed.exists() else []
    # A run can also fail without a failed test.
    if status != pytest.ExitCode.TESTS_FAILED or not 0 < len(failed) <= _MOST_RUN_AGAIN:
        return status
    sys.stdout.write("\nOnce more, alone:\n")
    sys.stdout.flush()
    words = [sys.executable, "-m", "pytest", "-q", *failed]
    again = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False)
    sys.stdout.write(again.stdout)
    # A test that is skipped has not passed.
    if again.returncode != pytest.ExitCode.OK or _SKIPPED.search(again.stdout):
        return status
    sys.stdout.write("\nThese failed beside others and passed alone. Look for a race in them:\n")
    sys.stdout.writelines(f"  {name}\n" for name in failed)
    return 0


def _pytest(words: Sequence[str]) -> int:
    # Plugins leave things behind, so each run has a process of its own.
    return subprocess.run([sys.executable, "-m", "pytest", *words], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
