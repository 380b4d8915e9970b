"""What tries to get out of a box with a network is refused, and told, and reaches nothing."""

import asyncio
import os
import socket
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from assent.gate.sandbox import doorway, hosts
from assent.gate.sandbox.hosts import Answer, Leave
from assent.gate.text.addresses import host_of
from gate.sandbox.conftest import PYTHON, WITHIN_S, Ground
from gate.sandbox.networked import (
    HELLO,
    INSIDE,
    Asked,
    Networked,
    Resolved,
    certificate,
    listening,
    served,
)
from tables import each_row

HOST: Final = "registry.example"
OUTSIDE: Final = Answer(Leave.OUTSIDE, "A rule allows it.")
HELLO_TEXT: Final = HELLO.decode()
SPOKEN: Final = (
    "import os, socket, sys\n"
    "s = socket.create_connection(('127.0.0.1', 3128))\n"
    "s.sendall(bytes.fromhex(sys.argv[1]))\n"
    "s.settimeout(20)\n"
    "while piece := s.recv(4096): os.write(1, piece)\n"
)
"""Says some bytes to the doorway, and prints what it answers."""
INSIDE_ADDRESSES: Final = {
    "metadata": "169.254.169.254",
    "loopback": "127.0.0.1",
    "another loopback": "127.9.9.9",
    "nobody": "0.0.0.0",  # noqa: S104 -- it is not bound
    "private": "10.0.0.1",
    "shared by a provider": "100.64.0.1",
    "made up": "198.18.0.1",
    "loopback of the sixth version": "[::1]",
    "the fourth version in the sixth": "[::ffff:127.0.0.1]",
    "metadata in the sixth version": "[fd00:ec2::254]",
    "link of the sixth version": "[fe80::1]",
}
NO_HOSTS: Final = {
    "a number": "2130706433",
    "hexadecimal": "0x7f.1",
    "octal": "0177.0.0.1",
    "short": "127.1",
    "a zero byte": "evil.example\0.registry.example",
    "a control byte": "evil.example\x01",
    "a user": "a@evil.example",
    "another path": "evil.example/registry.example",
    "another letter": "re\xe9gistry.example",
    "a per cent sign": "evil%2eexample",
    "nothing": "",
    "many dots": "evil.example..",
}


def to_socks(host: bytes, port: int) -> bytes:
    """A request of SOCKS5 for a name."""
    return b"\5\1\0\5\1\0\3" + bytes([len(host)]) + host + port.to_bytes(2, "big")


@each_row("address", INSIDE_ADDRESSES)
async def test_an_address_inside_needs_leave_for_just_that(ground: Ground, address: str) -> None:
    named = host_of(INSIDE_ADDRESSES[address])
    assert named is not None
    host, judge = named.host, Asked({named.host: OUTSIDE})
    asked = f"CONNECT {INSIDE_ADDRESSES[address]}:81 HTTP/1.1\r\n\r\n".encode().hex()
    async with Networked(ground, judge) as box:
        printed = await box.run(f'{PYTHON} -c "$SPOKEN" {asked}', SPOKEN=SPOKEN)
    assert "403 Forbidden" in printed
    assert judge.questions == [(host, 81)]
    assert box.refused == [(host, 81)]
    assert "which lies on this machine" in box.contact(host, is_reached=False).because


@each_row("text", NO_HOSTS)
@pytest.mark.parametrize("by", ["CONNECT", "GET", "SOCKS"])
async def test_what_two_readers_may_read_as_two_hosts_is_refused(
    ground: Ground, text: str, by: str
) -> None:
    host, judge = NO_HOSTS[text].encode("latin-1"), Asked()
    said = {
        "CONNECT": b"CONNECT %b:80 HTTP/1.1\r\n\r\n" % host,
        "GET": b"GET http://%b:80 HTTP/1.1\r\n\r\n" % host,
        "SOCKS": to_socks(host, 80),
    }[by]
    async with Networked(ground, judge) as box:
        printed = await box.run(f'{PYTHON} -c "$SPOKEN" {said.hex()}', SPOKEN=SPOKEN)
    if by == "SOCKS":
        assert printed.encode("utf-8", "surrogateescape")[:1] == b"\5"
        assert "\5\2" in printed
    else:
        assert "403 Forbidden" in printed
    assert judge.questions == [] or (by, text) == ("GET", "another path")
    assert len(box.refused) == 1
    assert all(contact.host.isprintable() for contact in box.trial.witness)


