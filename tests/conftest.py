"""What holds for every test: a mark of a requirement names one that exists."""

import pytest

from requirements import BY_ID


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse to run with a mark that means nothing."""
    for item in items:
        for mark in item.iter_markers("requirement"):
            unknown = [name for name in mark.args if name not in BY_ID]
            if unknown or not mark.args:
                told = ", ".join(map(str, unknown)) or "nothing"
                raise pytest.UsageError(f"{item.nodeid} marks {told}, which is no requirement")
