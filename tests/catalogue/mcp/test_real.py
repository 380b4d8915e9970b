"""Servers that nobody here wrote, at pinned versions: found, described and run as they are."""

import asyncio
import json
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from assent.catalogue.mcp.servers import Servers
from assent.catalogue.nodes.source import NodeFailed, Outcome
from assent.gate.settings.tool_servers import ServerEntry
from gate.admit.scene import within

pytestmark = [pytest.mark.agents]

Open = Callable[..., Servers]


async def run(servers: Servers, name: str, **given: object) -> Outcome:
    return await within(servers.run(await servers.describe(name), given, lambda _: None))


def of_npm(real: Path, name: str, *words: object, **env: str) -> ServerEntry:
    program = real / "node_modules" / ".bin" / f"mcp-server-{name}"
    return ServerEntry(name=name, command=str(program), args=tuple(map(str, words)), env=env)


def of_pypi(real: Path, name: str, *words: object) -> ServerEntry:
    program = real / "python" / "bin" / f"mcp-server-{name}"
    return ServerEntry(name=name, command=str(program), args=tuple(map(str, words)))


@asynccontextmanager
async def at_an_address(*words: str | Path, says: bytes, **env: str) -> AsyncIterator[str]:
    """A server at an address of this machine, until it is no longer needed."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    process = await asyncio.create_subprocess_exec(
        *(str(it).replace("PORT", port) for it in words),
        env={**os.environ, "PORT": port, **env},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        assert process.stdout is not None
        while says not in await within(process.stdout.readline(), 60):
            pass
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        await process.wait()


@asynccontextmanager
async def by(road: str, real: Path, *entries: ServerEntry) -> AsyncIterator[list[ServerEntry]]:
    """The same servers as they are, or over HTTP, where a bridge of somebody else's starts them."""
    async with AsyncExitStack() as stack:
        yield [it if road == "stdio" else await _bridged(stack, real, it) for it in entries]


async def _bridged(stack: AsyncExitStack, real: Path, entry: ServerEntry) -> ServerEntry:
    bridge = real / "node_modules" / ".bin" / "mcp-proxy"
    words = (bridge, "--server", "stream", "--host", "127.0.0.1", "--port", "PORT", "--")
    begun = at_an_address(*words, entry.command, *entry.args, says=b"starting server", **entry.env)
    return ServerEntry(name=entry.name, url=await stack.enter_async_context(begun))


roads = pytest.mark.parametrize("road", ["stdio", "http"])


@roads
async def test_files_are_read_in_the_folders_of_its_command_line_and_nowhere_else(
    servers: Open, real: Path, tmp_path: Path, road: str
) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    for folder in (inside, outside):
        folder.mkdir()
        (folder / "a.txt").write_text(f"in {folder.name}")
    async with by(road, real, of_npm(real, "filesystem", inside)) as entries:
        some = servers(*entries)
        found = (await some.search("read a text file", 3)).nodes
        assert found[0].name.startswith("filesystem:read")
        came = await run(some, "filesystem:read_text_file", path=str(inside / "a.txt"))
        assert came.text == "in in"
        refused = await run(some, "filesystem:read_text_file", path=str(outside / "a.txt"))
        assert refused.failed
        assert "outside allowed directories" in refused.text
        assert (await some.describe("filesystem:write_file")).destructive


@roads
async def test_what_is_remembered_is_found_again(
    servers: Open, real: Path, tmp_path: Path, road: str
) -> None:
    memory = of_npm(real, "memory", MEMORY_FILE_PATH=str(tmp_path / "memory.json"))
    async with by(road, real, memory) as entries:
        some = servers(*entries)
        entity = {"name": "Ada", "entityType": "person", "observations": ["likes engines"]}
        await run(some, "memory:create_entities", entities=[entity])
        assert "likes engines" in (await run(some, "memory:search_nodes", query="Ada")).text


async def test_everything_shows_pictures_progress_errors_and_no_environment_of_ours(
    servers: Open, real: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "not yours")
    some = servers(of_npm(real, "everything", "stdio"))
    assert (await run(some, "everything:echo", message="hello")).text == "Echo: hello"
    assert [it.mime for it in (await run(some, "everything:get-tiny-image")).images] == [
        "image/png"
    ]
    assert "not yours" not in (await run(some, "everything:get-env")).text
    heard: list[str] = []
    node = await some.describe("everything:trigger-long-running-operation")
    await within(some.run(node, {"duration": 1, "steps": 2}, heard.append))
    assert heard
    wrong = await run(some, "everything:get-sum", a="x")
    assert wrong.failed


@roads
async def test_git_and_the_time_of_pypi_are_found_beside_each_other(
    servers: Open, real: Path, tmp_path: Path, road: str
) -> None:
    async with by(road, real, of_pypi(real, "time"), of_pypi(real, "git")) as entries:
        some = servers(*entries)
        found = [it.name for it in (await some.search("what time is it in Tokyo", 3)).nodes]
        assert "time:get_current_time" in found
        told = json.loads((await run(some, "time:get_current_time", timezone="Asia/Tokyo")).text)
        assert told["timezone"] == "Asia/Tokyo"
        wrong = await run(some, "git:git_status", repo_path=str(tmp_path))
        assert wrong.failed


async def test_everything_over_http_of_its_own_is_the_same(servers: Open, real: Path) -> None:
    everything = real / "node_modules" / ".bin" / "mcp-server-everything"
    async with at_an_address(everything, "streamableHttp", says=b"listening") as url:
        some = servers(ServerEntry(name="everything", url=url))
        assert (await run(some, "everything:echo", message="hello")).text == "Echo: hello"
        heard: list[str] = []
        node = await some.describe("everything:trigger-long-running-operation")
        await within(some.run(node, {"duration": 1, "steps": 2}, heard.append))
        assert heard
    with pytest.raises(NodeFailed):
        await run(some, "everything:echo", message="hello")
