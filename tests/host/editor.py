"""One running VS Code, to be opened with a browser.

It listens on 127.0.0.1 only. Once stopped nothing of it is left: no process and no file, also
when starting failed half way.
"""

import http.client
import os
import re
import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Self
from urllib.parse import quote, urlencode

from .install import Host
from .offline import forwarded, without_network
from .processes import MARK, Process, end, family
from .profile import Setup, discard, make_profile
from .waiting import until

_OPTIONS = (
    "--disable-telemetry",
    "--disable-update-check",
    "--disable-getting-started-override",
    # By default a closed window keeps its extension host, and our server, for three hours.
    "--reconnection-grace-time=2",
)
_LISTED = "extensions.json"
_INSTALLED: dict[Path, TemporaryDirectory[str]] = {}
"""The extensions that were installed by this process, as they lay then."""
_LAUNCH = (sys.executable, "-I", str(Path(__file__).with_name("launch.py")))
_LISTENING = re.compile(r"HTTP server listening on http://127\.0\.0\.1:(\d+)/")
_START_WITHIN = 60.0
_INSTALL_WITHIN = 120.0
_LEAVES_WITHIN = 5.0


class EditorError(Exception):
    """VS Code did not start; the message ends with what it printed last."""


class Editor:
    """A VS Code in a profile of its own; use it as a context manager."""

    def __init__(self, host: Host, setup: Setup) -> None:
        self._host = host
        self._setup = setup
        self._mark = uuid.uuid4().hex
        self._prefix = without_network() if setup.offline else ()
        self._profile = make_profile(setup)
        self._environment = {**self._profile.environment(setup), MARK: self._mark}
        self._server: subprocess.Popen[bytes] | None = None
        self._ways_in = ExitStack()
        self._port = 0

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def user_settings(self) -> Path:
        """The settings.json of the user; windows read it when they open, and do not watch it."""
        return self._profile.user_settings

    @property
    def machine_settings(self) -> Path:
        """The settings.json of the machine, for what counts on it alone."""
        return self._profile.machine_settings

    @property
    def home(self) -> Path:
        """The home folder that the editor and its servers see."""
        return self._profile.home

    def url(self, folder: Path, **query: str) -> str:
        """Where a browser finds a window on the folder; VS Code may be told more in the query."""
        told = urlencode({"folder": str(folder.resolve()), **query}, safe="/", quote_via=quote)
        return f"http://127.0.0.1:{self._port}/?{told}"

    def start(self) -> None:
        """Install the extension, start the server, and wait until it is well."""
        if self._setup.vsix and not self._copy_installed(self._setup.vsix):
            self._install(self._setup.vsix)
            self._keep_installed(self._setup.vsix)
        if self._setup.beside:
            self._install(self._setup.beside)
        listens = (f"--socket={self._profile.socket}",) if self._setup.offline else ()
        with self._profile.output.open("ab") as output:
            self._server = subprocess.Popen(
                [*self._prefix, *_LAUNCH, *self._command(), *_OPTIONS, *listens],
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self._wait(self._listens, "VS Code listens on a port")
        self._wait(self.is_healthy, "VS Code says that it is well")

    def stop(self) -> None:
        """End every process of this editor, make sure of it, and delete its profile."""
        try:
            end(self._mark, patience=_LEAVES_WITHIN)
        finally:
            self.wait()
            self._ways_in.close()
            discard(self._profile)

    def wait(self) -> None:
        """Wait until the server ends, for as long as that takes."""
        if self._server:
            self._server.wait()

    def is_healthy(self) -> bool:
        """Whether the server answers that it is well."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=5)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == http.client.OK
        except OSError:
            return False
        finally:
            connection.close()

    def processes(self) -> frozenset[Process]:
        """Everything that runs because of this editor: extension hosts, servers, their tools."""
        return family(self._mark)

    def log(self) -> str:
        """What the server printed so far."""
        return self._profile.output.read_text(errors="replace")

    def keep_logs(self, folder: Path) -> None:
        """Copy all logs, those of the extension hosts included, to a folder that stays."""
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(self._profile.output, folder)
        logs = self._profile.data / "logs"
        if logs.is_dir():
            shutil.copytree(logs, folder / "logs", dirs_exist_ok=True)

    def _command(self) -> tuple[str, ...]:
        return (
            str(self._host.node),
            str(self._host.entry),
            f"--config={self._profile.config}",
            f"--user-data-dir={self._profile.data}",
            f"--extensions-dir={self._profile.extensions}",
        )

    def _copy_installed(self, vsix: Path) -> bool:
        """Take the extension as it was installed before in this process; whether it was.

        An editor without a network installs it itself, to show that it can.
        """
        kept = _INSTALLED.get(vsix)
        if kept is None or self._setup.offline:
            return False
        extensions = self._profile.extensions
        shutil.copytree(kept.name, extensions, dirs_exist_ok=True, copy_function=os.link)
        there = extensions / _LISTED
        listed = there.read_text().replace(kept.name, str(extensions))
        # The kept list is the same file until it is replaced.
        there.unlink()
        there.write_text(listed)
        return True

    def _keep_installed(self, vsix: Path) -> None:
        if self._setup.offline:
            return
        extensions, kept = self._profile.extensions, TemporaryDirectory(prefix="assent-installed-")
        shutil.copytree(extensions, kept.name, dirs_exist_ok=True)
        listed = Path(kept.name, _LISTED)
        listed.write_text(listed.read_text().replace(str(extensions), kept.name))
        _INSTALLED[vsix] = kept

    def _install(self, vsix: Path) -> None:
        done = subprocess.run(
            [*self._prefix, *self._command(), f"--install-extension={vsix.resolve()}", "--force"],
            env=self._environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_INSTALL_WITHIN,
            check=False,
        )
        if done.returncode or "Failed" in done.stderr:
            raise EditorError(f"{vsix} could not be installed: {done.stdout}{done.stderr}")

    def _listens(self) -> bool:
        if self._server and self._server.poll() is not None:
            raise EditorError(f"VS Code ended at once. {self.log()[-2000:]}")
        if self._setup.offline:
            return self._listens_on_a_file()
        found = _LISTENING.search(self.log())
        if found:
            self._port = int(found.group(1))
        return bool(found)

    def _listens_on_a_file(self) -> bool:
        there = self._profile.socket.exists()
        if there:
            self._port = self._ways_in.enter_context(forwarded(self._profile.socket))
        return there

    def _wait(self, condition: Callable[[], bool], what: str) -> None:
        try:
            until(condition, within=_START_WITHIN, what=what)
        except TimeoutError as late:
            raise EditorError(f"{late} {self.log()[-2000:]}") from late
