"""Finds the password of a database in `.pgpass`, the file of PostgreSQL's own programs."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from assent.gate.settings.database import Database
from assent.gate.settings.private_files import UnfitFile, read_private

__all__ = ["password_in"]

_FIELDS: Final = 5
_FIELD: Final = re.compile(r"((?:\\.|[^:\\])*)(?::|$)")


def password_in(database: Database, environment: Mapping[str, str] = os.environ) -> str:
    """What stands there for a database; nothing where it says none, or others may read it."""
    path = Path(environment.get("PGPASSFILE") or Path.home() / ".pgpass")
    try:
        data = read_private(path) or b""
    except UnfitFile:
        return ""
    host = "localhost" if database.host.startswith("/") else database.host
    wanted = (host, str(database.port), database.name, database.user)
    for *about, password in _lines(data.decode("utf-8", "replace")):
        if all(field in {"*", mine} for field, mine in zip(about, wanted, strict=True)):
            return password
    return ""


def _lines(text: str) -> Iterator[list[str]]:
    for line in text.splitlines():
        fields = [re.sub(r"\\(.)", r"\1", field) for field in _FIELD.findall(line)][:_FIELDS]
        if len(fields) == _FIELDS and not line.startswith("#"):
            yield fields