HEADS: Final = {
    "no version": b"CONNECT registry.example:80\r\n\r\n",
    "no port": b"CONNECT registry.example HTTP/1.1\r\n\r\n",
    "too high a port": b"CONNECT registry.example:70000 HTTP/1.1\r\n\r\n",
    "no URL": b"GET / HTTP/1.1\r\nHost: registry.example\r\n\r\n",
    "another scheme": b"GET ftp://registry.example/ HTTP/1.1\r\n\r\n",
    "a folded field": b"GET http://registry.example/ HTTP/1.1\r\nA: b\r\n c: d\r\n\r\n",
    "a bare line feed": b"GET http://registry.example/ HTTP/1.1\r\nA: b\nC: d\r\n\r\n",
    "a very long head": b"GET http://registry.example/ HTTP/1.1\r\nA: " + b"a" * 40_000,
    "another protocol": b"\4\1\0\x50\x7f\0\0\1\0",
    "SOCKS that waits for a connection": b"\5\1\0\5\2\0\3\1a\0\x50",
    "SOCKS with a login": b"\5\1\2",
}


@each_row("head", HEADS)
async def test_what_cannot_be_read_is_not_asked_about(
    ground: Ground, head: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doorway, "_HEAD_TIMEOUT_S", 0.2)
    (ground.workspace / "head").write_bytes(HEADS[head])
    judge = Asked({HOST: INSIDE})
    script = (
        f"{PYTHON} -c \"import socket; s = socket.create_connection(('127.0.0.1', 3128));"
        " s.sendall(open('head', 'rb').read()); print(s.makefile('rb').read())\" 2>&1"
    )
    async with Networked(ground, judge) as box:
        printed = await box.run(script)
    assert "200" not in printed
    assert judge.questions == []
    assert not any(contact.is_reached for contact in box.trial.witness)


async def test_a_name_that_leads_inside_by_now_is_refused(ground: Ground) -> None:
    class Rebinding(Resolved):
        async def __call__(self, host: str, port: int) -> list[str]:
            self.names.append(host)
            return ["192.0.2.1"] if len(self.names) == 1 else ["127.0.0.1"]

    resolve = Rebinding()
    with served() as port:
        async with Networked(ground, Asked({HOST: OUTSIDE}), resolve) as box:
            script = f"for n in 1 2; do curl -sS -m 5 http://{HOST}:{port}; done"
            assert HELLO_TEXT not in await box.run(script)
    assert resolve.names == [HOST, HOST]
    # Addresses that are set aside for documents count as inside, too.
    assert len(box.refused) == 2


async def test_one_address_inside_among_others_is_enough(ground: Ground) -> None:
    resolve = Resolved({HOST: ("93.184.215.14", "127.0.0.1")})
    with served() as port:
        async with Networked(ground, Asked({HOST: OUTSIDE}), resolve) as box:
            assert HELLO_TEXT not in await box.run(f"curl -sS http://{HOST}:{port}")
    assert "127.0.0.1" in box.contact(HOST, is_reached=False).because


