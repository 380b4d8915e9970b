"""An extension is updated or removed while an agent is connected: its hook goes on, or says so."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import orjson
import pytest
from attrs import frozen

import assent
from assent.hosting.terminals.launcher import launcher
from assent.hosting.terminals.terminals import TERMINALS
from hosting.terminals.terminal import decision_in

_PACKAGE: Final = Path(assent.__file__).parent
_OTHERS: Final = Path(orjson.__file__).parents[1]
_START: Final = _PACKAGE.parents[1] / "client-ts" / "start.py"


@frozen(kw_only=True)
class Machine:
    """One on which the extension is installed, and Claude Code connected by it."""

    folder: Path

    @property
    def extensions(self) -> Path:
        return self.folder / "extensions"

    @property
    def state(self) -> Path:
        return self.folder / "state"

    def install(self, version: str) -> Path:
        """Put one version of the extension there, as an editor does; where its packages lie."""
        bundled = self.extensions / f"assent.assent-{version}-linux-x64" / "bundled"
        libs = bundled / "libs"
        shutil.copytree(_PACKAGE, libs / "assent", copy_function=os.link)
        for package in _OTHERS.iterdir():
            if package.name != "assent":
                (libs / package.name).symlink_to(package)
        shutil.copyfile(_START, bundled / "start.py")
        return libs

    def run(self, version: str, *words: str) -> None:
        """Run a command of the extension."""
        start = next(self.extensions.glob(f"*-{version}-*/bundled/start.py"))
        done = self._done((sys.executable, "-I", "-S", str(start), *words))
        assert done.returncode == 0, done.stderr

    def hook(self) -> tuple[int, str, str]:
        """What the hook says of a command, as the settings of Claude Code have it run."""
        file = TERMINALS["claude"].settings(self.folder, {})
        element: dict[str, Any] = json.loads(file.read_text("utf-8"))["hooks"]["PreToolUse"][0]
        hook = element["hooks"][0]
        call = {
            "hook_event_name": "PreToolUse",
            "session_id": "s",
            "cwd": str(self.folder),
            "tool_name": "Bash",
            "tool_input": {"command": "touch made"},
            "tool_use_id": "t",
        }
        done = self._done((hook["command"], *hook["args"]), json.dumps(call))
        return done.returncode, done.stdout, done.stderr

    def _done(self, words: tuple[str, ...], given: str = "") -> "subprocess.CompletedProcess[str]":
        env = {
            "HOME": str(self.folder),
            "ASSENT_STATE_DIR": str(self.state),
            "PATH": os.environ["PATH"],
        }
        return subprocess.run(
            words, env=env, input=given, capture_output=True, text=True, check=False, timeout=120
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(folder=tmp_path)
    machine.install("0.1.0")
    machine.run("0.1.0", "connect", "claude", "--yes")
    return machine


def move_modules(libs: Path) -> None:
    """Be a version in which the hook's own modules lie elsewhere."""
    (libs / "assent" / "hosting" / "terminals" / "connected_hook.py").unlink()


def leave_other_versions(libs: Path) -> None:
    """Be an editor that has kept what is left of others."""
    extensions = libs.parents[2]
    (extensions / "assent.assent-0.0.9-linux-x64").mkdir()
    (extensions / "assent.assent-9.0.0-linux-x64" / "bundled").mkdir(parents=True)


UPDATES: dict[str, Callable[[Path], object]] = {
    "nothing else": lambda _: None,
    "modules that moved": move_modules,
    "rests of other versions": leave_other_versions,
}


def test_an_update_opens_no_connected_agent_also_before_a_window_was_opened(
    machine: Machine,
) -> None:
    code, printed, error = machine.hook()
    assert (code, decision_in(printed)) == (0, "ask"), error
    for number, (name, change) in enumerate(UPDATES.items(), 2):
        shutil.rmtree(machine.extensions)
        change(machine.install(f"0.{number}.0"))
        code, printed, error = machine.hook()
        assert (code, decision_in(printed)) == (0, "ask"), (name, error)


def test_a_package_that_is_damaged_is_not_one_that_is_gone(machine: Machine) -> None:
    for part in ("hosting", "cli"):
        shutil.rmtree(next(machine.extensions.glob("*/bundled/libs/assent")) / part)
        code, printed, error = machine.hook()
        assert (code, printed) == (2, ""), part
        assert "not run" in error


def test_an_extension_that_was_removed_lets_its_agent_go_with_a_sentence(machine: Machine) -> None:
    shutil.rmtree(machine.extensions)
    (machine.extensions / "another.extension-0.1.0" / "bundled" / "libs" / "assent").mkdir(
        parents=True
    )
    code, printed, error = machine.hook()
    assert (code, printed) == (0, "")
    assert "Assent is not installed any more" in error


def test_what_lies_in_the_state_folder_is_for_the_person_alone_and_made_anew(
    machine: Machine,
) -> None:
    folder = launcher(machine.state).parent
    whole = {path: path.read_bytes() for path in folder.iterdir() if path.suffix != ".json"}
    assert {path.name for path in whole} >= {"hook", "hook.py", "gate_hook.py"}
    theirs = machine.folder / "theirs"
    theirs.write_text("exit 0", "utf-8")
    for number, path in enumerate(path for path in whole if "hook" in path.name):
        if number % 2:
            path.chmod(0o666)
        else:
            path.unlink()
            path.symlink_to(theirs)
    folder.chmod(0o777)
    machine.run("0.1.0", "connect", "claude", "--yes")
    assert folder.stat().st_mode & 0o777 == 0o700
    for path, data in whole.items():
        assert path.read_bytes() == data
        assert (path.is_symlink(), path.stat().st_mode & 0o777) == (False, 0o600), path
    assert theirs.read_text("utf-8") == "exit 0"
