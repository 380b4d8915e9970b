"""Chooses the journal if the command names none, and reports wrong options."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from assent.gate.journal.quarantine import set_aside_beside
from assent.gate.settings.paths import journal_file, state_path

__all__ = ["add_journal", "journals_of"]


def add_journal(parser: argparse.ArgumentParser) -> None:
    """Let a journal be named, where it is another than this person's."""
    parser.add_argument(
        "journal", nargs="?", type=Path, help="a file `journal.db` that is not your own"
    )
    parser.add_argument(
        "--all", action="store_true", help="the journals that were set aside as well"
    )


def journals_of(options: argparse.Namespace) -> Iterator[Path]:
    """The journals that are meant, the newest first."""
    path: Path = options.journal or journal_file(state_path())
    yield path
    if options.all:
        yield from set_aside_beside(path)