async def test_the_address_that_was_found_is_the_one_that_is_dialled(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialled = []

    async def dial(host: str, port: int) -> None:
        dialled.append((host, port))
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(hosts.asyncio, "open_connection", dial)
    resolve = Resolved({HOST: ("93.184.215.14", "2606:2800:21f::1")})
    async with Networked(ground, Asked({HOST: OUTSIDE}), resolve) as box:
        await box.run(f"curl -sS http://{HOST}")
    assert dialled == [("93.184.215.14", 80), ("2606:2800:21f::1", 80)]
    assert resolve.names == [HOST]
    assert "connection refused" in box.contact(HOST, is_reached=False).because


TLS_CLIENTS: Final = {
    "another name": "server_hostname='other.example'",
    "no name": "",
}


@each_row("client", TLS_CLIENTS)
@pytest.mark.parametrize("is_led", [False, True], ids=["by proxy", "led"])
async def test_tls_that_is_meant_for_another_host_is_closed(
    ground: Ground, client: str, is_led: bool
) -> None:
    certified, key = certificate(ground.top, HOST, "other.example")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certified, key)
    names: list[str | None] = []
    context.sni_callback = lambda _socket, name, _context: names.append(name)
    begun = (
        "s = socket.create_connection((os.environ['HOST'], int(os.environ['PORT'])))"
        if is_led
        else "s = socket.create_connection(('127.0.0.1', 3128));"
        " s.sendall(f\"CONNECT {os.environ['HOST']}:{os.environ['PORT']} HTTP/1.1\\r\\n\\r\\n\""
        ".encode()); print(s.recv(4096))"
    )
    script = (
        f"import os, socket, ssl\n{begun}\nc = ssl._create_unverified_context()\n"
        f"s = c.wrap_socket(s, {TLS_CLIENTS[client]})\ns.sendall(b'GET / HTTP/1.0\\r\\n\\r\\n')\n"
        "print(s.recv(4096))"
    )
    with served(within=context) as port:
        async with Networked(ground, Asked({HOST: INSIDE})) as box:
            printed = await box.run(
                f'{PYTHON} -c "$SCRIPT"', SCRIPT=script, HOST=HOST, PORT=str(port)
            )
    assert names == []
    assert HELLO_TEXT not in printed
    assert "TLS" in box.contact(HOST, is_reached=False).because


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder of the machine that a box sees as it is."""
    with tempfile.TemporaryDirectory(prefix="assent-test-", dir=_seen()) as folder:
        yield Path(folder)


def _seen() -> str:
    return next(path for path in ("/var/lib", str(Path.home())) if os.access(path, os.W_OK))


REACHING: Final = (
    "import os, socket, sys\n"
    "for name in sys.argv[1:]:\n"
    "    s = socket.socket(socket.AF_UNIX)\n"
    "    s.setblocking(os.environ.get('BLOCKS', 'yes') == 'yes')\n"
    "    try:\n"
    "        s.connect(name.replace('@', '\\0'))\n"
    "        s.setblocking(True)\n"
    "        print(s.recv(99))\n"
    "    except OSError as error: print(error)\n"
)


@pytest.mark.parametrize("blocks", ["yes", "no"])
async def test_a_socket_outside_is_never_reached(ground: Ground, place: Path, blocks: str) -> None:
    names = (f"{place}/agent", f"{ground.home}/agent", f"{ground.workspace}/agent", "\0assent-test")
    async with Networked(ground, Asked()) as box:
        for link in ("workspace/link", "home/link"):
            (ground.top / link).symlink_to(f"{place}/agent")
        with (
            listening(names[0]) as (seen, _),
            listening(names[1]) as (home, _),
            listening(names[2]) as (workspace, _),
            listening(names[3]) as (abstract, _),
        ):
            ways = ("", "/proc/self/root", "/proc/self/cwd/../../../../../..")
            outside = [f"{way}{place}/agent" for way in ways]
            shown = " ".join([*names[1:3], "@assent-test", "link", "~/link", *outside])
            script = f'ln -s {place}/agent own; {PYTHON} -c "$R" {shown} own'
            printed = await box.run(script, R=REACHING, BLOCKS=blocks)
            assert HELLO_TEXT not in printed, printed
            assert printed.count("Errno") == 9, printed
            assert (seen, home, workspace, abstract) == ([], [], [], [])
    assert (f"{place}/agent", 0) in box.refused


async def test_sockets_of_the_box_itself_are_reached(ground: Ground) -> None:
    script = """
import os, socket, threading
for name in ("own", "/tmp/own", "/run/own", os.path.expanduser("~/own"), "\\0own"):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        a, b = socket.socket(socket.AF_UNIX, kind), socket.socket(socket.AF_UNIX, kind)
        a.bind(name)
        if kind == socket.SOCK_STREAM: a.listen()
        b.connect(name)
        b.sendall(b"x")
        got = (a.accept()[0] if kind == socket.SOCK_STREAM else a).recv(9)
        a.close()
        if name[0] != "\\0": os.unlink(name)
        print(got)
for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::ffff:127.0.0.1")):
    a, b = socket.socket(), socket.socket(family)
    a.bind(("0.0.0.0", 0)); a.listen()
    b.connect((host, a.getsockname()[1]))
    b.sendall(b"x"); print(a.accept()[0].recv(9))
a, b = (socket.socket(type=socket.SOCK_DGRAM) for _ in range(2))
a.bind(("127.0.0.1", 0)); b.connect(a.getsockname()); b.send(b"x"); print(a.recv(9))
a = socket.socket(); a.bind(("127.0.0.1", 0)); name = a.getsockname(); a.close()
try: socket.create_connection(name)
except ConnectionRefusedError: print(b"x")
"""
    judge = Asked()
    async with Networked(ground, judge) as box:
        printed = await box.run(f'{PYTHON} -c "$SCRIPT"', SCRIPT=script)
    assert printed == "b'x'\n" * 14, printed
    assert judge.questions == []
    assert box.refused == []


SWAPS: Final = {
    "the address in memory": """
