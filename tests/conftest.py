"""What holds for every test: its marks mean something, and where all must run none is skipped."""

import os
from collections.abc import Generator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

import assent
from requirements import BY_ID

pytest_plugins = ["eliza.fixtures"]

# No test measures the wall clock, also not the library that makes up its examples.
settings.register_profile("assent", deadline=None)
settings.load_profile("assent")

NO_SKIPS: Final = "ASSENT_NO_SKIPS"
"""Set where a test in an editor or a browser fails that would else be skipped."""


_PACKAGE: Final = Path(__file__).resolve().parents[1] / "server" / "assent"


def pytest_configure(config: pytest.Config) -> None:
    """Refuse to test another package than the one beside; tell of the mark known here alone."""
    if Path(assent.__file__).resolve().parent != _PACKAGE:
        raise pytest.UsageError(
            f"{assent.__file__} would be tested, and not {_PACKAGE}: run `make install` here."
        )
    config.addinivalue_line(
        "markers", "may_be_skipped: needs what even a machine that has everything may refuse"
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse to run with a mark that means nothing."""
    for item in items:
        for mark in item.iter_markers("requirement"):
            unknown = [name for name in mark.args if name not in BY_ID]
            if unknown or not mark.args:
                told = ", ".join(map(str, unknown)) or "nothing"
                raise pytest.UsageError(f"{item.nodeid} marks {told}, which is no requirement")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where nothing may be skipped, a skip in an editor or a browser is a failure."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and _must_run(item):
        report.outcome = "failed"
        report.longrepr = f"This must not be skipped here ({NO_SKIPS} is set): {report.longrepr}"
    return report


def _must_run(item: pytest.Item) -> bool:
    marks = {mark.name for mark in item.iter_markers()}
    return bool(
        os.environ.get(NO_SKIPS) and marks & {"editor", "browser"} and "may_be_skipped" not in marks
    )
