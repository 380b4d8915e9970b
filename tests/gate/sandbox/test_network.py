"""A box reaches what somebody allowed, and nothing else; each host is asked about once."""

import asyncio
import io
import json
import os
import platform
import ssl
import subprocess
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import define

from assent.gate.processes.shell import ShellFailed
from assent.gate.sandbox import network, network_probe
from assent.gate.sandbox.bubblewrap import OWN, Opening, Start, boxed
from assent.gate.sandbox.filters import program
from assent.gate.sandbox.hosts import Answer, Leave
from gate.sandbox.conftest import PYTHON, Ground
from gate.sandbox.networked import HELLO, INSIDE, Asked, Networked, Resolved, certificate, served

HOST: Final = "registry.example"
HELLO_TEXT: Final = HELLO.decode()
KNOWS_NO_PROXY: Final = (
    "unset http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY;"
)
BWRAPS: Final = [str(OWN), "/usr/bin/bwrap"]
CLIENTS: Final = {
    "curl": "curl -sS http://$HOST:$PORT/x",
    "curl by TLS": "curl -sS --cacert certificate.pem https://$HOST:$TLS/x",
    "curl by SOCKS": "curl -sS -x socks5h://127.0.0.1:3128 http://$HOST:$PORT/x",
    "urllib": (
        f"{PYTHON} -c 'import os, urllib.request as u; e = os.environ;"
        ' print(u.urlopen("http://" + e["HOST"] + ":" + e["PORT"]).read())\''
    ),
    "a socket of Python": (
        f"{PYTHON} -c 'import os, socket; e = os.environ;"
        ' s = socket.create_connection((e["HOST"], int(e["PORT"])));'
        ' s.sendall(b"GET / HTTP/1.0\\r\\nHost: x\\r\\n\\r\\n");'
        " print(s.makefile().read())'"
    ),
    "git": "git clone -q http://$HOST:$FILES/served.git copy && cat copy/said",
    "fetch of Node": (
        "node -e 'fetch(`http://${process.env.HOST}:${process.env.PORT}/x`)"
        ".then(async r => console.log(await r.text()))'"
    ),
    "a socket of Node": (
        'node -e \'require("net").connect(process.env.PORT, process.env.HOST, function ()'
        ' { this.write("GET / HTTP/1.0\\r\\nHost: x\\r\\n\\r\\n") }).pipe(process.stdout)\''
    ),
    "pip": (
        "PIP_INDEX_URL=http://$HOST:$FILES/simple"
        f" {PYTHON} -m pip install -q --disable-pip-version-check --no-input --target t"
        " --trusted-host $HOST thing"
        f" && {PYTHON} -c 'import sys; sys.path.insert(0, \"t\"); import thing'"
    ),
    "npm": (
        "npm install --silent --no-audit --no-fund --registry http://$HOST:$FILES/npm left"
        " && cat node_modules/left/said"
    ),
}
NEEDS_PROXY: Final = {"curl by SOCKS"}


@define
class Servers:
    """The ports of three servers of this machine: pages, pages by TLS, and files."""

    pages: int
    tls: int
    files: int

    @property
    def variables(self) -> dict[str, str]:
        """As scripts know them."""
        return {
            "HOST": HOST,
            "PORT": str(self.pages),
            "TLS": str(self.tls),
            "FILES": str(self.files),
        }


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- its name is given
        """Say nothing."""


@pytest.fixture
def servers(ground: Ground) -> Iterator[Servers]:
    """Servers of this machine; a certificate lies in the workspace."""
    certified, key = certificate(ground.top, HOST)
    (ground.workspace / "certificate.pem").write_bytes(Path(certified).read_bytes())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certified, key)
    files = ground.top / "served"
    with (
        served() as pages,
        served(within=context) as tls,
        served(partial(_Files, directory=str(files))) as listed,
    ):
        serve_packages(files, listed)
        yield Servers(pages=pages, tls=tls, files=listed)


def serve_packages(folder: Path, port: int) -> None:
    """A repository, a package of Python and one of Node, as files that a server has."""
    (folder / "simple/thing").mkdir(parents=True)
    (folder / "npm/left/-").mkdir(parents=True)
    repository = folder / "repository"
    script = (
        f"git init -q {repository} && cd {repository} && echo '{HELLO_TEXT}' > said"
        " && git add . && git -c user.name=a -c user.email=a@b commit -qm a"
        f" && git clone -q --bare . {folder}/served.git && cd {folder}/served.git"
        " && git update-server-info"
    )
    subprocess.run(["bash", "-ec", script], check=True, env={"PATH": os.environ["PATH"]})
    wheel = "thing-1-py3-none-any.whl"
    with zipfile.ZipFile(folder / "simple/thing" / wheel, "w") as archive:
        archive.writestr("thing.py", f"print({HELLO_TEXT!r})\n")
        archive.writestr(
            "thing-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: thing\nVersion: 1\n"
        )
        archive.writestr(
            "thing-1.dist-info/WHEEL",
            "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        archive.writestr("thing-1.dist-info/RECORD", "")
    (folder / "simple/thing/index.html").write_text(f'<a href="{wheel}">{wheel}</a>', "ascii")
    with tarfile.open(folder / "npm/left/-/left-1.0.0.tgz", "w:gz") as archive:
        for name, content in (
            ("package.json", json.dumps({"name": "left", "version": "1.0.0"})),
            ("said", HELLO_TEXT),
        ):
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content.encode()))
    version = {
        "name": "left",
        "version": "1.0.0",
        "dist": {"tarball": f"http://{HOST}:{port}/npm/left/-/left-1.0.0.tgz"},
    }
    known = {"name": "left", "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": version}}
    (folder / "npm/left/index.html").write_text(json.dumps(known), "ascii")