def swap():
    while not done:
        ctypes.memmove(room, inner, len(inner)); ctypes.memmove(room, outer, len(outer))
def descriptor(): return socket.socket(socket.AF_UNIX)
""",
    "the socket behind the descriptor": """
room = ctypes.create_string_buffer(outer, 128)
holder = socket.socket()
def swap():
    a, b = socket.socket(), socket.socket(socket.AF_UNIX)
    while not done:
        os.dup2(a.fileno(), holder.fileno()); os.dup2(b.fileno(), holder.fileno())
def descriptor(): return holder
""",
}


@each_row("swap", SWAPS)
async def test_what_is_swapped_while_it_is_looked_at_reaches_nothing(
    ground: Ground, place: Path, swap: str
) -> None:
    script = f"""
import ctypes, os, socket, struct, sys, threading
sys.setswitchinterval(1e-6)
libc = ctypes.CDLL(None)
def packed(path): return struct.pack("H", 1) + path.encode().ljust(100, b"\\0")
server = socket.socket(socket.AF_UNIX); server.bind("/tmp/own"); server.listen(4096)
inner, outer = packed("/tmp/own"), packed(sys.argv[1])
room = ctypes.create_string_buffer(inner, 128)
done = False
{SWAPS[swap]}
thread = threading.Thread(target=swap); thread.start()
for _ in range(300):
    s = descriptor()
    libc.connect(s.fileno(), room, len(inner))
    if s is not globals().get("holder"): s.close()
done = True; thread.join(); print("tried")
"""
    with listening(f"{place}/{len(swap)}") as (reached, _):
        async with Networked(ground, Asked()) as box:
            assert (
                await box.run(f'{PYTHON} -c "$SCRIPT" {place}/{len(swap)}', SCRIPT=script)
                == "tried\n"
            )
    assert reached == []
    assert (f"{place}/{len(swap)}", 0) in box.refused


async def test_a_socket_that_a_command_inherits_leads_nowhere_else(ground: Ground) -> None:
    """A command line's own run, whose questions are answered beside it."""
    script = Path(__file__).with_name("inherited_socket.py")
    with closing(socket.socket()) as server, listening(("127.0.0.1", 0)) as (reached, name):
        server.bind(("127.0.0.1", 0))
        server.listen()
        given = socket.create_connection(server.getsockname())
        with closing(given):
            ended = await asyncio.to_thread(
                subprocess.run,
                [sys.executable, str(script), str(ground.top), str(name[1])],
                stdin=given.fileno(),
                capture_output=True,
                text=True,
                timeout=WITHIN_S,
                check=False,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            )
        assert reached == []
    assert "Operation not permitted" in ended.stdout, (ended.stdout, ended.stderr)
    assert "status 3" in ended.stdout
    assert "inherited leads out" in ended.stdout
    assert "asked registry.example 80" in ended.stdout


async def test_a_box_asks_for_no_more_than_a_few_hosts(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosts, "_MAX_HOSTS", 3)
    judge = Asked()
    async with Networked(ground, judge) as box:
        await box.run("for n in 1 2 3 4 5; do curl -sS http://host$n.example; done")
    assert len(judge.questions) == 3
    assert "More than 3 hosts" in box.contact("host5.example", is_reached=False).because


async def test_a_box_asks_for_no_more_hosts_once_a_few_were_refused(ground: Ground) -> None:
    judge = Asked()
    async with Networked(ground, judge) as box:
        await box.run("for n in $(seq 12); do curl -sS http://host$n.example; done")
    assert len(judge.questions) == 8
    assert "it asks no more" in box.contact("host12.example", is_reached=False).because


async def test_more_connections_than_a_box_may_have_are_closed(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doorway, "_MAX_CONNECTIONS", 4)
    script = (
        f"{PYTHON} -c \"import socket; many = [socket.create_connection(('127.0.0.1', 3128))"
        ' for _ in range(6)]; print(many[5].recv(9))" 2>&1'
    )
    async with Networked(ground, Asked()) as box:
        printed = await box.run(script)
    assert "b''" in printed or "reset" in printed
    assert "More than 4 connections" in box.contact("", is_reached=False).because
