"""Run pytest; a few tests that fail beside thousands of others are run once more, alone.

A busy machine makes one test in some ten thousand wait longer than it may, and then not one change
would ever land. So what counts is whether a test fails where nothing else runs. Those that pass
then are named at the end: such a test may have a race of its own, and is to be mended.
"""

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

_FAILED: Final = ".pytest_cache/v/cache/lastfailed"
_SKIPPED: Final = re.compile(r"\d+ skipped.* in [\d.]+s")
_FEW: Final = 3
"""Where more than so many fail, the change is to blame, and not the machine."""


def main(words: Sequence[str]) -> int:
    """Run the tests of this folder that are named as pytest wants it; the exit status."""
    kept = Path(_FAILED)
    kept.unlink(missing_ok=True)
    status = _pytest(words)
    failed = sorted(json.loads(kept.read_text("utf-8"))) if kept.exists() else []
    # A run can also fail with no test in it that has.
    if status != pytest.ExitCode.TESTS_FAILED or not 0 < len(failed) <= _FEW:
        return status
    sys.stdout.write("\nOnce more, alone:\n")
    sys.stdout.flush()
    words = [sys.executable, "-m", "pytest", "-q", *failed]
    again = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False)
    sys.stdout.write(again.stdout)
    # One that is skipped then has not passed.
    if again.returncode != pytest.ExitCode.OK or _SKIPPED.search(again.stdout):
        return status
    sys.stdout.write("\nThese failed beside others and passed alone. Look for a race in them:\n")
    sys.stdout.writelines(f"  {name}\n" for name in failed)
    return 0


def _pytest(words: Sequence[str]) -> int:
    # In a process of its own each, since plugins leave things behind.
    return subprocess.run([sys.executable, "-m", "pytest", *words], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