@pytest.mark.parametrize("script", CLIENTS.values(), ids=CLIENTS)
@pytest.mark.parametrize("knows_proxy", [True, False], ids=["by proxy", "led"])
async def test_a_client_reaches_a_host_that_is_allowed(
    ground: Ground, servers: Servers, script: str, knows_proxy: bool
) -> None:
    if not knows_proxy:
        script = f"{KNOWS_NO_PROXY} {script}"
    judge = Asked({HOST: INSIDE})
    async with Networked(ground, judge) as box:
        printed = await box.run(script, **servers.variables)
    assert HELLO_TEXT in printed, (printed, box.trial.witness)
    assert {host for host, _ in judge.questions} == {HOST}
    assert len(judge.questions) == 1
    assert judge.threads == {threading.get_ident()}
    assert box.refused == []
    assert box.contact(HOST, is_reached=True).because == ""


@pytest.mark.parametrize("script", CLIENTS.values(), ids=CLIENTS)
@pytest.mark.parametrize("knows_proxy", [True, False], ids=["by proxy", "led"])
async def test_a_client_fails_at_a_host_that_is_refused(
    ground: Ground, servers: Servers, script: str, knows_proxy: bool
) -> None:
    if not knows_proxy:
        script = f"{KNOWS_NO_PROXY} {script}"
    resolve = Resolved()
    async with Networked(ground, Asked(), resolve) as box:
        variables = {"npm_config_fetch_retries": "0", "PIP_RETRIES": "0", **servers.variables}
        printed = await box.run(script, **variables)
    assert HELLO_TEXT not in printed
    assert box.contact(HOST, is_reached=False).because == "Nobody allowed it."
    assert resolve.names == [], "to look a name up tells others of it"


ORDINARY = {
    "a server of the command's own": """python3 -c '
import http.server, threading, urllib.request
server = http.server.HTTPServer(("0.0.0.0", 0), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(urllib.request.urlopen(f"http://0.0.0.0:{server.server_port}/").status, "done")
'""",
    "a script of npm": """echo '{"scripts": {"x": "echo done"}}' > package.json; npm run x""",
}


@pytest.mark.parametrize("script", ORDINARY.values(), ids=ORDINARY)
async def test_what_reaches_nobody_outside_asks_nothing(ground: Ground, script: str) -> None:
    judge = Asked()
    async with Networked(ground, judge) as box:
        printed = await box.run(script)
    assert "done" in printed
    assert judge.questions == []


async def test_many_connections_to_a_host_are_one_question(ground: Ground) -> None:
    judge = Asked({HOST: INSIDE})
    with served() as port:
        async with Networked(ground, judge) as box:
            curl = f"curl -sS -m 20 http://{HOST}:{port}"
            printed = await box.run(f"for n in 1 2 3 4; do {curl}/$n & done; wait; {curl}/5")
    assert printed.count(HELLO_TEXT) == 5, (printed, box.trial.witness)
    assert judge.questions == [(HOST, port)]
    assert len(box.trial.witness) == 1


async def test_a_connection_waits_for_its_answer(ground: Ground) -> None:
    judge = Asked({HOST: INSIDE}, waits=asyncio.Event())
    assert judge.waits is not None
    with served() as port:
        async with Networked(ground, judge) as box:
            running = asyncio.ensure_future(box.run(f"curl -sS http://{HOST}:{port}"))
            await judge.is_asked.wait()
            assert box.trial.witness == ()
            assert not running.done()
            judge.waits.set()
            assert HELLO_TEXT in await running


async def test_a_question_that_waits_is_withdrawn_when_the_trial_ends(ground: Ground) -> None:
    withdrawn = asyncio.Event()

    class Waiting(Asked):
        async def __call__(self, host: str, port: int) -> Answer:
            self.is_asked.set()
            try:
                await asyncio.Event().wait()
            finally:
                withdrawn.set()
            return INSIDE

    judge = Waiting()
    async with Networked(ground, judge) as box:
        running = asyncio.ensure_future(box.run(f"timeout 1 curl -sS http://{HOST}/"))
        await judge.is_asked.wait()
        await running
    async with asyncio.timeout(10):
        await withdrawn.wait()


