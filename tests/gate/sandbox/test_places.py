"""Who runs a box where: root and others, containers, full disks, and machines that refuse."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from assent.gate.sandbox.bubblewrap import OWN

WITHIN_S: Final = 60
SERVER: Final = Path(__file__).resolve().parents[3] / "server"
STRANGER: Final = 54321
"""The number of a user whom nobody knows."""
as_root = pytest.mark.skipif(os.getuid() != 0, reason="Mounts and other users need root.")

OVERLAY: Final = """
mount -t tmpfs tmpfs "$TOP/disk"
mkdir -p "$TOP"/disk/{upper,work}
writable=upperdir="$TOP/disk/upper",workdir="$TOP/disk/work"
mount -t overlay overlay -o lowerdir="$TOP/lower",$writable "$TOP/merged"
cd "$TOP/merged/workspace"
"""
SMALL_DISK: Final = """
mount -t tmpfs -o size=256k tmpfs "$TOP/workspace"
cd "$TOP/workspace"
echo a > a.txt
"""


@pytest.fixture
def top() -> Iterator[Path]:
    """A folder that every user may enter, with a home, a workspace and a place for the state."""
    folder = Path(tempfile.mkdtemp(prefix="assent-", dir="/var/tmp"))
    folder.chmod(0o755)
    for name in ("workspace", "home", "state", "disk", "merged", "lower/workspace"):
        (folder / name).mkdir(parents=True)
    (folder / "workspace/a.txt").write_text("a\n", "ascii")
    (folder / "lower/workspace/a.txt").write_text("a\n", "ascii")
    yield folder
    shutil.rmtree(folder)


def variables(top: Path, **more: str) -> dict[str, str]:
    own = {"HOME": f"{top}/home", "ASSENT_STATE_DIR": f"{top}/state", "TOP": str(top)}
    return {**os.environ, "ASSENT_BWRAP": str(OWN), **own, **more}


def run(top: Path, script: str, *wrapper: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a script in which `$ASSENT` is the program."""
    return subprocess.run(
        [*wrapper, "bash", "-euc", script],
        cwd=top / "workspace",
        env=variables(top, ASSENT=f"{sys.executable} -m assent", **more),
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=WITHIN_S,
        check=False,
    )


@as_root
def test_an_ordinary_user_can_try_commands(top: Path) -> None:
    python, packages = "/usr/bin/python3", Path(sys.executable).parents[1] / "lib"
    found = [*packages.glob("python*/site-packages")]
    for path in (top / "workspace", top / "workspace/a.txt", top / "home", top / "state"):
        os.chown(path, STRANGER, STRANGER)
    libraries = top / "libraries"
    # Where the sources lie, another user may not be let in.
    shutil.copytree(SERVER / "assent", libraries / "assent")
    for name in ("attr", "attrs", "pydantic", "pydantic_core", "annotated_types"):
        shutil.copytree(found[0] / name, libraries / name)
    for name in ("typing_extensions.py", "typing_inspection"):
        source = found[0] / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, libraries / name)
    more = {"PYTHONPATH": str(libraries), "ASSENT_BWRAP": ""}
    user = ("setpriv", f"--reuid={STRANGER}", f"--regid={STRANGER}", "--clear-groups")
    said = run(top, f"{python} -m assent check --sandbox", *user, **more)
    assert "Sandbox for this workspace: trial." in said.stdout, said
    script = f"{python} -m assent try --apply -- sh -c 'id -u; echo b >> a.txt; echo n > new'"
    said = run(top, script, *user, **more)
    assert said.stdout == f"{STRANGER}\n", said.stderr
    assert (top / "workspace/a.txt").read_text() == "a\nb\n"
    assert (top / "workspace/new").stat().st_uid == STRANGER


@as_root
def test_in_a_container_a_layer_in_memory_takes_what_is_written(top: Path) -> None:
    script = f"{OVERLAY}export ASSENT_STATE_DIR=$TOP/merged/state; $ASSENT check --sandbox"
    said = run(top, script, "unshare", "-m")
    assert (
        "/merged/state/trials: the workspace or the home lies on a file system that" in said.stdout
    )
    assert "/dev/shm/assent-0-trials: holds" in said.stdout, said
    assert "Sandbox for this workspace: trial." in said.stdout
    steps = "rm a.txt; rm -r old; mkdir d; echo n > d/n; ln -s d/n l; chmod 700 d"
    script = (
        f"{OVERLAY}export ASSENT_STATE_DIR=$TOP/merged/state; mkdir -p old/in; echo x > old/in/f\n"
        f"$ASSENT try --apply -- sh -c '{steps}' && find . ! -name . -printf '%P %m %l\\n' | sort"
    )
    said = run(top, script, "unshare", "-m")
    assert said.stdout.splitlines() == ["d 700 ", "d/n 644 ", "l 777 d/n"], said.stderr


@as_root
def test_where_the_disk_is_full_nothing_is_applied(top: Path) -> None:
    steps = "rm a.txt; echo n > first; head -c 500000 /dev/zero > second"
    script = f"{SMALL_DISK}$ASSENT try --apply -- sh -c '{steps}' || true; ls; cat a.txt"
    said = run(top, script, "unshare", "-m")
    assert "Nothing was applied." in said.stderr
    assert "No space left" in said.stderr
    assert said.stdout == "a.txt\na\n"


def test_where_namespaces_are_refused_there_is_none_and_the_reason_is_said(top: Path) -> None:
    refuse = 'echo 0 > /proc/sys/user/max_user_namespaces; exec bash -euc "$1" bash'
    wrapper = ("unshare", "-Ur", "bash", "-euc", refuse, "bash")
    found = subprocess.run(
        [*wrapper, "$ASSENT check --sandbox || echo status $?; $ASSENT try -- touch made"],
        cwd=top / "workspace",
        env=variables(top, ASSENT=f"{sys.executable} -m assent"),
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )
    assert "Sandbox for this workspace: none." in found.stdout, found
    assert "lets no program make namespaces" in found.stdout
    assert "AppArmor" in found.stdout
    assert "status 1" in found.stdout
    assert found.returncode == 125
    assert "Nothing was run" in found.stderr
    assert not (top / "workspace/made").exists()
