"""No way of changing a file reaches the real tree from a trial."""

import os
import stat
import subprocess
from pathlib import Path

import pytest

from gate.sandbox import writing_calls
from gate.sandbox.conftest import PYTHON, Ground

PROGRAM = Path(writing_calls.__file__)


def facts(path: Path) -> tuple[object, ...]:
    """All that a program can change of a file without moving it."""
    found = path.lstat()
    content = path.read_bytes() if stat.S_ISREG(found.st_mode) else b""
    names = os.listxattr(path, follow_symlinks=False)
    kept = {name: os.getxattr(path, name, follow_symlinks=False) for name in names}
    links = found.st_nlink if stat.S_ISREG(found.st_mode) else 0
    return (found.st_mode, content, kept, found.st_mtime_ns, links)


def looked(top: Path) -> dict[str, tuple[object, ...]]:
    """All that lies in a folder."""
    return {str(path.relative_to(top)): facts(path) for path in sorted(top.rglob("*"))}


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="The numbers of calls are of x86_64.")
def test_no_way_of_writing_reaches_the_real_tree(ground: Ground) -> None:
    top = ground.workspace / "ways"
    top.mkdir()
    writing_calls.plant(top)
    before = looked(top)
    program = (ground.workspace / "program.py").name
    (ground.workspace / program).write_text(PROGRAM.read_text("utf-8"), "utf-8")
    status, said = ground.run("/bin/sh", "-c", f"cd ways && {PYTHON} -B ../{program} 2>&1")
    assert (status, said.split()) == (0, [])
    assert looked(top) == before
    # Outside of a box the very same ways change each folder, so that none of them is idle.
    ended = subprocess.run(
        [PYTHON, "-B", f"../{program}"], cwd=top, capture_output=True, text=True, check=True
    )
    assert (ended.stdout.split(), ended.stderr) == ([], "")
    after = looked(top)
    changed = {
        path.split("/")[0]
        for path in before.keys() | after.keys()
        if before.get(path) != after.get(path)
    }
    names = [*writing_calls.WAYS]
    idle = [name for number, name in enumerate(names) if str(number) not in changed]
    assert idle == []
    assert len(names) >= 73
