"""Servers that nobody here wrote, at pinned versions: found, described and run as they are."""

import asyncio
import json
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from assent.catalogue.source import NodeFailed, Outcome
from assent.mcp.servers import Servers
from assent.settings.served import ServerEntry
from gate.scene import within

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


async def test_files_are_read_in_the_folders_of_its_command_line_and_nowhere_else(
    servers: Open, real: Path, tmp_path: Path
) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    for folder in (inside, outside):
        folder.mkdir()
        (folder / "a.txt").write_text(f"in {folder.name}")
    some = servers(of_npm(real, "filesystem", inside))
    assert (await some.search("read a text file", 3)).found[0].name.startswith("filesystem:read")
    came = await run(some, "filesystem:read_text_file", path=str(inside / "a.txt"))
    assert came.text == "in in"
    refused = await run(some, "filesystem:read_text_file", path=str(outside / "a.txt"))
    assert refused.failed
    assert "outside allowed directories" in refused.text
    assert (await some.describe("filesystem:write_file")).destructive


async def test_what_is_remembered_is_found_again(servers: Open, real: Path, tmp_path: Path) -> None:
    some = servers(of_npm(real, "memory", MEMORY_FILE_PATH=str(tmp_path / "memory.json")))
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


async def test_git_and_the_time_of_pypi_are_found_beside_each_other(
    servers: Open, real: Path, tmp_path: Path
) -> None:
    some = servers(of_pypi(real, "time"), of_pypi(real, "git"))
    found = [it.name for it in (await some.search("what time is it in Tokyo", 3)).found]
    assert "time:get_current_time" in found
    told = json.loads((await run(some, "time:get_current_time", timezone="Asia/Tokyo")).text)
    assert told["timezone"] == "Asia/Tokyo"
    wrong = await run(some, "git:git_status", repo_path=str(tmp_path))
    assert wrong.failed


@asynccontextmanager
async def at_an_address(real: Path) -> AsyncIterator[str]:
    """The server `everything`, over HTTP."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = await asyncio.create_subprocess_exec(
        real / "node_modules" / ".bin" / "mcp-server-everything",
        "streamableHttp",
        env={**os.environ, "PORT": str(port)},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stderr is not None
        while b"listening" not in await within(process.stderr.readline()):
            pass
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        await process.wait()


async def test_everything_over_http_is_the_same(servers: Open, real: Path) -> None:
    async with at_an_address(real) as url:
        some = servers(ServerEntry(name="everything", url=url))
        assert (await run(some, "everything:echo", message="hello")).text == "Echo: hello"
        heard: list[str] = []
        node = await some.describe("everything:trigger-long-running-operation")
        await within(some.run(node, {"duration": 1, "steps": 2}, heard.append))
        assert heard
    with pytest.raises(NodeFailed):
        await run(some, "everything:echo", message="hello")
