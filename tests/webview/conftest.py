"""Fixtures for tests of the built view in a real Chromium.

They are skipped, with the sentence that says what to do, where Chromium or the bundle is missing.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright

from host import AbsentError
from host.packages import find_chromium
from webview.stage import CLIENT, FILES, Stage


@pytest.fixture(scope="session")
def chromium() -> Path:
    """The browser that shows the view."""
    try:
        return find_chromium()
    except AbsentError as absence:
        pytest.skip(str(absence))


@pytest.fixture(scope="session")
def browser(playwright: Playwright, chromium: Path) -> Iterator[Browser]:
    started = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
    yield started
    started.close()


@pytest.fixture(scope="session")
def bundle() -> dict[str, bytes]:
    """The built view, as it was when the tests began."""
    if not all((CLIENT / "dist" / path.strip("/")).exists() for path in FILES):
        pytest.skip("The view is not built: `node build.mjs` in client-ts.")
    return {path: (CLIENT / "dist" / path.strip("/")).read_bytes() for path in FILES}


@pytest.fixture
def stage(
    browser: Browser, bundle: dict[str, bytes], request: pytest.FixtureRequest
) -> Iterator[Stage]:
    """A page of its own, 420 pixels wide unless the test is marked otherwise."""
    context = browser.new_context(viewport=getattr(request, "param", {"width": 420, "height": 900}))
    context.set_default_timeout(20_000)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield Stage(page, bundle)
    assert errors == []
    context.close()
