"""How a server begins and how it ends, over a real process."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import nullcontext
from importlib.metadata import packages_distributions
from pathlib import Path

import psutil
import pytest

from assent import __version__
from assent.editor.protocol.fingerprint import PROTOCOL_HASH
from editor.wire.client import BESIDE, STANDS_WITHIN, Client, Refusal, frame, opening
from editor.wire.editor import Editor
from editor.wire.side import Side, Start

MALFORMED, INVALID, NOT_YET, FAILED, CANCELLED = -32600, -32602, -32002, -32803, -32800
SECOND = set(
    """annotated_types asyncio attr attrs cattrs lsprotocol orjson pydantic pydantic_core pygls
    typing_extensions typing_inspection""".split()
)
PACKAGE = Path(__file__).resolve().parents[3] / "server" / "assent"
LOCK = (Path(__file__).resolve().parents[3] / "server" / "requirements.txt").read_text("utf-8")
LOCKED = set(re.findall(r"^([\w.-]+)==", LOCK, re.MULTILINE))
HEAVY = {"sqlite3"} | {
    name for name, whose in packages_distributions().items() if LOCKED & set(whose)
} - SECOND
"""Whatever the server brings along, and needs only once somebody asks for it."""


def question(method: str, key: object, **members: object) -> bytes:
    return frame({"jsonrpc": "2.0", "id": key, "method": method, **members})


def notice(method: str, **members: object) -> bytes:
    return frame({"jsonrpc": "2.0", "method": method, **members})


@pytest.fixture(autouse=True)
def _new(monkeypatch: pytest.MonkeyPatch) -> None:
    """How a server starts is what is tested here, so that each is a new Python."""
    monkeypatch.setattr("editor.wire.client.forked", nullcontext)


# The beginning.


async def test_what_is_tested_is_the_package_beside_these_tests(
    start_house: Start, side: Side
) -> None:
    client = await start_house("editor.wire.telling:compose")
    await client.open()
    await client.request("agent/closeChat", {"chatId": "c"}, within=STANDS_WITHIN)
    assert await side.line() == f"runs {PACKAGE}"


def test_a_program_of_the_tests_finds_the_package_beside_them() -> None:
    asked = "import assent; print(assent.__path__[0])"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, check=True, text=True)
    assert told.stdout.strip() == os.fspath(PACKAGE)


@pytest.mark.requirement("M-01")
async def test_initialize_tells_the_protocol_and_the_version(start_house: Start) -> None:
    client = await start_house()
    result = await client.open()
    told = result["capabilities"]["experimental"]["assent"]
    assert told == {"protocolHash": PROTOCOL_HASH, "version": __version__, "features": []}
    assert result["serverInfo"] == {"name": "assent", "version": __version__}


async def test_initialize_is_said_once(house: Client) -> None:
    with pytest.raises(Refusal) as caught:
        await house.request("initialize", opening(), within=STANDS_WITHIN)
    assert caught.value.code == MALFORMED


async def test_what_comes_with_initialize_is_served_in_order(
    start_house: Start, side: Side
) -> None:
    client = await start_house()
    words = [question("initialize", "i", params=opening()), notice("initialized", params={})]
    for number in range(300):
        words.append(question("agent/stop", number, params={"chatId": f"c{number}"}))
        settings = {"settings": number}
        words.append(notice("workspace/didChangeConfiguration", params=settings))
    client.send(b"".join(words))
    stops, settings = [], []
    for _ in range(600):
        word, told = (await side.line(within=STANDS_WITHIN)).split()
        (stops if word == "stop" else settings).append(told)
    assert stops == [f"c{number}" for number in range(300)]
    assert settings == [str(number) for number in range(300)]
    await client.until(lambda: len(client.strays) == 301)
    assert [stray["id"] for stray in client.strays] == ["i", *range(300)]


async def test_what_comes_before_the_house_stands_waits_in_order(
    start_house: Start, side: Side
) -> None:
    client = await start_house("compose_asking", editor=Editor(trusted=False))
    asked: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    client.answer_with = lambda key: asked.set_result(key) or b""
    client.send(question("initialize", "i", params=opening()))
    key = await asyncio.wait_for(asked, STANDS_WITHIN)
    for number in range(5):
        client.send(question("agent/stop", number, params={"chatId": f"c{number}"}))
    client.send(notice("$/cancelRequest", params={"id": 3}))
    await client.until(lambda: any(stray["id"] == 3 for stray in client.strays))
    client.send(frame({"jsonrpc": "2.0", "id": key, "result": {"trusted": True, "keys": {}}}))
    assert [await side.line() for _ in range(4)] == ["stop c0", "stop c1", "stop c2", "stop c4"]
    assert (await client.expect("agent/event")).event.append == "trusted: True"
    cancelled = next(stray for stray in client.strays if stray["id"] == 3)
    assert cancelled["error"]["code"] == CANCELLED


async def test_settings_of_any_shape_reach_a_house_that_asks(start_house: Start) -> None:
    odd = {"jsonrpc": "2.0", "type_name": "x y", "file-path": {"from": 1}}
    client = await start_house("compose_asking", editor=Editor(layers={"user": {"rules": odd}}))
    await client.open()
    event = await client.expect("agent/event", timeout=STANDS_WITHIN)
    assert event.event.append == "trusted: True"


async def test_nothing_is_served_before_initialize(start_house: Start, side: Side) -> None:
    client = await start_house()
    client.send(question("agent/stop", 1, params={"chatId": "early"}))
    client.send(question("shutdown", 2) + notice("initialized", params={}) + frame(b"nonsense"))
    await client.until(lambda: len(client.strays) == 3, within=STANDS_WITHIN)
    codes = [(stray["id"], stray["error"]["code"]) for stray in client.strays]
    assert codes == [(1, NOT_YET), (2, NOT_YET), (None, -32700)]
    await client.open()
    await client.request("agent/stop", {"chatId": "late"}, within=STANDS_WITHIN)
    assert await side.line() == "stop late"


NO_OPENING: list[dict[str, object]] = [
    {"capabilities": None},
    {"capabilities": []},
    {"processId": "1"},
    {"rootUri": 5},
    {"workspaceFolders": 5},
    {"workspaceFolders": [5]},
    {"workspaceFolders": [{"uri": 5, "name": "x"}]},
    {"workspaceFolders": [{"name": "x"}]},
]


async def test_an_opening_that_is_none_is_refused_and_may_be_said_again(
    start_house: Start,
) -> None:
    client = await start_house()
    for wrong in NO_OPENING:
        with pytest.raises(Refusal) as caught:
            await client.request("initialize", {**opening(), **wrong}, within=STANDS_WITHIN)
        assert caught.value.code == INVALID
        assert f"`{next(iter(wrong))}`" in caught.value.message
    assert (await client.open())["serverInfo"]["name"] == "assent"


async def test_an_editor_of_odd_capabilities_is_served(start_house: Start) -> None:
    client = await start_house()
    odd = {"workspace": 5, "textDocument": {"completion": "newer than we know"}}
    params = {**opening(["file:///some/where"]), "capabilities": odd}
    await client.request("initialize", params, within=STANDS_WITHIN)
    assert (await client.request("agent/list", within=STANDS_WITHIN)).agents == []


async def test_an_extension_of_another_version_is_told_to_reload(
    start_house: Start, side: Side
) -> None:
    client = await start_house()
    await client.open(options={"protocolHash": "another"})
    for method, params in (("agent/list", {}), ("agent/stop", {"chatId": "c"})):
        with pytest.raises(Refusal, match="of different versions; reload the window") as caught:
            await client.request(method, params, within=STANDS_WITHIN)
        assert caught.value.code == FAILED
    assert await client.leave() == 0
    assert await side.line() == "falls", "and no stop before it"


def test_what_speaks_http_and_reads_bash_is_among_what_is_loaded_late() -> None:
    assert {"httpx2", "httpcore2", "h11", "anyio", "tree_sitter", "tree_sitter_bash"} <= HEAVY


async def test_a_started_server_has_loaded_nothing_it_may_never_need(house: Client) -> None:
    turn = await house.request("agent/prompt", {"chatId": "c", "text": "report"})
    loaded = {name.partition(".")[0] for name in json.loads(turn.because)["modules"]}
    assert loaded & HEAVY == set()
    assert loaded >= SECOND, "or this test looks at the wrong process"


async def test_the_real_house_loads_nothing_before_somebody_needs_it(
    start_house: Start, side: Side, tmp_path: Path
) -> None:
    model = {"provider": "openai", "model": "tiny", "url": "http://127.0.0.1:9/v1"}
    editor = Editor(layers={"user": {"models": [model], "rules": {"deny": ["shell(rm:*)"]}}})
    client = await start_house("editor.wire.telling:compose", editor=editor)
    await client.open(folders=[tmp_path.as_uri()])
    await client.request("agent/subscribe", {"viewId": "v"}, within=STANDS_WITHIN)
    chat = await client.request("agent/newChat", {"agentId": "assent"}, within=STANDS_WITHIN)
    await client.request("agent/stop", {"chatId": chat.chat_id})
    loaded = set((await side.line()).split())
    assert loaded & HEAVY == set()
    assert {"assent", "pydantic"} <= loaded
    assert not any(name.startswith("assent.telemetry") for name in loaded), "nor what counts"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no such switch")
async def test_nobody_can_look_into_the_server_where_keys_are(
    start_house: Start, side: Side
) -> None:
    client = await start_house("editor.wire.telling:compose")
    await client.open()
    await client.request("agent/list", within=STANDS_WITHIN)
    assert await side.line() == "dumpable 0"


def test_the_first_stage_loads_only_the_standard_library() -> None:
    program = "import sys, assent.cli.main, assent.editor.lsp.start; print(*sorted(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True, timeout=30
    ).stdout.split()
    ours = {name for name in loaded if name.startswith("assent")}
    assert ours == {
        "assent",
        "assent.cli",
        "assent.cli.main",
        "assent.editor",
        "assent.gate",
        "assent.gate.call",
        "assent.gate.call.errors",
        "assent.editor.lsp",
        "assent.editor.lsp.frames",
        "assent.editor.lsp.start",
        "assent.editor.protocol",
        "assent.editor.protocol.fingerprint",
    }
    assert {name.partition(".")[0] for name in loaded} & (SECOND | HEAVY) == set()


# The end.


async def test_goodbye_ends_with_zero(house: Client, side: Side) -> None:
    assert await house.leave() == 0
    assert await side.line() == "falls"


async def test_exit_without_shutdown_ends_with_one(house: Client, side: Side) -> None:
    house.notify("exit")
    assert await side.line() == "falls"
    assert await house.ended() == 1


async def test_after_shutdown_questions_are_refused_and_nothing_runs(
    house: Client, side: Side
) -> None:
    await house.request("shutdown")
    for method, params in (("agent/stop", {"chatId": "c"}), ("shutdown", None), ("no/such", {})):
        with pytest.raises(Refusal) as caught:
            await house.request(method, params)
        assert caught.value.code == MALFORMED
    house.notify("workspace/didChangeConfiguration", {"settings": 1})
    house.notify("exit")
    assert await house.ended() == 0
    assert await side.line() == "falls", "and nothing before it"


async def test_what_follows_exit_is_not_read(house: Client, side: Side) -> None:
    house.send(notice("exit") + question("agent/stop", 1, params={"chatId": "c"}))
    assert await house.ended() == 1
    assert await side.line() == "falls"
    assert house.strays == []


async def test_the_end_of_the_stream_ends_the_house_its_children_and_the_process(
    house: Client, side: Side
) -> None:
    turn = await house.request("agent/prompt", {"chatId": "c", "text": "background sleep 1000"})
    child = psutil.Process(int(turn.because))
    house.ask("agent/prompt", {"chatId": "c", "text": "wait"})
    assert await side.line() == "waiting"
    house.close_stdin()
    assert await side.line() == "falls"
    assert await side.line() == "cancelled", "a question that is open is stopped when all is ended"
    assert await house.ended() == 1
    assert not child.is_running()


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGTERM, 143), (signal.SIGINT, 130)],
)
async def test_a_signal_ends_the_house_and_the_process(
    house: Client, side: Side, number: signal.Signals, code: int
) -> None:
    await house.request("agent/list", within=STANDS_WITHIN)
    house.process.send_signal(number)
    assert await side.line() == "falls"
    assert await house.ended() == code


async def test_blocked_threads_do_not_keep_the_process(house: Client) -> None:
    await house.request("agent/prompt", {"chatId": "c", "text": "threads 10"})
    house.close_stdin()
    assert await house.ended(within=15) == 1


async def test_a_house_that_cannot_be_built_ends_the_process(start_house: Start) -> None:
    client = await start_house("compose_broken")
    client.send(question("initialize", 1, params=opening()))
    client.send(question("agent/stop", 2, params={"chatId": "c"}))
    assert await client.ended() == 1
    assert [stray["id"] for stray in client.strays] == [1], "nothing is served"
    assert "no ground to build on" in client.log


async def test_an_editor_that_leaves_while_the_house_is_built_is_no_failure(
    start_house: Start,
) -> None:
    client = await start_house("compose_asking")
    asked = asyncio.Event()
    client.answer_with = lambda _: asked.set() or b""
    client.send(question("initialize", 1, params=opening()))
    await asyncio.wait_for(asked.wait(), STANDS_WITHIN)
    client.close_stdin()
    assert await client.ended() == 1
    assert "Traceback" not in client.log
    assert "did not end" not in client.log, "nor did anybody wait for an answer"


@pytest.mark.parametrize("said", [b"", notice("exit"), b"Content-Le"])
async def test_an_editor_that_leaves_before_initialize_ends_the_process(
    start_house: Start, said: bytes
) -> None:
    client = await start_house()
    client.send(said)
    client.close_stdin()
    assert await client.ended() == 1
    assert "before it said initialize" in client.log


async def test_broken_framing_before_initialize_ends_the_process(start_house: Start) -> None:
    client = await start_house()
    client.send(b"GET / HTTP/1.1\r\n\r\n")
    assert await client.ended() == 1
    assert "The connection is over." in client.log


async def test_an_editor_that_stops_listening_for_good_ends_the_process(
    house: Client, side: Side
) -> None:
    house.process._transport.get_pipe_transport(1).close()  # type: ignore[attr-defined]
    # The loop closes it in its next turn; said before that, the answer would find a reader.
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    house.notify("$/setTrace", {"value": "off"})
    assert await side.line() == "falls"
    assert await house.ended() == 1


# The command.


def run(*words: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "assent", *words],
        capture_output=True,
        check=False,
        text=True,
        timeout=30,
        **options,  # type: ignore[call-overload]
    )


def test_the_version_is_told() -> None:
    assert run("--version").stdout == f"assent {__version__}\n"


@pytest.mark.parametrize("words", [["nonsense"], ["serve", "--port", "1"], ["eliza", "x"]])
def test_a_command_that_is_none_is_told_and_ends_with_two(words: list[str]) -> None:
    ended = run(*words)
    assert ended.returncode == 2
    assert ended.stderr.startswith("assent: ")
    assert ended.stdout == ""


def test_a_server_without_an_editor_says_so(tmp_path: Path) -> None:
    with (tmp_path / "in").open("w+") as stdin:
        ended = run("serve", stdin=stdin)
    assert ended.returncode == 2
    assert "speaks to an editor over pipes" in ended.stderr


def test_a_server_whose_descriptors_are_closed_says_so() -> None:
    ended = subprocess.run(
        ["/bin/sh", "-c", 'exec "$0" -m assent serve <&- >&-', sys.executable],
        stderr=subprocess.PIPE,
        check=False,
        text=True,
        timeout=30,
        env=dict(os.environ),
    )
    assert ended.returncode == 2
    assert "speaks to an editor over pipes" in ended.stderr


def test_sockets_serve_as_well_as_pipes() -> None:
    """Node gives its children sockets."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        program = "from assent.editor.lsp.start import serve; serve('editor.wire.house:compose')"
        environment = {**os.environ, "PYTHONPATH": BESIDE}
        process = subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        theirs.close()
        ours.settimeout(STANDS_WITHIN)
        ours.sendall(question("initialize", 1, params=opening()))
        assert b'"serverInfo"' in ours.recv(65536)
        ours.sendall(question("shutdown", 2))
        assert b'"result":null' in ours.recv(65536)
        ours.sendall(notice("exit"))
        assert process.wait(15) == 0