async def test_a_question_that_fails_lets_nothing_through(ground: Ground) -> None:
    class Failing(Asked):
        async def __call__(self, host: str, port: int) -> Answer:
            raise RuntimeError(host + str(port))

    with served() as port:
        async with Networked(ground, Failing()) as box:
            assert HELLO_TEXT not in await box.run(f"curl -sS http://{HOST}:{port}")
    assert box.contact(HOST, is_reached=False).because == "The question failed: RuntimeError."


async def test_without_a_judge_there_is_no_network(ground: Ground) -> None:
    with served() as port:
        async with Networked(ground, None) as box:  # type: ignore[arg-type]
            script = f"curl -sS http://{HOST}:{port} 2>&1; env | grep -ci proxy"
            assert (await box.run(script)).endswith("0\n")
            assert box.trial.has_ended
    assert box.trial.network is None
    assert box.trial.witness == ()


async def test_what_a_program_in_the_box_serves_is_reached_without_a_question(
    ground: Ground,
) -> None:
    judge = Asked()
    script = (
        f"{PYTHON} -m http.server 8123 >/dev/null 2>&1 & until curl -s localhost:8123/src/a.txt;"
        " do sleep 0.05; done; kill $!"
    )
    async with Networked(ground, judge) as box:
        assert await box.run(script) == "a\n"
    assert judge.questions == []
    assert box.trial.witness == ()


async def test_a_box_whose_network_cannot_be_made_is_not_started(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: int) -> None:
        raise OSError(1, "Operation not permitted")

    async with Networked(ground, Asked()) as box:
        monkeypatch.setattr(network, "sockets_inside", fails)
        assert "started" not in await box.run("echo started; echo x > made")
        assert not box.trial.has_ended
        assert box.trial.changes() == []
        assert box.trial.network is not None
        assert "Operation not permitted" in box.trial.network.failure


async def test_a_filter_that_the_kernel_does_not_take_starts_nothing(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Networked(ground, Asked()) as box:
        monkeypatch.setattr(network, "watching_program", lambda _: b"no filter")
        with pytest.raises(ShellFailed, match="could not be started"):
            await box.run("echo started; echo x > made")
        assert not box.trial.has_ended
        assert box.trial.changes() == []


async def test_where_no_network_can_be_made_the_box_has_none_and_says_why(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network_probe, "_passed", set())
    with monkeypatch.context() as broken:
        broken.setattr(network, "watching_program", lambda _: b"no filter")
        async with Networked(ground, Asked()) as box:
            assert "yes" in await box.run("echo yes; curl -sS http://x.example")
            assert box.trial.has_ended
    assert box.trial.network is None
    assert "no network here" in box.trial.no_network
    async with Networked(ground, Asked()) as box:
        assert box.trial.no_network == ""


@pytest.mark.parametrize("bwrap", BWRAPS)
async def test_each_bubblewrap_makes_a_box_with_a_network(
    ground: Ground, bwrap: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network_probe, "_passed", set())
    if not Path(bwrap).exists():
        pytest.skip("there is none")
    assert await asyncio.to_thread(network_probe.why_no_network, bwrap) == ""
    known, judge = program(platform.machine()), Asked({HOST: INSIDE})
    assert known is not None
    made = network.Network(judge, Resolved())
    with served() as port:
        command = ["/bin/sh", "-c", f"{KNOWS_NO_PROXY} curl -sS http://{HOST}:{port}"]
        with (
            made.opened(()) as opening,
            boxed(bwrap, ground.profile(trial=False), known, command, opening=opening) as start,
        ):
            started = begun(start, opening)
        printed, _ = await asyncio.to_thread(started.communicate)
        await asyncio.to_thread(made.end)
    assert HELLO_TEXT in printed.decode()
    assert judge.questions == [(HOST, port)]
    assert [contact.is_reached for contact in made.witness] == [True]


def begun(start: Start, opening: Opening) -> "subprocess.Popen[bytes]":
    """A box that is begun as the command line does."""
    name, inherited = start.by_descriptor
    return subprocess.Popen(
        network.started_by(opening, name, start.words),
        pass_fds=inherited,
        env={},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
    )


async def test_nothing_is_left_open_and_no_thread_runs_on(ground: Ground) -> None:
    with served() as port:
        for expected in (None, "as before"):
            async with Networked(ground, Asked({HOST: Answer(Leave.INSIDE)})) as box:
                await box.run(f"curl -sS http://{HOST}:{port}/ http://other.example/")
            names = sorted(thread.name for thread in threading.enumerate())
            held = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 -- one of them is this look
            if expected is None:
                before = (names, held)
        assert "network of a box" not in names
        assert (names, held) == before
