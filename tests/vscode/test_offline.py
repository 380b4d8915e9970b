"""The extension as it is installed where there is no network, and no more than a bare Python."""

from collections.abc import Callable
from pathlib import Path

import pytest

from host import AbsentError
from host.editor import Editor
from host.offline import without_network
from host.profile import Setup
from host.pythons import bare_python, find_pythons
from vscode.person import Person

pytestmark = pytest.mark.may_be_skipped

_PYTHONS = find_pythons(("3.11", "3.12", "3.13"))
_OURS = Path("/proc/self/ns/net")


def _with_nothing_but(python: Path) -> dict[str, str]:
    """An environment in which no other program is found, a shell included."""
    alone = {"PATH": str(python.parent), "PYTHONPATH": "", "PYTHONHOME": ""}
    # Else VS Code asks a login shell for its path, which knows the system's Python as well.
    return {**alone, "VSCODE_CLI": "1"}


@pytest.mark.requirement("M-06")
@pytest.mark.requirement("M-01")
@pytest.mark.parametrize("python", _PYTHONS.values(), ids=list(_PYTHONS))
def test_it_works_with_no_network_and_a_bare_python(  # noqa: PLR0917 -- pytest names them
    python: str,
    vsix: Path,
    start_editor: Callable[[Setup], Editor],
    enter: Callable[..., Person],
    workspace: Path,
    tmp_path: Path,
) -> None:
    try:
        without_network()
    except AbsentError as absence:
        pytest.skip(str(absence))
    bare = bare_python(python, tmp_path / "bare")
    editor = start_editor(Setup(vsix=vsix, offline=True, environment=_with_nothing_but(bare)))
    person = enter(workspace, editor)
    person.say("write made.txt Here I am")
    person.wait_for_card("made.txt")
    assert not (workspace / "made.txt").exists()
    person.allow()
    person.wait_for_turn()
    assert person.wait_for_file("made.txt").read_text(encoding="utf-8").strip() == "Here I am"
    assert person.outcomes() == ["allowed"]
    server = person.server()
    for process in (server, *person.agents_of(server)):
        theirs = Path(f"/proc/{process.pid}")
        assert (theirs / "exe").resolve() == bare.resolve()
        assert (theirs / "ns" / "net").readlink() != _OURS.readlink()
        devices = (theirs / "net" / "dev").read_text(encoding="utf-8").splitlines()[2:]
        assert [device.partition(":")[0].strip() for device in devices] == ["lo"]
