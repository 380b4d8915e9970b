"""Fixtures for tests over a real server process, which leaves nothing behind."""

import asyncio
import itertools
import json
import os
import sys
import uuid
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest

from assent.editor.lsp import editor_requests
from editor.wire.client import BESIDE, STANDS_WITHIN, Client
from editor.wire.editor import Editor
from editor.wire.in_process import is_free
from editor.wire.inside import Inside, inside
from editor.wire.scene import Scene, Stage
from editor.wire.side import Side, Start

_GONE_WITHIN = 20.0
_MARK = "ASSENT_TEST_RUN"


@pytest.fixture
def state_dir(tmp_path: Path) -> Path:
    """Where this test's server keeps what it must remember."""
    path = tmp_path / "state"
    path.mkdir()
    return path


@pytest.fixture
async def start(
    state_dir: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Start]:
    """Starts servers; at the end each is gone, with its children, and has said nothing wrong.

    The first runs in this process unless the test is marked `process`. It is torn down before
    `monkeypatch`, which gives back variables that a server in this process has been lent.
    """
    clients: list[Client] = []
    needs_process = any(request.node.iter_markers("process")) or any(
        request.node.iter_markers("agents")
    )
    mark = uuid.uuid4().hex

    async def begin(*command: str, env: dict[str, str] | None = None, **options: Any) -> Client:
        surroundings = {
            "ASSENT_STATE_DIR": str(state_dir),
            "PYTHONPATH": BESIDE,
            # Nothing that happens to run on this machine has a say in what is tested.
            "OLLAMA_HOST": "127.0.0.1:9",
            "ASSENT_BWRAP": "/nowhere/bwrap",
            _MARK: mark,
            **(env or {}),
        }
        if command or needs_process or not is_free():
            words: dict[str, Sequence[str]] = {"command": command} if command else {}
            client = await Client.start(**words, env=surroundings, **options)
        else:
            client = await Client.start_in_process(env=surroundings, **options)
        clients.append(client)
        return client

    yield begin
    families = [client.family() for client in clients if not client.is_in_process]
    # The first one last, since what the others began in this process is none of its leftovers.
    for client in reversed(clients):
        await client.dispose()
        request.node.add_report_section("teardown", "log of the server", client.log)
    known = list(itertools.chain(*families))
    _, left = psutil.wait_procs([*known, *_marked(mark)], timeout=_GONE_WITHIN)
    for process in left:
        process.kill()
    assert left == [], "the server left processes behind"
    assert [fault for client in clients for fault in client.faults] == []


@pytest.fixture
async def side() -> AsyncIterator[Side]:
    reading, writing = os.pipe()
    reader = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(reading, "rb", 0)
    )
    yield Side(writing, reader)
    os.close(writing)
    transport.close()


@pytest.fixture
def start_house(start: Start, side: Side) -> Start:
    """Starts servers with a house of the tests' own; nothing has been said yet."""

    async def begin(compose: str = "compose", **options: Any) -> Client:
        house = compose if ":" in compose else f"editor.wire.house:{compose}"
        program = f"from assent.editor.lsp.start import serve; serve('{house}')"
        told = {"ASSENT_TEST_SIDE": str(side.writer)}
        return await start(
            sys.executable, "-c", program, env=told, pass_fds=(side.writer,), **options
        )

    return begin


@pytest.fixture
async def house(start_house: Start) -> Client:
    """A server with a house of the tests' own, opened."""
    client = await start_house()
    await client.open()
    # The answer to `initialize` comes before the house stands; this one comes from the house.
    await client.request("agent/list", within=STANDS_WITHIN)
    return client


@pytest.fixture
async def client(start: Start) -> Client:
    """A server that has been opened, in no workspace."""
    client = await start()
    await client.open()
    await client.request("agent/list", within=STANDS_WITHIN)
    return client


def _marked(mark: str) -> list[psutil.Process]:
    everybody = psutil.process_iter(["environ"])
    return [one for one in everybody if (one.info["environ"] or {}).get(_MARK) == mark]


@pytest.fixture
def stage(start: Start, state_dir: Path, tmp_path: Path) -> Stage:
    """Opens windows on a small workspace; settings have been read when it returns."""

    async def begin(
        editor: Editor | None = None,
        folder: Path | None = None,
        env: dict[str, str] | None = None,
    ) -> Scene:
        folder = folder or tmp_path / "workspace"
        folder.mkdir(exist_ok=True)
        (folder / "README.md").write_text("A small workspace.\n", encoding="utf-8")
        client = await start(editor=editor or Editor(), cwd=folder, env=env)
        await client.open(folders=[folder.as_uri()], options={"clientFeatures": []})
        scene = Scene(client=client, folder=folder, state=state_dir)
        await client.expect("agent/event", lambda told: told.event.kind == "agents", timeout=30)
        return scene

    return begin


@pytest.fixture
async def window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Inside]:
    """A whole server in the test's own process, of an editor in which nothing is set."""
    monkeypatch.setenv("ASSENT_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    async with inside(tmp_path, Editor()) as opened:
        yield opened


@pytest.fixture
def silent(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The methods that the editor leaves unanswered."""
    methods: set[str] = set()
    real = Inside.hear

    def hear(window: Inside, body: bytes) -> None:
        if json.loads(body).get("method") not in methods:
            real(window, body)

    monkeypatch.setattr(Inside, "hear", hear)
    # Short, and long enough for what is answered on a busy machine.
    monkeypatch.setattr(editor_requests, "_ANSWER_TIMEOUT_S", 0.5)
    monkeypatch.setenv("ASSENT_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    return methods
