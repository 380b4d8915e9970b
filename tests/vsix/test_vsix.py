"""The packaged extension: small enough, whole, and able to run wherever there is a Python."""

import json
import os
import platform
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from assent import __version__
from assent.editor.protocol.fingerprint import PROTOCOL_HASH
from host import AbsentError
from host.offline import without_network
from host.pythons import find_pythons, pyenv_pythons

# The first run fetches the wheels of four Pythons.
pytestmark = [pytest.mark.requirement("M-06"), pytest.mark.timeout(600), pytest.mark.long]

_ROOT = Path(__file__).resolve().parents[2]
_SUPPORTED = ("3.11", "3.12", "3.13", "3.14")
_TARGETS = {
    ("Linux", "x86_64"): "linux-x64",
    ("Linux", "aarch64"): "linux-arm64",
    ("Darwin", "x86_64"): "darwin-x64",
    ("Darwin", "arm64"): "darwin-arm64",
}
_MOST_MEGABYTES = 25
_WITHIN = 120


_PYTHONS = find_pythons(_SUPPORTED)
every_python = pytest.mark.parametrize("python", _PYTHONS.values(), ids=list(_PYTHONS))


@pytest.fixture(scope="session")
def vsix() -> Path:
    """The VSIX for this machine, made of what is here now; nothing is done if it is already."""
    target = _TARGETS.get((platform.system(), platform.machine()))
    if target is None:
        pytest.skip("There is no VSIX for this machine.")
    if not shutil.which("node"):
        pytest.skip("A VSIX is packaged with Node: install it first.")
    done = subprocess.run(
        [sys.executable, str(_ROOT / "client-ts" / "bundle.py"), target],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return _ROOT / "dist" / f"assent-{target}.vsix"


@pytest.fixture(scope="session")
def unpacked(vsix: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension as an editor installs it."""
    folder = tmp_path_factory.mktemp("extension")
    with zipfile.ZipFile(vsix) as packed:
        packed.extractall(folder)
    return folder / "extension"


@pytest.fixture
def start(unpacked: Path) -> str:
    """What the extension starts."""
    return str(unpacked / "bundled" / "start.py")


@pytest.fixture(scope="session")
def offline() -> Sequence[str]:
    """Words before a command that take the network from it."""
    try:
        return without_network()
    except AbsentError as absence:
        pytest.skip(str(absence))


Run = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def run(offline: Sequence[str], tmp_path: Path) -> Run:
    """Runs a command to its end, with no network and no environment but what is given."""

    def to_its_end(
        *command: str, said: bytes = b"", environment: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [*offline, *command],
            input=said,
            capture_output=True,
            check=False,
            cwd=tmp_path,
            env=dict(environment or {}),
            timeout=_WITHIN,
        )

    return to_its_end


def _framed(*messages: dict[str, Any]) -> bytes:
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    return b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies)


def _messages(stream: bytes) -> list[dict[str, Any]]:
    found = []
    while stream:
        head, _, rest = stream.partition(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        found.append(json.loads(rest[:length]))
        stream = rest[length:]
    return found


def test_the_vsix_is_no_larger_than_twenty_five_megabytes(vsix: Path) -> None:
    assert vsix.stat().st_size <= _MOST_MEGABYTES * 1_000_000


def test_it_holds_what_the_manifest_names_and_nothing_of_our_workshop(unpacked: Path) -> None:
    manifest = json.loads((unpacked / "package.json").read_text())
    assert manifest["version"] == __version__
    icon = manifest["contributes"]["viewsContainers"]["secondarySidebar"][0]["icon"]
    for named in (
        manifest["main"],
        "dist/webview.js",
        "dist/highlight.js",
        "dist/drawings.js",
        "dist/markdown.js",
        "dist/reading.js",
        "dist/webview.css",
        icon,
        "readme.md",
    ):
        assert (unpacked / named).stat().st_size > 0, named
    there = {path.relative_to(unpacked).parts[0] for path in unpacked.iterdir()}
    assert there - {"LICENSE.txt"} == {
        "bundled",
        "dist",
        "l10n",
        "media",
        "package.json",
        *(f"package.nls{language}.json" for language in ("", ".de", ".ja")),
        "readme.md",
        "walkthrough",
    }


def test_every_package_in_the_bundle_carries_its_licence(unpacked: Path) -> None:
    libs = unpacked / "bundled" / "libs"
    described = list(libs.glob("*.dist-info"))
    assert described
    for info in described:
        names = [path.name.lower() for path in info.rglob("*") if path.is_file()]
        licensed = [name for name in names if name.startswith(("licen", "copying"))]
        assert licensed, f"{info.name} has only {names}"


def test_the_bundle_carries_compiled_modules_for_every_supported_python(unpacked: Path) -> None:
    core = unpacked / "bundled" / "libs" / "pydantic_core"
    names = " ".join(path.name for path in core.iterdir())
    for version in _SUPPORTED:
        assert f"-{version.replace('.', '')}-" in names


def test_this_machine_has_a_python_to_try_it_with() -> None:
    assert _PYTHONS


@every_python
def test_it_runs_with_an_empty_environment_and_no_network(
    python: str, start: str, run: Run
) -> None:
    done = run(python, "-I", "-S", "-u", start, "--version")
    assert (done.returncode, done.stdout.decode().strip()) == (0, f"assent {__version__}"), done


@every_python
def test_every_module_that_is_loaded_is_pythons_own_or_from_the_bundle(
    python: str, start: str, run: Run
) -> None:
    ask = """
import runpy, sys, sysconfig
start = sys.argv[1]
sys.argv = [start, "--version"]
before = set(sys.modules)
try:
    runpy.run_path(start, run_name="__main__")
except SystemExit:
    pass
import cattrs, orjson, pydantic, pygls.server, lsprotocol.types, assent.editor.lsp.connection
own = sysconfig.get_path("stdlib")
for name in sorted(set(sys.modules) - before):
    path = getattr(sys.modules[name], "__file__", None) or ""
    is_own = path.startswith(own) and "-packages" not in path
    if path and not is_own and not path.startswith(sys.path[0]):
        print(name, path)
"""
    done = run(python, "-I", "-c", ask, start)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode().splitlines() == [f"assent {__version__}"]


@every_python
def test_each_module_of_ours_finds_all_that_it_loads_in_the_bundle(
    python: str, unpacked: Path, run: Run
) -> None:
    libs = unpacked / "bundled" / "libs"
    ours = (it.relative_to(libs) for it in sorted(libs.glob("assent/**/*.py")))
    names = [".".join(it.with_suffix("").parts) for it in ours if it.name != "__main__.py"]
    assert "assent.catalogue.mcp.hub_process" in names
    # Started as the server starts its programs: none of the person's own packages is in reach.
    ask = "import sys; sys.path.insert(0, sys.argv[1]); [__import__(it) for it in sys.argv[2:]]"
    done = run(python, "-I", "-S", "-c", ask, str(libs), *names)
    assert done.returncode == 0, done.stderr.decode()


@every_python
def test_packages_of_the_users_python_cannot_get_before_the_bundles(
    python: str, start: str, run: Run, tmp_path: Path
) -> None:
    subprocess.run([python, "-m", "venv", "--without-pip", str(tmp_path / "v")], check=True)
    (packages,) = (tmp_path / "v").glob("lib/python3*/site-packages")
    for name in ("assent", "pydantic", "pydantic_core", "pygls", "attrs"):
        (packages / f"{name}.py").write_text("raise RuntimeError('a stray package was loaded')\n")
    (tmp_path / "assent.py").write_text("raise RuntimeError('the folder was searched')\n")
    inside = str(tmp_path / "v" / "bin" / "python")
    done = run(inside, "-I", "-S", "-u", start, "serve", said=_framed(_INITIALIZE))
    assert [message["id"] for message in _messages(done.stdout) if "id" in message] == [1]


@every_python
def test_the_bundled_server_shakes_hands_over_stdio_and_ends_with_its_input(
    python: str, start: str, run: Run, tmp_path: Path
) -> None:
    done = run(
        *(python, "-I", "-S", "-u", start, "serve"),
        said=_framed(
            _INITIALIZE,
            {"method": "initialized", "params": {}},
            {"id": 2, "method": "shutdown"},
            {"method": "exit"},
        ),
        environment={"PATH": os.defpath, "HOME": str(tmp_path)},
    )
    said, log = done.stdout, done.stderr
    answers = {message["id"]: message for message in _messages(said) if "method" not in message}
    told = answers[1]["result"]["capabilities"]["experimental"]["assent"]
    assert told["protocolHash"] == PROTOCOL_HASH
    assert answers[1]["result"]["serverInfo"]["version"] == __version__
    assert "result" in answers[2], log.decode()
    assert done.returncode == 0, log.decode()


@every_python
def test_the_bundled_server_ends_when_the_editor_is_gone(python: str, start: str, run: Run) -> None:
    done = run(python, "-I", "-S", "-u", start, "serve", said=_framed(_INITIALIZE))
    assert _messages(done.stdout)[0]["id"] == 1


@pytest.mark.skipif(sys.platform != "linux", reason="A sandbox needs Linux.")
def test_the_bundled_bubblewrap_tries_commands_without_being_executable(
    unpacked: Path, tmp_path: Path
) -> None:
    libraries = unpacked / "bundled" / "libs"
    sandbox = libraries / "assent/gate/sandbox"
    (sandbox / "bwrap").chmod(0o600)
    assert {path.name for path in sandbox.glob("bwrap.*")} == {
        "bwrap.COPYING",
        "bwrap.sha256",
        "bwrap.source.tar.xz",
    }
    for name in ("workspace", "home"):
        (tmp_path / name).mkdir()
    own = {"HOME": f"{tmp_path}/home", "ASSENT_STATE_DIR": f"{tmp_path}/state"}
    more = {"ASSENT_BWRAP": str(sandbox / "bwrap"), "PYTHONPATH": str(libraries)}
    script = [sys.executable, "-m", "assent", "try", "--apply", "--", "touch", "made"]
    ended = subprocess.run(
        script,
        cwd=tmp_path / "workspace",
        env={"PATH": os.environ["PATH"], **own, **more},
        capture_output=True,
        text=True,
        timeout=_WITHIN,
        check=False,
    )
    assert (ended.returncode, (tmp_path / "workspace/made").exists()) == (0, True), ended.stderr


def test_an_old_python_is_told_so_in_a_sentence(start: str, run: Run) -> None:
    old = [*pyenv_pythons("3.[0-9].*"), *pyenv_pythons("3.10.*")]
    if not old:
        pytest.skip("There is no Python before 3.11 here.")
    for python in old:
        done = run(python, "-I", "-S", "-u", start, "serve")
        assert done.returncode == 1
        assert done.stderr.startswith(b"Assent needs Python 3.11 or newer; this is Python 3.")


_INITIALIZE = {
    "id": 1,
    "method": "initialize",
    "params": {
        "processId": None,
        "rootUri": None,
        "capabilities": {},
        "initializationOptions": {"protocolHash": PROTOCOL_HASH, "clientFeatures": []},
    },
}
