"""What holds for every test: its marks mean something, and where all must run none is skipped."""

import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import settings

# What writes over a frozen value fails in tests; servers that they start run as they are shipped.
os.environ["ASSENT_FROZEN"] = "1"
import assent.gate.values

del os.environ["ASSENT_FROZEN"]

# Before `assent.catalogue.mcp.sdk`, which puts something else in the place of one of its libraries.
import acp  # noqa: F401

from editor.wire.forked import close_nurseries
from few_of_many import left_out
from requirements import BY_ID, REQUIREMENTS
from shown import FIRST_IS_MISSING, PENDING, PROPERTY, Shown

pytest_plugins = ["hosting.eliza.fixtures", "catalogue.documents.teamplace"]

# No test measures the wall clock, also not the library that makes up its examples.
# A change is held against the same examples each time; new ones are tried at a desk.
settings.register_profile("assent", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("assent")

NO_SKIPS: Final = "ASSENT_NO_SKIPS"
"""Set where a test with an editor, a browser or a real agent fails that would else be skipped."""


if TYPE_CHECKING:
    from playwright.sync_api import Playwright

_SLOW: Final = {"editor", "browser"}
_WHERE_SLOW: Final = tuple(Path(__file__).with_name(name) for name in ("vscode", "webview"))
"""The folders alone that `make test` collects when it looks for those."""
_SHOWN: Final = pytest.StashKey[Shown]()
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


def pytest_addoption(parser: pytest.Parser) -> None:
    """Tell whole runs from those of a few tests."""
    parser.addoption(
        "--whole",
        choices=["first", "rest"],
        help="this run is the first half of all tests, or the rest in an editor and a browser:"
        " each requirement that is built must be shown by a test that ran",
    )


def pytest_sessionstart(session: pytest.Session) -> None:
    """Begin to note what is shown."""
    session.config.stash[_SHOWN] = Shown()
    session.config.pluginmanager.register(_Hearing(session.config.stash[_SHOWN]))


@pytest.fixture(scope="session")
def playwright() -> "Iterator[Playwright]":
    """What drives browsers; while it is there no event loop can be run in its thread."""
    # Most tests need no browser, and it takes long to load.
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    with sync_playwright() as playwright:
        yield playwright


class _Hearing:
    """Hears of each test, in whatever process it ran."""

    def __init__(self, shown: Shown) -> None:
        self._shown = shown

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """One step of one test is over."""
        self._shown.hear(report)


def pytest_unconfigure() -> None:
    """End what servers of tests were forked from."""
    close_nurseries()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a whole run that has not shown what is built."""
    config = session.config
    half = config.getoption("--whole")
    if half is None or config.cache is None or hasattr(config, "workerinput"):
        return
    problem = _problem(config.stash[_SHOWN], config.cache, is_first=half == "first")
    if session.exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        return
    if problem is not None:
        sys.stderr.write(f"\n{problem}\n")
        # No test that is run once more makes that good.
        session.exitstatus = pytest.ExitCode.USAGE_ERROR
    elif half == "rest" and session.exitstatus == pytest.ExitCode.OK:
        config.cache.set(PENDING, None)


def _problem(shown: Shown, cache: pytest.Cache, *, is_first: bool) -> str | None:
    """What a whole run has not shown; what is left is kept for the next."""
    before = [it.id for it in REQUIREMENTS] if is_first else cache.get(PENDING, None)
    if before is None:
        return FIRST_IS_MISSING
    left = shown.pending(before)
    cache.set(PENDING, left)
    unshown = shown.missing() if is_first else left
    return f"No test that ran shows {', '.join(unshown)}." if unshown else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse to run with a mark that means nothing; let each test carry what it shows."""
    _mark_most_of_many(items)
    for item in items:
        is_slow = any(mark.name in _SLOW for mark in item.iter_markers())
        if is_slow and not any(map(item.path.is_relative_to, _WHERE_SLOW)):
            raise pytest.UsageError(f"{item.nodeid} lies where `make test` does not look for it")
        for mark in item.iter_markers("requirement"):
            item.user_properties.extend((PROPERTY, name) for name in mark.args)
            unknown = [name for name in mark.args if name not in BY_ID]
            if unknown or not mark.args:
                told = ", ".join(map(str, unknown)) or "nothing"
                raise pytest.UsageError(f"{item.nodeid} marks {told}, which is no requirement")


def _mark_most_of_many(items: list[pytest.Item]) -> None:
    """Of a test that runs many times, let only every fourth run where long tests do not."""
    short = {item.nodeid: item for item in items if item.get_closest_marker("long") is None}
    for name in left_out(short):
        short[name].add_marker("long")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where nothing may be skipped, a skip of what needs a real program is a failure."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and _must_run(item):
        report.outcome = "failed"
        report.longrepr = f"This must not be skipped here ({NO_SKIPS} is set): {report.longrepr}"
    return report


def _must_run(item: pytest.Item) -> bool:
    marks = {mark.name for mark in item.iter_markers()}
    wanted = marks & {"editor", "browser", "agents"}
    return bool(os.environ.get(NO_SKIPS) and wanted and "may_be_skipped" not in marks)
