"""Where a team keeps its indexes is read strictly, and no password is taken from settings."""

import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from assent.catalogue.documents.pgpass import password_in
from assent.catalogue.documents.team_server import connected
from assent.gate.call.errors import AssentError
from assent.gate.settings.database import Database
from assent.gate.settings.reading import read
from tables import each_row

requirement = pytest.mark.requirement


def said(value: object, layer: str = "user") -> Any:
    return read({"collectionsUrl": {layer: value}}, trusted=True, standing=lambda _: None)


def test_an_address_says_who_speaks_with_which_database() -> None:
    found = said("postgresql://me%20too:${secret:TEAM}@db.example.org:6000/docs").own.database
    assert (found.host, found.port, found.name) == ("db.example.org", 6000, "docs")
    assert (found.user, found.secret) == ("me too", "TEAM")
    assert found.place == "postgresql://me too@db.example.org:6000/docs"
    assert not found.is_here
    assert found.address == "https://db.example.org/"
    near = said("postgres://me@/docs?host=/run/postgresql").own.database
    assert (near.host, near.is_here, near.address) == (
        "/run/postgresql",
        True,
        "https://localhost/",
    )


@each_row(
    "value",
    [
        "postgresql://me:hunter2@db.example.org/docs",
        "postgresql://me:x${secret:A}@db.example.org/docs",
        "postgresql://${secret:A}@db.example.org/docs",
        "postgresql://me@db.example.org/docs?password=hunter2",
        "postgresql://me@db.example.org/docs?sslmode=disable",
        "postgresql://me@db.example.org/docs?host=/tmp",
        "postgresql://me@/docs?host=relative",
        "postgresql://me@db.example.org/",
        "postgresql://db.example.org/docs",
        "postgresql://me@db.example.org:99999/docs",
        "https://me@db.example.org/docs",
        "postgresql://me@db\u202e.example.org/docs",
        7,
    ],
)
def test_what_is_no_address_or_has_a_password_in_it_counts_for_nothing(value: object) -> None:
    found = said(value)
    assert found.own.database is None
    (problem,) = found.problems
    assert "stay on this machine" in problem
    assert "hunter2" not in problem


@requirement("N-09")
def test_a_workspace_names_no_database() -> None:
    assert said("postgresql://me@db.example.org/docs", "workspace").own.database is None


def test_a_password_stands_in_the_file_that_nobody_else_may_read(tmp_path: Path) -> None:
    path = tmp_path / "pass"
    path.write_text(
        "# db.example.org:5432:docs:me:old\n"
        "other.example.org:*:*:*:no\n"
        r"db.example.org:5432:*:me:a\:b\\c"
        "\n*:*:*:*:any\n"
    )
    path.chmod(0o600)
    named = {"PGPASSFILE": str(path)}
    database = Database(host="db.example.org", name="docs", user="me")
    assert password_in(database, named) == r"a:b\c"
    assert password_in(Database(host="x.example.org", name="docs", user="me"), named) == "any"
    path.chmod(0o644)
    assert password_in(database, named) == ""


@requirement("N-09")
def test_a_database_elsewhere_that_speaks_no_tls_is_told_nothing() -> None:
    heard: list[bytes] = []

    def refuse(listener: socket.socket) -> None:
        spoken, _ = listener.accept()
        with spoken:
            heard.append(spoken.recv(100))
            spoken.sendall(b"N")
            heard.append(spoken.recv(1_000))

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=refuse, args=(listener,))
        thread.start()
        about = {"host": "127.0.0.1", "port": listener.getsockname()[1], "here": False}
        with pytest.raises(AssentError, match="could not be reached"):
            connected({**about, "name": "docs", "user": "me", "password": "hunter2"})
        thread.join(10)
    # It was asked for TLS, and nothing was said after it refused.
    assert (len(heard[0]), heard[1]) == (8, b"")
