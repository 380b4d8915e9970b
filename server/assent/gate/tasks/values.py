"""Reads a task file that is JSON, with comments or without."""

import json
from typing import Any

from assent.gate.settings.positions import value_of
from assent.gate.tasks.task_files import FileUnfit

__all__ = ["json_in"]


def json_in(text: str) -> Any:
    """Its value; raises `FileUnfit`."""
    try:
        return value_of(text)
    except (json.JSONDecodeError, ValueError, RecursionError) as error:
        raise FileUnfit(f"it is no JSON ({error}).") from error
