"""The journal's file in the hands of somebody else."""

import sqlite3
from pathlib import Path


def tamper(path: Path, *statements: str) -> None:
    """Run statements past the journal; all of them, or none."""
    database = sqlite3.connect(path)
    with database:
        for statement in statements:
            database.execute(statement)
    database.close()
