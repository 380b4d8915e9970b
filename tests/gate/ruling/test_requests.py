"""A command that sends a request is asked about where the tool for requests is."""

import socket
from pathlib import Path
from typing import Final

import pytest
from attrs import evolve

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.places import Places
from assent.gate.rules.book import Book
from assent.gate.rules.notation import written
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from gate.ruling.samples import fetching, running, searching

_ALLOW, _ASK = Verdict.ALLOW, Verdict.ASK

_NEAR: Final = (
    *"169.254.169.254 192.168.1.1 10.0.0.5 172.16.3.4 100.100.100.200 0.0.0.0 127.0.0.2".split(),
    *"[fd00::1] [fe80::1] [::] [::ffff:10.0.0.1] router metadata.google.internal nas.local".split(),
    *"127.0.0.1.nip.io app.localhost 127.1 2130706433 0x7f.0.0.1 0177.0.0.1 0 1２7.0.0.1".split(),
)
"""Hosts on this machine, its network or a cloud's own, in whatever spelling."""
_FAR: Final = ("x.org", "93.184.216.34", "[2606:4700::1111]", "api.github.com")

_REQUESTS: Final = (
    *("curl http://{}/", "curl -sS 'http://{}:8080/a?b=c'", "wget -qO- http://{}/"),
    *("curl --url http://{}/ -X POST -d a=b", "http GET http://{}/a", "bash -c 'curl http://{}/'"),
    *(
        "U='http://{}/'; curl \"$U\"",
        "curl http://x.org/ http://{}/",
        "ls; curl http://{}",
    ),
)
_BARE: Final = ("curl {}", "curl {}:8080/a", "wget {}", "xh {}/a", "curl -x {}:80 http://x.org/")
"""Ways to name a host alone, which is read so where it is of ordinary letters."""
_OF_NAMES: Final = (
    "for h in {} x.org; do curl http://$h/; done",
    "curl --connect-to ::{}:80 http://x.org/",
    "curl --resolve x.org:80:{} http://x.org/",
    "cat < /dev/tcp/{}/80",
)


def said_of(root: Path, command: str, *rules: str, mode: Mode = Mode.AUTO) -> Verdict:
    call = running(command, cwd=str(root))
    return decide(call, policy_of(root, *rules, mode=mode), places_of(root)).verdict


def policy_of(root: Path, *rules: str, mode: Mode = Mode.AUTO) -> Policy:
    book = Book.of([written(it, _ALLOW) for it in rules], (str(root),), str(root.parent))
    return Policy(mode=mode, trusted=True, book=book)


