"""The golden messages: examples of every method, read by the tests of both languages."""

import json
from pathlib import Path
from typing import Any

__all__ = ["FOLDER", "examples", "path_of"]

FOLDER = Path(__file__).resolve().parents[1] / "golden"


def path_of(method: str) -> Path:
    """The file with the examples of a method."""
    return FOLDER / f"{method.replace('/', '_')}.json"


def examples(method: str) -> list[dict[str, Any]]:
    """The examples of a method, each with a name, params, and for a request a result."""
    found: list[dict[str, Any]] = json.loads(path_of(method).read_text("utf-8"))["examples"]
    return found
