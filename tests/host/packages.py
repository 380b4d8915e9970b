"""Programs of the operating system: found, or installed where that can be done unasked.

Only root on a machine with apt-get installs anything; everybody else is told what to install.
"""

import os
import shutil
import subprocess
from pathlib import Path

from . import AbsentError
from .progress import step

# Chromium without the parts of a desktop takes half the time of a processor.
_LEAN = "chromium-headless-shell"
_WITH_DESKTOP = (
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "microsoft-edge-stable",
    "microsoft-edge",
)
_ELSEWHERE = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
_NO_CHROMIUM = (
    "Tests in a browser or in a real editor need Chromium, Chrome or Edge: install one"
    " (on Debian: apt-get install chromium), or name it in ASSENT_CHROMIUM."
)
_APT = ("apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120")


def find_chromium() -> Path:
    """The browser to drive: the one in ASSENT_CHROMIUM, or the first of the usual names."""
    chosen = os.environ.get("ASSENT_CHROMIUM")
    candidates = (chosen,) if chosen else (_LEAN, *_WITH_DESKTOP, *_ELSEWHERE)
    for candidate in candidates:
        found = shutil.which(candidate)
        if found:
            return Path(found)
    raise AbsentError(_NO_CHROMIUM)


def ensure_chromium() -> Path:
    """The browser to drive, installed first if this machine has none and lets us.

    Programs that the tests start look for a browser with a desktop, so that is installed, too.
    """
    if not os.environ.get("ASSENT_CHROMIUM"):
        if not any(map(shutil.which, (*_WITH_DESKTOP, *_ELSEWHERE))):
            install("chromium", "fonts-dejavu-core", purpose="the browser that the tests drive")
        if not shutil.which(_LEAN):
            install(_LEAN, purpose="a browser that the tests drive faster")
    return find_chromium()


def can_install() -> bool:
    """Whether packages can be installed here without asking anybody."""
    return os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get") is not None


def install(*packages: str, purpose: str) -> None:
    """Install packages of the distribution; where that is impossible, leave things as they are."""
    if not can_install():
        return
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    wanted = (*_APT, "install", "-y", "--no-install-recommends", *packages)
    with step(f"Installing {' and '.join(packages)} ({purpose})"):
        if _quietly(wanted, environment):
            return
        # The lists of a fresh container are empty, those of an old one name packages long gone.
        _quietly((*_APT, "update"), environment)
        _quietly(wanted, environment)


def _quietly(command: tuple[str, ...], environment: dict[str, str]) -> bool:
    done = subprocess.run(command, env=environment, check=False, capture_output=True)
    return done.returncode == 0
