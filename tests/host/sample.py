"""A small Python project with one failing test, for an agent to work on."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

_FILES: Mapping[str, str] = {
    "README.md": """\
# Till

A till that adds up prices and takes off a discount. `python3 -m unittest` runs its tests; one of
them fails.
""",
    "till.py": """\
# Prices are in cents, the discount is in percent.


def total(prices: list[int], discount: int = 0) -> int:
    return sum(prices) - discount
""",
    "test_till.py": """\
import unittest

from till import total


class TotalTest(unittest.TestCase):
    def test_adds_up_the_prices(self) -> None:
        self.assertEqual(total([200, 350]), 550)

    def test_takes_off_the_discount_in_percent(self) -> None:
        self.assertEqual(total([200, 300], discount=10), 450)


if __name__ == "__main__":
    unittest.main()
""",
    ".gitignore": "__pycache__/\n",
}
_AUTHOR = {
    "GIT_AUTHOR_NAME": "Sample",
    "GIT_AUTHOR_EMAIL": "sample@example.invalid",
    "GIT_COMMITTER_NAME": "Sample",
    "GIT_COMMITTER_EMAIL": "sample@example.invalid",
    # The user's own git settings may ask for a signature, or run hooks.
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


def make_sample(folder: Path) -> Path:
    """Write the project into the folder, under git where git exists."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in _FILES.items():
        (folder / name).write_text(text)
    if shutil.which("git"):
        _git(folder, "init", "--quiet", "--initial-branch=main")
        _git(folder, "add", "--all")
        _git(folder, "commit", "--quiet", "--message=Begin")
    return folder


def _git(folder: Path, *arguments: str) -> None:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    command = ["git", *arguments]
    subprocess.run(command, cwd=folder, env={**environment, **_AUTHOR}, check=True)
