"""What Eliza can do once it is allowed: read, write, run, fetch.

Each gives back whether it went well and what there is to show. A command has a process group of
its own, which is ended as a whole.
"""

import contextlib
import os
import signal
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

__all__ = ["Done", "Processes", "fetch", "read", "text_of", "write"]

Done = tuple[bool, str]
"""Whether it went well, and what there is to show."""

_MAX_OUTPUT_LETTERS = 64 * 1024
_FETCH_SECONDS = 20


class Processes:
    """The commands that run now; after `end_all` none is started any more."""

    def __init__(self) -> None:
        # Reentrant, since the signal that ends us may find its own thread in here.
        self._lock = threading.RLock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._closed = False

    def run(self, command: str, cwd: str, show: Callable[[str], None]) -> Done:
        """Run a command to its end, and show all its output so far with each new line."""
        try:
            process = self._start(command, cwd)
        except OSError as error:
            return False, f"It could not be started: {error.strerror}."
        if process is None:
            return False, "It was stopped before it began."
        output = ""
        assert process.stdout is not None  # noqa: S101 -- it was started with a pipe
        with process, process.stdout:
            for line in process.stdout:
                if len(output) < _MAX_OUTPUT_LETTERS:
                    output = (output + line.decode("utf-8", "replace"))[:_MAX_OUTPUT_LETTERS]
                    show(output)
            code = process.wait()
        with self._lock:
            self._running.discard(process)
        return code == 0, output if code == 0 else f"{output}[exit code {code}]\n"

    def piped(
        self, words: list[str], cwd: str, more: dict[str, str]
    ) -> "subprocess.Popen[bytes] | None":
        """A program that is spoken with; None after a stop."""
        import subprocess  # noqa: PLC0415 -- slow to load, and only where something is run

        env = {**_environment(), **more}
        return self._open(words, cwd, env, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def end_one(self, process: "subprocess.Popen[bytes]") -> None:
        """End a program with all that it started."""
        with self._lock:
            self._running.discard(process)
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def end_all(self) -> None:
        """End every command with all that it started."""
        with self._lock:
            self._closed = True
            for process in self._running:
                with contextlib.suppress(OSError):
                    os.killpg(process.pid, signal.SIGKILL)

    def reopen(self) -> None:
        """Commands may be started again."""
        with self._lock:
            self._closed = False

    def _start(self, command: str, cwd: str) -> "subprocess.Popen[bytes] | None":
        import shutil  # noqa: PLC0415 -- slow to load, and only where something is run
        import subprocess  # noqa: PLC0415 -- as above

        shell = shutil.which("bash") or "/bin/sh"
        words = [shell, "-c", command]
        return self._open(
            words, cwd, _environment(), stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT
        )

    def _open(
        self, words: list[str], cwd: str, env: dict[str, str], *, stdin: int, stderr: int
    ) -> "subprocess.Popen[bytes] | None":
        import subprocess  # noqa: PLC0415 -- as above

        # Under the lock, so that what is started after a stop is not missed by it.
        with self._lock:
            if self._closed:
                return None
            process = subprocess.Popen(
                words,
                cwd=cwd,
                env=env,
                stdout=subprocess.PIPE,
                start_new_session=True,
                stdin=stdin,
                stderr=stderr,
            )
            self._running.add(process)
            return process


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def read(path: str) -> Done:
    """What stands in a file."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 -- pathlib costs a third of the start
            return True, file.read(_MAX_OUTPUT_LETTERS).decode("utf-8", "replace")
    except OSError as error:
        return False, f"It could not be read: {error.strerror}."


def text_of(path: str) -> str | None:
    """What stands in a file that is text, for showing a change of it."""
    try:
        with open(path, encoding="utf-8", newline="") as file:  # noqa: PTH123 -- as above
            return file.read()
    except (OSError, UnicodeDecodeError):
        return None


def write(path: str, text: str) -> Done:
    """Put a text into a file, and make the folders it needs."""
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103,PTH120 -- as above
        with open(path, "w", encoding="utf-8", newline="") as file:  # noqa: PTH123 -- as above
            file.write(text)
    except OSError as error:
        return False, f"It could not be written: {error.strerror}."
    return True, f"Wrote {len(text.encode())} bytes."


def fetch(url: str) -> Done:
    """What stands at an http or https address."""
    from urllib import request  # noqa: PLC0415 -- slow to load, and seldom needed

    opener = request.OpenerDirector()
    for handler in (
        request.HTTPHandler,
        request.HTTPSHandler,
        request.HTTPRedirectHandler,
        request.HTTPErrorProcessor,
        request.HTTPDefaultErrorHandler,
        request.UnknownHandler,
    ):
        opener.add_handler(handler())
    try:
        with opener.open(url, timeout=_FETCH_SECONDS) as page:
            return True, page.read(_MAX_OUTPUT_LETTERS).decode("utf-8", "replace")
    except (OSError, ValueError) as error:
        return False, f"It could not be fetched: {error}."
