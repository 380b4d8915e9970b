"""How the browser is started: the pinned package, and a browser of this machine.

Whether a server is this one is told by the program that it comes to, whatever it is called.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from assent.catalogue.nodes.source import NodeFailed
from assent.gate.disk.executables import Executables

__all__ = ["is_browser", "started"]

_PACKAGE: Final = "@playwright/mcp"
_VERSION: Final = "0.0.83"
_NAMES: Final = ("playwright-mcp", "mcp-server-playwright")
"""What its program is called where it is installed, which proves nothing."""
_SYSTEMS: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
)
_APPLICATIONS: Final = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
_CONTAINERS: Final = ("/.dockerenv", "/run/.containerenv")
_MAX_OUTPUT_BYTES: Final = 50_000_000
"""Of pictures and downloads more than that are deleted, the oldest first."""
_NO_PROGRAM: Final = (
    "{name} was not started: it takes `npx`, which comes with Node.js, or an installed"
    " `playwright-mcp`, and neither was found outside of this workspace."
)
_NO_BROWSER: Final = (
    "{name} was not started: no Chromium, Chrome or Edge was found outside of this workspace;"
    " install one."
)


def started(
    name: str, programs: Executables, output: Path, *, headed: bool
) -> tuple[str, tuple[str, ...]]:
    """The program and its words; raises `NodeFailed`. Nothing is run to tell that."""
    program, first = _program(name, programs)
    browser = next(filter(None, map(programs.find, _SYSTEMS)), None) or _application()
    if browser is None and not _has_own():
        raise NodeFailed(_NO_BROWSER.format(name=name))
    words = [*first, "--isolated", "--no-webmcp", "--output-dir", str(output)]
    # What its actions answer would lead to files that nobody is to read.
    words += [
        "--snapshot-mode",
        "none",
        "--codegen",
        "none",
        "--output-max-size",
        str(_MAX_OUTPUT_BYTES),
    ]
    words += [] if headed else ["--headless"]
    words += ["--executable-path", browser] if browser is not None else ["--browser", "chromium"]
    return program, (*words, *(["--no-sandbox"] if _has_no_sandbox() else []))


def is_browser(program: str, words: Sequence[str]) -> bool:
    """Whether a command comes to the package.

    >>> is_browser("/usr/bin/npx", ["-y", "@playwright/mcp@latest"])
    True
    >>> is_browser("/usr/bin/node", ["/a/node_modules/@playwright/mcp/cli.js"])
    True
    >>> is_browser("/usr/bin/npx", ["playwright", "test"])
    False
    >>> is_browser("/opt/bin/playwright-mcp", [])
    False
    """
    named = [program, *words]
    return any(
        word == _PACKAGE
        or word.startswith(f"{_PACKAGE}@")
        or f"/{_PACKAGE}/" in os.path.realpath(word)
        for word in named
        if word and "\0" not in word
    )


def _program(name: str, programs: Executables) -> tuple[str, list[str]]:
    for program_name in _NAMES:
        program = programs.find(program_name)
        if program is not None and f"/{_PACKAGE}/" in os.path.realpath(program):
            return program, []
    program = programs.find("npx")
    if program is None:
        raise NodeFailed(_NO_PROGRAM.format(name=name))
    return program, ["--yes", f"{_PACKAGE}@{_VERSION}"]


def _application() -> str | None:
    return next(
        (application for application in _APPLICATIONS if os.access(application, os.X_OK)), None
    )


def _has_own() -> bool:
    """Whether Playwright has fetched a browser of its own."""
    folder = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    places = [Path.home() / ".cache/ms-playwright", Path.home() / "Library/Caches/ms-playwright"]
    places += [Path(folder)] if folder.startswith("/") else []
    return any(next(place.glob("chromium-*"), None) is not None for place in places)


def _has_no_sandbox() -> bool:
    """Whether Chromium cannot close itself off here: as root, or in a container."""
    return os.geteuid() == 0 or any(map(os.path.exists, _CONTAINERS))
