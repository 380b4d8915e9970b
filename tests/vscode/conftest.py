"""Fixtures for tests in a real VS Code.

Each worker has its own editors, each test its own Chromium. Where VS Code or Chromium is missing
the tests are skipped with the sentence that says what to install. A test that fails leaves
pictures and logs in `.failures/`.
"""

import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path
from typing import Protocol, TypeVar

import pytest
from playwright.sync_api import Playwright

from host import AbsentError
from host.editor import Editor
from host.install import Host, find_host
from host.packages import find_chromium
from host.page import Browser, Window, open_browser
from host.ports import free_port
from host.profile import Setup
from host.sample import make_sample
from vscode.person import Person

_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parents[1]
_FAILURES = _ROOT / ".failures"
_FAILED = pytest.StashKey[bool]()
# VS Code starts slowly on a busy machine; other tests have far less time.
_TEST_WITHIN = 180

Found = TypeVar("Found")
StartEditor = Callable[[Setup], Editor]


class OpenWindow(Protocol):
    """Opens a window on a folder, in the shared editor unless another is named."""

    def __call__(self, folder: Path, editor: Editor = ...) -> Window: ...


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder, and give them time."""
    for item in items:
        if item.path.is_relative_to(_HERE):
            item.add_marker(pytest.mark.editor)
            item.add_marker(pytest.mark.timeout(_TEST_WITHIN))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let the fixtures know, when they are torn down, that their test failed."""
    report = yield
    item.stash[_FAILED] = item.stash.get(_FAILED, False) or report.failed
    return report


@pytest.fixture(scope="session")
def host() -> Host:
    """The installed VS Code."""
    return _or_skip(find_host)


@pytest.fixture(scope="session")
def chromium() -> Path:
    """The browser that shows it."""
    return _or_skip(find_chromium)


@pytest.fixture(scope="session")
def vsix() -> Path:
    """The packaged extension: the one in ASSENT_VSIX, or a fresh one."""
    chosen = os.environ.get("ASSENT_VSIX")
    return Path(chosen) if chosen else _make_vsix()


@pytest.fixture(scope="session")
def editor(host: Host, vsix: Path) -> Iterator[Editor]:
    """The editor that most tests share; it trusts every workspace."""
    with Editor(host, Setup(vsix=vsix)) as editor:
        yield editor


@pytest.fixture(scope="session")
def wary_editor(host: Host, vsix: Path) -> Iterator[Editor]:
    """An editor with workspace trust left on: a new folder opens in Restricted Mode."""
    with Editor(host, Setup(vsix=vsix, trust=True)) as editor:
        yield editor


@pytest.fixture(scope="session")
def own_port() -> int:
    """Where the editors that are of one test alone listen: browsers keep scripts by address."""
    return free_port()


@pytest.fixture
def start_editor(host: Host, own_port: int) -> Iterator[StartEditor]:
    """Start an editor of its own for one test, for other settings or another environment."""
    ports = chain([own_port], repeat(0))
    with ExitStack() as editors:
        yield lambda setup: editors.enter_context(Editor(host, replace(setup, port=next(ports))))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A folder with the sample project."""
    return make_sample(tmp_path / "till")


@pytest.fixture(scope="session")
def caches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the browsers of one worker need to fetch and compile only once."""
    return tmp_path_factory.mktemp("caches")


@pytest.fixture
def browser(playwright: Playwright, chromium: Path, caches: Path) -> Iterator[Browser]:
    """A Chromium of its own for each test."""
    with open_browser(playwright, chromium, caches) as browser:
        yield browser


@pytest.fixture
def window(
    browser: Browser, editor: Editor, request: pytest.FixtureRequest
) -> Iterator[OpenWindow]:
    """Open windows; those of a test that failed are pictured before they close."""
    used = []

    def open_window(folder: Path, editor: Editor = editor) -> Window:
        used.append(editor)
        return browser.open(editor, folder)

    yield open_window
    if request.node.stash.get(_FAILED, False):
        evidence = _evidence_folder(request.node.nodeid)
        browser.keep_evidence(evidence)
        for number, opened_in in enumerate(used, start=1):
            opened_in.keep_logs(evidence / f"editor-{number}")


def _or_skip(find: Callable[[], Found]) -> Found:
    try:
        return find()
    except AbsentError as absence:
        pytest.skip(str(absence))


def _make_vsix() -> Path:
    dist = _ROOT / "dist"
    dist.mkdir(exist_ok=True)
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", "")
    with (dist / ".vsix-made-for").open("a+") as made_for:
        fcntl.flock(made_for, fcntl.LOCK_EX)
        made_for.seek(0)
        # The workers of one run share one package; they would replace it under each other.
        if not run or made_for.read() != run:
            _make()
            made_for.truncate(0)
            made_for.write(run)
    return max(dist.glob("*.vsix"), key=lambda path: path.stat().st_mtime)


def _make() -> None:
    # A make that we run below would take the flags of one that we run in for its own.
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    # And it must not make the .venv anew, of another Python, that we run in.
    command = ["make", "vsix", f"PYTHON3={sys.executable}"]
    subprocess.run(command, cwd=_ROOT, env=environment, check=True)


def _evidence_folder(test: str) -> Path:
    _FAILURES.mkdir(exist_ok=True)
    (_FAILURES / ".gitignore").write_text("*\n")
    folder = _FAILURES / re.sub(r"[^\w.-]+", "-", test)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


@pytest.fixture
def enter(window: OpenWindow, editor: Editor) -> Callable[..., Person]:
    """Open a window on a folder and the view in it, and be the person in front of it."""

    def come(folder: Path, editor: Editor = editor) -> Person:
        person = Person(window=window(folder, editor), editor=editor)
        person.open_view()
        return person

    return come


@pytest.fixture
def person(enter: Callable[..., Person], workspace: Path) -> Person:
    """Somebody in front of the sample workspace."""
    return enter(workspace)