def places_of(root: Path) -> Places:
    return Places(roots=(str(root),), home=str(root.parent))


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace on a machine where something listens at each port but 9."""
    monkeypatch.setattr("assent.gate.disk.places.listens", lambda port: port != 9)
    root = tmp_path.resolve() / "till"
    root.mkdir()
    return root


def test_in_auto_a_command_is_asked_about_where_the_tool_for_requests_is(root: Path) -> None:
    for host in (*_NEAR, *_FAR, "localhost", "127.0.0.1", "[::1]"):
        call = evolve(fetching(f"http://{host}/"), cwd=str(root))
        of_tool = decide(call, policy_of(root), places_of(root)).verdict
        assert of_tool is (_ALLOW if host in _FAR else _ASK), host
        forms = (*_REQUESTS, *(_BARE if host.isascii() else ()))
        for command in (it.format(host) for it in forms):
            # Without quotes brackets are a pattern, which is no address that can be read.
            of_pattern = _ASK if "[" in command and "'http" not in command else of_tool
            assert said_of(root, command) is of_pattern, command
        # A host of the sixth version has colons of its own, and is a pattern without quotes.
        for command in (it.format(host) for it in _OF_NAMES if "[" not in host and host.isascii()):
            assert said_of(root, command) is of_tool, command


def test_an_address_that_two_readers_read_in_two_ways_is_asked_about(root: Path) -> None:
    for url in ("http://{10.0.0.1,x.org}/", "http://10.0.0.[1-9]/", "http://me@x.org/"):
        assert said_of(root, f"curl '{url}'") is _ASK, url
    for url in ("http://x.org/{a,b}", "http://x.org/[1-9]?a=b@c", "https:/x.org/a"):
        assert said_of(root, f"curl '{url}'") is _ALLOW, url


def test_a_host_that_cannot_be_read_is_asked_about_however_it_is_spelled(root: Path) -> None:
    for command in (
        *("curl 127%2e0.0.1", "curl loc%61lhost:9/a", "wget 127%2e0.0.1", "xh loc%61lhost"),
        *("curl '{localhost,x.org}:9'", "curl {localhost,x.org}:80", "curl '127.0.0.[1-3]:9'"),
        *("curl //localhost:9", "curl 'http:localhost:9'", "curl 'http:\\\\localhost'"),
        *("http :9", "http :/a", "http GET :9/a", "xh :9", "https localhost", "https 127.0.0.1/a"),
        *("curl 0x7f.1", "curl 2130706433", "curl '[::ffff:127.0.0.1]'", "curl [::ffff:7f00:1]"),
    ):
        assert said_of(root, command) is _ASK, command
    for command in (
        *("curl x.org/%20", "curl x.org/{a,b}", "curl 'x.org/{a,b}'", "curl 'x.org/[1-9]?a=[b]'"),
        *("http x.org", "https x.org/a", "http POST x.org a=b", "http --version", "curl -s x.org"),
        *("curl $HOST/a", 'curl "$BASE/a"', "curl https://x.org/$ID", "curl 'https://x.org/a%2eb'"),
    ):
        assert said_of(root, command) is _ALLOW, command


def test_a_rule_about_the_host_or_the_command_lets_it_pass_and_one_about_all_hosts_does_not(
    root: Path,
) -> None:
    for host in ("169.254.169.254", "localhost", "router"):
        command = f"curl http://{host}/a"
        for rule in (f"fetch(domain:{host})", f"shell({command})", "shell(curl:*)"):
            assert said_of(root, command, rule) is _ALLOW, f"{command} beside {rule}"
        for rule in ("fetch(*)", "fetch(domain:x.org)", "shell(wget:*)"):
            assert said_of(root, command, rule) is _ASK, f"{command} beside {rule}"
        assert said_of(root, command, mode=Mode.DEFAULT) is _ASK
        assert said_of(root, command, mode=Mode.PLAN) is Verdict.DENY


def test_this_machine_is_asked_unasked_where_nothing_listens_yet(root: Path) -> None:
    for command in (
        *("curl localhost:9", "curl http://127.0.0.1:9/a", "wget -qO- '[::1]:9/a?b'"),
        "npm run dev & sleep 2; curl -s localhost:9/health",
        "curl -H 'Origin: http://localhost:3000' http://localhost:9/a",
        "for p in a b; do curl http://localhost:9/$p; done",
    ):
        assert said_of(root, command) is _ALLOW, command
        listened = command.replace(":9", ":3000")
        assert said_of(root, listened) is _ASK, listened
    for command in (
        *("curl localhost:9 localhost:22", "curl localhost:$PORT", "curl 'localhost:[9-22]'"),
        *("curl http://router/ localhost:9/router", "curl HTTP://ROUTER/ localhost:9/router"),
        *("curl http://127.1:9/", "curl 127.1 127.0.0.1:9", "curl http://1２7.0.0.1/ 127.0.0.1:9"),
        *("curl --connect-to ::localhost:22 localhost:9", "curl -x localhost:22 localhost:9"),
        "curl --unix-socket /var/run/docker.sock http://localhost:9/containers/json",
    ):
        assert said_of(root, command) is _ASK, command


def test_what_is_no_request_to_a_host_near_by_is_not_asked_about(root: Path) -> None:
    for command in (
        *("echo http://169.254.169.254/", "grep -r http://localhost src", "curl --version"),
        *("nc -z localhost 80", "psql -h localhost -c 'select 1'", "ssh 10.0.0.5 uptime"),
        *("curl https://x.org/?next=http://localhost/", "curl -H Host:localhost.org x.org"),
        *('curl -d \'{"u":"http://10.0.0.1/"}\' https://x.org/', "curl -A 'a:b' x.org"),
    ):
        assert said_of(root, command) is _ALLOW, command


def test_the_kernel_tells_whether_anything_listens(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert places_of(tmp_path).listens(port)
    assert not places_of(tmp_path).listens(0)


def test_a_search_by_the_persons_own_engine_passes_wherever_it_is(root: Path) -> None:
    for mode in (Mode.PLAN, Mode.DEFAULT, Mode.ACCEPT_EDITS, Mode.AUTO):
        for host in ("searx.example.org", "localhost:8888", "192.168.1.1"):
            call = searching(f"http://{host}/search?q=vat", cwd=str(root))
            assert decide(call, policy_of(root, mode=mode), places_of(root)).verdict is _ALLOW, host


def test_a_search_is_ruled_on_by_rules_about_its_host(root: Path) -> None:
    call = searching("https://searx.example.org/search?q=vat", cwd=str(root))
    for verdict in (_ASK, Verdict.DENY):
        book = Book.of([written("fetch(domain:searx.example.org)", verdict)], (str(root),), "/home")
        policy = Policy(mode=Mode.AUTO, trusted=True, book=book)
        assert decide(call, policy, places_of(root)).verdict is verdict


def test_a_request_that_a_search_engine_sends_on_is_no_search(root: Path) -> None:
    call = searching("https://searx.example.org/search?q=vat", cwd=str(root))
    onward = evolve(call, input=call.input | {"redirects": ["http://192.168.1.1/"]})
    assert decide(onward, policy_of(root), places_of(root)).verdict is _ASK
    plan = policy_of(root, mode=Mode.PLAN)
    assert decide(onward, plan, places_of(root)).verdict is Verdict.DENY
