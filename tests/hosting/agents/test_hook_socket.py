"""The socket where hooks ask: who has not the key is told nothing, and what goes wrong refuses."""

import asyncio
import contextlib
import io
import json
import os
import re
import shutil
import signal
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from attrs import define, field

from assent.hosting.hooks import gate_hook
from assent.hosting.hooks.gate_hook import proof_of
from assent.hosting.hooks.hook_channel import HookChannel
from assent.hosting.hooks.hook_socket import HookSocket
from hosting.eliza.rig import BOUND


@define
class Stand:
    """A socket of the gate without an agent, and hooks that ask there as a child of nobody."""

    folder: Path
    asked: list[str] = field(factory=list)
    came: asyncio.Event = field(factory=asyncio.Event)
    answer: str = "{}"
    held: asyncio.Event | None = None

    async def rule(self, text: str) -> str:
        self.asked.append(text)
        self.came.set()
        if self.held is not None:
            await self.held.wait()
        return self.answer

    async def hook(
        self, channel: HookChannel, call: bytes, seconds: float = 30.0
    ) -> tuple[int, str, str]:
        """What a hook prints, and how it ends."""
        process = await asyncio.create_subprocess_exec(
            *("sh", "-c", channel.line("claude", seconds)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(BOUND):
            printed, error = await process.communicate(call)
        return process.returncode or 0, printed.decode(), error.decode()


@pytest.fixture
async def stand(tmp_path: Path) -> AsyncIterator[tuple[Stand, HookSocket]]:
    stand = Stand(tmp_path / "sockets")
    async with asyncio.TaskGroup() as group:
        hooks = HookSocket(stand.folder, group)
        yield stand, hooks
        hooks.close()


async def test_a_hook_prints_what_the_gate_says_letter_by_letter(
    stand: tuple[Stand, HookSocket],
) -> None:
    one, hooks = stand
    one.answer = '{"said": "ä\\u2028 \\"\\n"}'
    channel = await hooks.open(one.rule)
    assert await one.hook(channel, "{“}".encode()) == (0, one.answer, "")
    assert one.asked == ["{“}"]


async def test_a_hook_gives_up_by_itself_before_its_agent_gives_up_on_it(
    stand: tuple[Stand, HookSocket],
) -> None:
    one, hooks = stand
    one.held = asyncio.Event()
    channel = await hooks.open(one.rule)
    code, printed, error = await one.hook(channel, b"{}", seconds=0.5)
    assert (code, printed) == (2, "")
    assert "did not answer in time" in error


SHELLS = {"sh": "sh", "another shell": "fish", "a shell of another kind": "tcsh"}


@pytest.mark.parametrize("shell", SHELLS.values(), ids=SHELLS)
async def test_a_hook_that_is_killed_refuses_in_whatever_shell_its_agent_runs_it(
    stand: tuple[Stand, HookSocket], shell: str
) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    one, hooks = stand
    one.held = asyncio.Event()
    channel = await hooks.open(one.rule)
    process = await asyncio.create_subprocess_exec(
        *(shell, "-c", channel.line("claude", 30.0)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        told = group.create_task(process.communicate(b"{}"))
        await one.came.wait()
        for pid in _started_by(process.pid):
            os.kill(pid, signal.SIGKILL)
    assert process.returncode == 2
    assert told.result()[0] == b""
    assert b"Assent: the gate did not answer" in told.result()[1]


def _started_by(parent: int) -> list[int]:
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text("utf-8")
    return [int(it) for it in children.split()]


async def test_a_server_that_is_closed_leaves_its_hooks_refusing(
    stand: tuple[Stand, HookSocket],
) -> None:
    one, hooks = stand
    one.held = asyncio.Event()
    channel = await hooks.open(one.rule)
    async with asyncio.TaskGroup() as group:
        hook = group.create_task(one.hook(channel, b"{}"))
        async with asyncio.timeout(BOUND):
            await one.came.wait()
        hooks.close()
    assert hook.result()[:2] == (2, "")
    assert (await one.hook(channel, b"{}"))[:2] == (2, "")


@pytest.mark.parametrize("call", [b"\xff\xfe", b"x" * (gate_hook.MAX_MESSAGE_BYTES // 2 + 1)])
async def test_a_call_that_no_gate_could_read_is_refused_by_the_hook(
    stand: tuple[Stand, HookSocket], call: bytes
) -> None:
    one, hooks = stand
    channel = await hooks.open(one.rule)
    assert (await one.hook(channel, call))[:2] == (2, "")
    assert one.asked == []


NONCE = "0" * 32
STRANGERS: dict[str, list[bytes]] = {
    "nothing": [],
    "garbage": [b"\0\xff\n"],
    "no such name": [json.dumps({"name": "x", "nonce": NONCE, "tool": "t"}).encode() + b"\n"],
    "no nonce": [json.dumps({"name": "NAME", "nonce": "", "tool": "t"}).encode() + b"\n"],
    "a number": [json.dumps({"name": 1, "nonce": NONCE, "tool": "t"}).encode() + b"\n"],
    "one member more": [
        json.dumps({"name": "NAME", "nonce": NONCE, "tool": "t", "x": ""}).encode() + b"\n"
    ],
    "no proof": [
        json.dumps({"name": "NAME", "nonce": NONCE, "tool": "t"}).encode() + b"\n",
        json.dumps({"length": "2", "proof": "0" * 64}).encode() + b"\n",
        json.dumps({"call": "{}", "proof": "0" * 64}).encode() + b"\n",
    ],
    "a line without an end": [b"x" * 100_000],
}


@pytest.mark.parametrize("said", STRANGERS.values(), ids=STRANGERS)
async def test_whoever_has_not_the_key_is_told_nothing_and_asks_nobody(
    stand: tuple[Stand, HookSocket], said: list[bytes]
) -> None:
    one, hooks = stand
    channel = await hooks.open(one.rule)
    reader, writer = await _connected(channel)
    for line in said:
        writer.write(line.replace(b"NAME", channel.name.encode()))
    writer.write_eof()
    async with asyncio.timeout(BOUND):
        told = await reader.read()
    assert b"answer" not in told
    assert one.asked == []
    writer.close()


async def test_a_call_cannot_be_put_in_the_place_of_the_one_that_was_proven(
    stand: tuple[Stand, HookSocket],
) -> None:
    one, hooks = stand
    channel = await hooks.open(one.rule)
    reader, writer = await _connected(channel)
    hello = {"name": channel.name, "nonce": NONCE, "tool": "t"}
    writer.write(json.dumps(hello).encode() + b"\n")
    async with asyncio.timeout(BOUND):
        nonce = json.loads(await reader.readline())["nonce"]
    proof = proof_of(channel.key, "call", (NONCE, nonce), "{}")
    asked = json.dumps({"call": '{"x": 1}', "proof": proof}).encode() + b"\n"
    length = str(len(asked))
    proof = proof_of(channel.key, "hook", (NONCE, nonce), length)
    writer.write(json.dumps({"length": length, "proof": proof}).encode() + b"\n" + asked)
    async with asyncio.timeout(BOUND):
        assert await reader.read() == b""
    assert one.asked == []
    writer.close()


async def test_an_answer_cannot_be_changed_on_its_way(
    stand: tuple[Stand, HookSocket],
) -> None:
    one, hooks = stand
    one.answer = "no"
    channel = await hooks.open(one.rule)
    (channel.folder / "gate").rename(channel.folder / "real")

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        real, to_real = await _connected(channel, "real")
        for lines in (1, 2):
            for _ in range(lines):
                to_real.write(await reader.readline())
            writer.write((await real.readline()).replace(b'"no"', b'"yes"'))
        writer.close()
        to_real.close()

    with socket.socket(socket.AF_UNIX) as planted:
        await asyncio.to_thread(_bind_in, planted, channel.folder)
        async with await asyncio.start_unix_server(relay, sock=planted):
            code, printed, error = await one.hook(channel, b"{}")
    assert (code, printed) == (2, "")
    assert "who answered is not the gate" in error
    assert one.asked == ["{}"]


async def test_what_a_killed_server_left_behind_is_cleared_by_the_next(
    stand: tuple[Stand, HookSocket],
) -> None:
    one, hooks = stand
    left = one.folder / "dead"
    left.mkdir(parents=True, mode=0o700)
    with socket.socket(socket.AF_UNIX) as old:
        await asyncio.to_thread(_bind_in, old, left)
    channel = await hooks.open(one.rule)
    assert not left.exists()
    assert channel.folder.exists()


async def test_a_socket_that_takes_nobody_in_does_not_keep_the_next_server_from_listening(
    stand: tuple[Stand, HookSocket],
) -> None:
    one, hooks = stand
    planted = one.folder / "planted"
    planted.mkdir(parents=True, mode=0o700)
    with socket.socket(socket.AF_UNIX) as full, contextlib.ExitStack() as waiting:
        await asyncio.to_thread(_bind_in, full, planted)
        full.listen(0)
        with contextlib.suppress(BlockingIOError):
            while True:
                other = waiting.enter_context(socket.socket(socket.AF_UNIX))
                other.setblocking(False)
                other.connect(str(planted / "gate"))
        async with asyncio.timeout(BOUND):
            channel = await hooks.open(one.rule)
    assert channel.folder.exists()


async def test_once_its_folder_is_gone_a_new_agent_gets_another_and_the_old_ones_are_refused(
    stand: tuple[Stand, HookSocket],
) -> None:
    one, hooks = stand
    one.held = asyncio.Event()
    old = await hooks.open(one.rule)
    async with asyncio.TaskGroup() as group:
        waits = group.create_task(one.hook(old, b"{}"))
        async with asyncio.timeout(BOUND):
            await one.came.wait()
        assert hooks.leads_here(old)
        shutil.rmtree(old.folder)
        assert not hooks.leads_here(old)
        new = await hooks.open(one.rule)
        assert waits.done() or not one.held.is_set()
    assert waits.result()[:2] == (2, "")
    one.held.set()
    assert await one.hook(new, b"{}") == (0, "{}", "")
    assert (await one.hook(old, b"{}"))[:2] == (2, "")


async def test_those_who_never_prove_the_key_keep_no_hook_from_asking(
    stand: tuple[Stand, HookSocket],
) -> None:
    one, hooks = stand
    channel = await hooks.open(one.rule)
    strangers = [await _connected(channel) for _ in range(200)]
    assert await one.hook(channel, b"{}") == (0, "{}", "")
    async with asyncio.timeout(BOUND):
        assert await strangers[0][0].read() == b"", "the first made room for those who came later"
    for _, writer in strangers:
        writer.close()


def test_what_a_hook_prints_is_utf_8_whatever_the_persons_language_is_written_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out, error = (io.TextIOWrapper(io.BytesIO(), encoding="latin-1") for _ in range(2))
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", error)
    monkeypatch.setattr(gate_hook, "Asking", lambda *_: Answers())
    monkeypatch.setattr(gate_hook, "read_call", lambda: "{}")
    assert gate_hook.main(["/", "n", "t", "1"]) == 0
    assert out.buffer.getvalue() == "“ä”".encode()  # type: ignore[attr-defined]  # a BytesIO
    monkeypatch.setattr(gate_hook, "Asking", lambda *_: None)
    assert gate_hook.main(["/“", "n", "t", "1"]) == 2
    assert error.buffer.getvalue().startswith(b"Assent could not rule")  # type: ignore[attr-defined]


class Answers:
    """A gate that says what latin letters do not hold."""

    def ruling(self, *_: str) -> str:
        return "“ä”"


def _bind_in(one: socket.socket, folder: Path) -> None:
    here = os.open(folder, os.O_RDONLY)
    one.bind(f"/proc/self/fd/{here}/gate")
    os.close(here)


async def _connected(
    channel: HookChannel, name: str = "gate"
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    here = os.open(channel.folder, os.O_RDONLY)
    try:
        return await asyncio.open_unix_connection(f"/proc/self/fd/{here}/{name}")
    finally:
        os.close(here)


def test_the_hook_takes_nothing_of_ours_and_little_of_pythons() -> None:
    text = Path(gate_hook.__file__).read_text("utf-8")
    taken = set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE))
    assert taken <= sys.stdlib_module_names
    assert "assent" not in taken
